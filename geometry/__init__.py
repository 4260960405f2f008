"""The shapes, named boundary parts and samplers."""

if __name__ != "sciml.geometry":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.geometry', "
        "since a second copy would carry a second set of shape classes"
    )

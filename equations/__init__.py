"""The PDEs as symbolic residuals and their boundary conditions."""

if __name__ != "sciml.equations":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.equations', "
        "since a second copy would carry a second equation library"
    )

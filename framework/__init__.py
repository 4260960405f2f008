"""The framework core: IR, primitives, transforms, passes, compiler and back ends."""

if __name__ != "sciml.framework":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.framework', "
        "since a second copy would carry a second primitive registry"
    )

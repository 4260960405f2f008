"""Code generators for the devices a compiled program runs on."""

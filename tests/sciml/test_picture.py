"""A figure shows itself as a PNG and leaves no figure open in pyplot."""

from __future__ import annotations

import struct

import matplotlib.pyplot as plt

from sciml.picture import Picture


def test_a_picture_is_a_png_of_its_size() -> None:
    picture = Picture(figsize=(2.0, 1.0), dpi=100)
    picture.subplots().plot([0, 1])
    png = picture._repr_png_()
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (200, 100)
    assert plt.get_fignums() == []

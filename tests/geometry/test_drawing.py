import matplotlib.pyplot as plt
import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import (
    Annulus,
    Box,
    Cylinder,
    Disk,
    Hyperball,
    Interval,
    Parametrised,
    PointCloud,
    Polygon,
    Product,
    Rectangle,
)
from sciml.geometry.drawing import COLOURED, grouped

MANY = Polygon([(np.cos(t), np.sin(t)) for t in np.arange(30) * np.pi / 15])


def legend(picture):
    return [text.get_text() for text in picture.legends[0].get_texts()]


@pytest.mark.parametrize("shape", [
    Interval(0, 1), Rectangle(), Annulus(), Rectangle() - Disk((0.5, 0.5), 0.2), Box(), Cylinder(),
    Interval(0, 1).over_time(2), Rectangle().over_time(2),
], ids=lambda s: type(s).__name__)  # fmt: skip
def test_a_picture_names_every_part_in_a_colour_of_its_own(shape):
    picture = shape.plot(normals=True)
    assert legend(picture) == [n for n, p in shape.pieces.items() if p.measure > 0]
    colours = [handle.get_color() for handle in picture.legends[0].legend_handles]
    assert len(set(colours)) == len(colours)
    assert shape._repr_png_().startswith(b"\x89PNG")
    assert plt.get_fignums() == []


def test_lines_of_a_plane_shape_lie_on_its_boundary_and_the_inside_is_filled():
    shape = Rectangle() - Disk((0.5, 0.5), 0.2)
    (axes,) = shape.plot().axes
    curves = [line.get_xydata() for line in axes.lines if line.get_linestyle() == "-"]
    drawn = np.concatenate(curves)
    assert np.abs(shape.signed_distance(drawn)).max() < 1e-12
    assert len(curves) == 5
    colour = pixels(axes)
    assert colour(0.1, 0.1) == (235, 235, 235)  # grey 0.92
    assert colour(0.5, 0.5) == (255, 255, 255)


def pixels(axes):
    """Return the drawn colour as a function of the coordinates."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(axes.figure)
    canvas.draw()
    image = np.asarray(canvas.buffer_rgba())

    def colour(x, y):
        column, row = axes.transData.transform((x, y))
        return tuple(map(int, image[image.shape[0] - 1 - round(row), round(column), :3]))

    return colour


def test_time_has_its_unit():
    (axes,) = Interval(0, 1).over_time(2).plot().axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("$x$ [m]", "$t$ [s]")
    (axes,) = Box().plot().axes
    assert axes.get_zlabel() == "$z$ [m]"


def test_arrows_are_drawn_on_demand():
    (plain,), (arrowed,) = Disk().plot().axes, Disk().plot(normals=True).axes
    (quiver,) = [c for c in arrowed.collections if hasattr(c, "U")]
    assert not any(hasattr(c, "U") for c in plain.collections)
    np.testing.assert_allclose(quiver.U / quiver.X, quiver.V / quiver.Y, rtol=1e-9)


def test_many_parts_share_the_colour_of_their_group():
    assert list(grouped(MANY)) == ["edges"]
    assert len(grouped(MANY)["edges"]) == 30
    assert len(grouped(Rectangle())) == 4 <= COLOURED
    assert legend(MANY.plot()) == ["edges"]


def test_more_than_three_coordinates_have_no_picture():
    shape = Hyperball((0,) * 4, 1)
    with pytest.raises(GeometryError, match="up to three coordinates, the shape 4"):
        shape.plot()
    assert shape._repr_png_() is None


def test_points_of_a_cloud_are_not_joined_by_lines():
    """The points come in no order, of the cloud, of its image and of a cylinder over it."""
    angle = np.random.default_rng(0).permutation(60) * np.pi / 30
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    cloud = PointCloud(0.5 * ring, {"rim": (ring, ring)}, np.pi, {"rim": 2 * np.pi})
    for shape in (cloud, cloud.scale(2.0), Product(cloud, Interval(0, 1))):
        (axes,) = shape.plot().axes
        assert axes.lines[0].get_linestyle() == "None"
    colour = pixels(cloud.plot().axes[0])
    assert colour(0.1, 0.1) == (235, 235, 235)
    assert colour(1.05, 1.05) == (255, 255, 255)


def test_a_family_of_shapes_is_drawn_by_points():
    family = Parametrised(lambda a: Disk((0, 0), a), {"a": (1, 2)})
    (axes,) = family.plot().axes
    (dots,) = axes.lines
    x, y, a = dots.get_data_3d()
    np.testing.assert_allclose(np.hypot(x, y), a, rtol=1e-12)

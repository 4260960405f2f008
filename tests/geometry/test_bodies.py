import pytest
import trimesh

from sciml.framework.errors import GeometryError
from sciml.geometry.bodies import refuse_inverted
from sciml.geometry.triangle_search import TriangleSearch
from sciml.geometry.triangle_surface import TriangleSurface


def search(*meshes):
    both = trimesh.util.concatenate(list(meshes))
    return TriangleSearch(TriangleSurface(both.vertices, both.faces))


def test_a_body_inside_another_is_refused_and_a_cavity_is_not():
    outer, inner = trimesh.creation.box(), trimesh.creation.icosphere(radius=0.3)
    with pytest.raises(GeometryError, match=r"the sheet with the triangle \d+ at .* cavity"):
        refuse_inverted(search(outer, inner))
    inner.invert()
    hollow = search(outer, inner)
    refuse_inverted(hollow)
    assert hollow.surface.volume == pytest.approx(1 + inner.volume, rel=1e-12)


def test_bodies_side_by_side_are_not_refused():
    other = trimesh.creation.box()
    other.apply_translation([2, 0, 0])
    refuse_inverted(search(trimesh.creation.box(), other))

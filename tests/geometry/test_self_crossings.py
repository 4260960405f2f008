import pytest
import trimesh

from sciml.framework.errors import GeometryError
from sciml.geometry.self_crossings import refuse_crossings
from sciml.geometry.triangle_search import TriangleSearch
from sciml.geometry.triangle_surface import TriangleSurface


def pair(shift):
    other = trimesh.creation.icosphere(subdivisions=2)
    other.apply_translation([shift, 0.01, 0.02])
    both = trimesh.util.concatenate([trimesh.creation.icosphere(subdivisions=2), other])
    return TriangleSearch(TriangleSurface(both.vertices, both.faces))


def test_bodies_that_overlap_are_refused_with_triangles_and_place():
    with pytest.raises(GeometryError, match=r"the triangles \d+ and \d+ cross at \("):
        refuse_crossings(pair(1.5))


def test_bodies_apart_and_walls_that_bend_are_not():
    refuse_crossings(pair(2.5))
    for mesh in (trimesh.creation.box(), trimesh.creation.torus(1.0, 0.4)):
        refuse_crossings(TriangleSearch(TriangleSurface(mesh.vertices, mesh.faces)))

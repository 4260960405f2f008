import numpy as np

from sciml.geometry import Disk, Mesh
from sciml.geometry.membership import Membership


def test_only_shapes_of_triangles_tell_inside_without_distances():
    assert issubclass(Mesh, Membership)
    assert not isinstance(Disk(), Membership)
    assert Disk().contains(np.zeros((1, 2))).tolist() == [True]

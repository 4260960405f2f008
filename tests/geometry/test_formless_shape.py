import numpy as np
import pytest

import sciml.framework as framework
from sciml.framework.errors import GeometryError
from sciml.geometry import PointCloud
from sciml.geometry.formless_shape import FormlessShape

ANGLES = np.arange(12) * np.pi / 6
RIM = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
CLOUD = PointCloud(0.5 * RIM, {"rim": (RIM, RIM)}, 3.0, {"rim": 6.2})


def test_forms_and_traced_distances_are_refused():
    assert isinstance(CLOUD, FormlessShape)
    assert CLOUD.corners == {}
    with pytest.raises(GeometryError, match="PointCloud: no factor in closed form; impose"):
        CLOUD.boundary_factor("rim")
    with pytest.raises(GeometryError, match="PointCloud: no extension in closed form"):
        CLOUD._extension({"rim": 1}, ())
    with pytest.raises(GeometryError, match="PointCloud: the distance is found by searching"):
        framework.jit(CLOUD.signed_distance)(RIM)

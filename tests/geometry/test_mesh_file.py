import builtins

import numpy as np
import pytest

from sciml.framework.errors import GeometryError, MissingPackageError
from sciml.geometry import mesh_file

ASCII = """solid one
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid one
"""


def test_text_and_missing_files(tmp_path):
    path = tmp_path / "one.stl"
    path.write_text(ASCII)
    found = mesh_file.read(str(path))
    assert len(found.triangles) == 1
    assert found.groups == {}
    np.testing.assert_array_equal(
        found.vertices[found.triangles[0]], [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    )
    with pytest.raises(GeometryError, match="no file"):
        mesh_file.read(str(tmp_path / "two.stl"))


def test_files_without_triangles_are_refused(tmp_path):
    path = tmp_path / "lines.vtk"
    import meshio

    meshio.Mesh(np.eye(3), [("line", np.array([[0, 1]]))]).write(path)
    with pytest.raises(GeometryError, match="holds no triangles"):
        mesh_file.read(str(path))


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    path = tmp_path / "one.stl"
    path.write_text(ASCII)
    genuine = builtins.__import__

    def without(name, *rest):
        if name == "trimesh":
            raise ModuleNotFoundError("No module named 'trimesh'", name="trimesh")
        return genuine(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingPackageError, match=r"needs trimesh; pip install 'sciml\[mesh\]'"):
        mesh_file.read(str(path))

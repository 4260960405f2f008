"""Separate bodies and cavities of a surface of triangles."""

from __future__ import annotations

import numpy as np

from sciml.framework.errors import GeometryError

from .triangle_search import TriangleSearch

Array = np.ndarray

# Step off a triangle, as a share of the size of the surface.
STEP = 1e-7


def refuse_inverted(search: TriangleSearch) -> None:
    """Refuse a surface of which one connected sheet has the solid on the side of its normals.

    That is a cavity whose normals point into the solid, or a body inside another one.

    Raises
    ------
    GeometryError
        If there is one; the message names a triangle of it.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    surface = search.surface
    start, end = surface.triangles.ravel(), np.roll(surface.triangles, -1, axis=1).ravel()
    count = len(surface.vertices)
    links = coo_array((np.ones(len(start)), (start, end)), shape=(count, count))
    _, label = connected_components(links, directed=False)
    # The largest triangle of each sheet speaks for it.
    order = np.argsort(-surface.areas)
    _, first = np.unique(label[surface.triangles[order, 0]], return_index=True)
    chosen = order[first]
    middle, normal = surface.corners[chosen].mean(axis=1), surface.normals[chosen]
    step = STEP * float(np.ptp(surface.vertices, axis=0).max()) * normal
    wrong = np.flatnonzero(~search.inside(middle - step) | search.inside(middle + step))
    if len(wrong):
        place = tuple(round(float(c), 9) for c in middle[wrong[0]])
        raise GeometryError(
            f"Mesh: the sheet with the triangle {int(chosen[wrong[0]])} at {place} has the solid "
            "on the side of its normals; turn its triangles if it is a cavity, or unite it with "
            "the body around it"
        )

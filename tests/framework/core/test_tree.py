"""Nested containers come apart in a fixed order and go back together."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from sciml.framework.core.tree import (
    flatten,
    leaf_paths,
    map_leaves,
    register_container,
    unflatten,
)
from sciml.framework.errors import ShapeError


class Layer(NamedTuple):
    weight: object
    bias: object


TREE = {"b": [1, (2, None)], "a": Layer(3, {}), "c": ()}


def test_round_trip_keeps_the_containers() -> None:
    leaves, structure = flatten(TREE)
    assert leaves == [3, 1, 2]
    back = unflatten(structure, leaves)
    assert back == TREE
    assert isinstance(back["a"], Layer)  # type: ignore[index]


def test_paths_name_the_leaves() -> None:
    assert leaf_paths(flatten(TREE)[1]) == ["['a']['weight']", "['b'][0]", "['b'][1][0]"]
    assert leaf_paths(flatten(5)[1]) == ["value"]


def test_map_needs_equal_structures() -> None:
    assert map_leaves(lambda x, y: x + y, [1, {"a": 2}], [10, {"a": 20}]) == [11, {"a": 22}]
    with pytest.raises(ShapeError, match="different structures"):
        map_leaves(lambda x, y: x, [1], [1, 2])


def test_the_number_of_leaves_must_fit() -> None:
    with pytest.raises(ShapeError, match="3 leaves"):
        unflatten(flatten(TREE)[1], [1])


def test_a_registered_class_is_a_container_of_its_attributes() -> None:
    class Pair:
        def __init__(self, left: object, right: object) -> None:
            self.left, self.right = left, right

    register_container(Pair, ("left", "right"), Pair)
    leaves, structure = flatten({"p": Pair(1, [2, None])})
    assert leaves == [1, 2]
    assert leaf_paths(structure) == ["['p']['left']", "['p']['right'][0]"]
    rebuilt = unflatten(structure, [10, 20])["p"]
    assert (type(rebuilt), rebuilt.left, rebuilt.right) == (Pair, 10, [20, None])

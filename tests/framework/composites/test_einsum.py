"""Einstein sums against NumPy's."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.composites import einsum
from sciml.framework.errors import DtypeError, ShapeError

SIZES = {"i": 2, "j": 3, "k": 4, "l": 5, "B": 6}
CASES = (
    "ij,jk->ik", "ij,jk", "ij,jk->ki", "ij,kj->ik", "i,i->", "i,i", "i,j->ij", "i,j->ji",
    "Bij,Bjk->Bik", "Bij,Bkj->Bik", "ijk,jkl->il", "ijk,ikl->ijl", "ij,ij->ij", "ij,ij->j",
    "ij,k->k", "ij,j->", "ij,jk,kl->il", "ij,jk,kl->lj", "i,j,k->kij", "ijk,j,k->i",
    "Bi,ij,Bj->B", "ij,j->ji", "B i, B j -> B i j",
)  # fmt: skip


def operands(subscripts: str) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    left = subscripts.replace(" ", "").split("->")[0]
    return [rng.normal(size=[SIZES[c] for c in word]) for word in left.split(",")]


@pytest.mark.parametrize("subscripts", CASES)
def test_values(subscripts: str) -> None:
    arrays = operands(subscripts)
    expected = np.einsum(subscripts, *arrays)
    np.testing.assert_allclose(sf.einsum(subscripts, *arrays), expected, rtol=1e-12, atol=1e-14)
    compiled = sf.jit(lambda *a: sf.einsum(subscripts, *a))(*arrays)
    np.testing.assert_allclose(compiled, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("subscripts", CASES)
def test_gradients(subscripts: str) -> None:
    """The sum is linear in each operand: <gradient, operand> is its value, operand by operand."""
    arrays = operands(subscripts)

    def total(*a: Any) -> Any:
        return sf.einsum(subscripts, *a).sum()

    value = float(np.einsum(subscripts, *arrays).sum())
    for gradient, operand in zip(
        sf.grad(total, tuple(range(len(arrays))))(*arrays), arrays, strict=True
    ):
        np.testing.assert_allclose((gradient * operand).sum(), value, rtol=1e-11, atol=1e-13)


def test_symbolic_sizes_and_maps() -> None:
    weights = np.random.default_rng(1).normal(size=(3, 4))
    function = sf.jit(lambda X: sf.einsum("bi,ij,bj->b", X, weights, sf.sin(X @ weights)))
    for count in (9, 17):
        X = np.random.default_rng(2).normal(size=(count, 3))
        expected = np.einsum("bi,ij,bj->b", X, weights, np.sin(X @ weights))
        np.testing.assert_allclose(function(X), expected, rtol=1e-12)
    assert function.compilations == 1
    mapped = sf.vmap(lambda x: sf.einsum("i,ij->j", x, weights))(X)
    np.testing.assert_allclose(mapped, X @ weights, rtol=1e-12)


@pytest.mark.parametrize(
    ("subscripts", "shapes", "message"),
    [
        ("ij", [(2, 3)], "two or more operands"),
        ("ij,jk->ik", [(2, 3)], "two or more operands"),
        ("ij,jk,kl", [(2, 3), (3, 4)], "describes 3 operands, got 2"),
        ("ij,jk->ik", [(2, 3), (4, 5)], "'j' .* stands for the sizes 3 and 4"),
        ("ij,jk->ik", [(2, 3), (3,)], "operand 1 is .* names 2 axes"),
        ("ii,i->i", [(2, 2), (2,)], "'i' stands twice in 'ii'"),
        ("i,j->ii", [(2,), (2,)], "'i' stands twice in 'ii'"),
        ("i,j->k", [(2,), (2,)], "'k' of the result .* in no operand"),
        ("...i,i->...", [(2, 2), (2,)], "no letter for an axis"),
        ("i1,i->i", [(2, 2), (2,)], "'1' in 'i1,i->i' is no letter"),
    ],
)
def test_mistakes(subscripts: str, shapes: list[tuple[int, ...]], message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        sf.einsum(subscripts, *(np.ones(s) for s in shapes))


def test_element_types_must_agree() -> None:
    with pytest.raises(DtypeError, match="one floating type"):
        sf.einsum("i,i->", np.ones(3), np.ones(3, np.float32))
    with pytest.raises(DtypeError, match="one floating type"):
        sf.einsum("i,i->", np.arange(3), np.arange(3))


def test_the_examples() -> None:
    module = __import__(einsum.__module__, fromlist=["einsum"])
    assert doctest.testmod(module, extraglobs={"np": np}).failed == 0

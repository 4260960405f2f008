"""Loop nests as shared functions."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import sciml.framework as sf
from sciml.framework.backends.cpu.codegen import generate
from sciml.framework.compiler.pipeline import schedule

X = np.random.default_rng(0).normal(size=(4, 5, 6))


def assembly(function: Any, *arguments: Any) -> str:
    program = sf.make_program(function)(*arguments)
    return generate(schedule(program), 32, 2**20, "x86_64-unknown-linux-gnu")[0]


def defined(text: str) -> int:
    return len(re.findall(r'^define internal void @"outlined_', text, re.MULTILINE))


def called(text: str) -> int:
    return len(re.findall(r'call void @"outlined_', text))


def test_equal_movements_share_a_function_and_others_do_not() -> None:
    def turned(x: Any, y: Any) -> Any:
        return x.transpose(2, 0, 1), y.transpose(2, 0, 1), x.transpose(1, 0, 2)

    text = assembly(turned, X, X)
    assert (defined(text), called(text)) == (2, 3)
    for got, axes in zip(sf.jit(turned)(X, 2 * X), ((2, 0, 1), (2, 0, 1), (1, 0, 2)), strict=True):
        assert got.shape == X.transpose(axes).shape
    np.testing.assert_array_equal(sf.jit(turned)(X, 2 * X)[1], 2 * X.transpose(2, 0, 1))


def test_equal_products_share_a_function() -> None:
    def products(x: Any, y: Any) -> Any:
        a = sf.einsum("bij,bkj->bik", x, y)
        return a, sf.einsum("bij,bkj->bik", y, x), sf.einsum("bij,bkj->bik", sf.sin(x), y)

    text = assembly(products, X, X)
    assert (defined(text), called(text)) == (1, 3)
    got = sf.jit(products)(X, 2 * X)
    np.testing.assert_allclose(got[2], np.sin(X) @ (2 * X).transpose(0, 2, 1), rtol=1e-13)


def test_symbolic_sizes_are_passed_on() -> None:
    function = sf.jit(lambda x: (x[:, ::-1].sum(axis=1), sf.einsum("ni,mi->nm", x, x)))
    for count in (9, 20):
        x = np.random.default_rng(count).normal(size=(count, 3))
        total, gram = function(x)
        np.testing.assert_allclose(total, x.sum(axis=1), rtol=1e-14, atol=1e-15)
        np.testing.assert_allclose(gram, x @ x.T, rtol=1e-13, atol=1e-14)
    assert function.compilations == 1

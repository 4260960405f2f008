"""vmap of programs: each example alone gives the row of the batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import ShapeError
from sciml.framework.ir.verifier import verify
from sciml.framework.transforms.batching import vmap_program
from sciml.framework.transforms.trace import evaluate

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("function", [
    lambda x, y: x @ y, lambda x, y: sf.where(x > 0, x, y.T[0, 0]), lambda x, y: x[1:, ::-1],
    lambda x, y: sf.concatenate([x, y.T], axis=0), lambda x, y: (x.max(axis=0) * y[:, 0]).sum(),
])  # fmt: skip
@pytest.mark.parametrize("mapped", [(True, True), (True, False), (False, True)])
def test_rows_of_a_batch(function: Any, mapped: tuple[bool, bool]) -> None:
    x, y = RNG.normal(size=(4, 2, 3)), RNG.normal(size=(4, 3, 2))
    program = sf.make_program(function)(x[0], y[0])
    batched = vmap_program(program, mapped, 4)
    verify(batched)
    given = [a if m else a[0] for a, m in zip((x, y), mapped, strict=True)]
    (result,) = evaluate(batched, given)
    for k in range(4):
        row = [a[k] if m else a[0] for a, m in zip((x, y), mapped, strict=True)]
        np.testing.assert_allclose(result[k], evaluate(program, row)[0], rtol=1e-14)


def test_a_flag_is_needed_for_every_input() -> None:
    program = sf.make_program(lambda x: x)(np.ones(2))
    with pytest.raises(ShapeError, match="1 flags expected, got 2"):
        vmap_program(program, [True, False], 3)

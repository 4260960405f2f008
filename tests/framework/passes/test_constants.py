"""Operations on small constants are evaluated, others are not."""

import numpy as np
import pytest

C = "%c = tensor.constant() {value = literal<f64[2] 0x000000000000f03f0000000000000040>} : f64[2]\n"


def test_an_elementwise_operation_on_fills_of_any_shape(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: f64[N]",
        "f64[N]",
        """%1 = tensor.full() {value = literal<f64[] 2.0>, shape = (<N>,)} : f64[N]
           %2 = tensor.full() {value = literal<f64[] 3.0>, shape = (<N>,)} : f64[N]
           %3 = tensor.sub(%1, %2) : f64[N]
           return %3""",
        """%1 = tensor.full() {value = literal<f64[] -1.0>, shape = (<N>,)} : f64[N]
           return %1""",
    )


def test_a_small_product_of_constants(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "",
        "f64[]",
        C
        + """%1 = tensor.dot_general(%c, %c) {contract = ((0,), (0,)), batch = ((), ())} : f64[]
             return %1""",
        """%0 = tensor.constant() {value = literal<f64[] 5.0>} : f64[]
           return %0""",
    )


@pytest.mark.parametrize(
    ("body", "result"),
    [
        (
            """%0 = tensor.full() {value = literal<f64[] -1.0>, shape = ()} : f64[]
               %1 = tensor.log(%0) : f64[]
               return %1""",
            "f64[]",
        ),
        (
            """%0 = tensor.full() {value = literal<f64[] 1.0>, shape = (17,)} : f64[17]
               %1 = tensor.reduce_sum(%0) {axes = (0,)} : f64[]
               return %1""",
            "f64[]",
        ),
        (
            """%0 = tensor.full() {value = literal<f64[] 1.0>, shape = (2,)} : f64[2]
               %1 = tensor.full() {value = literal<i64[] 5>, shape = ()} : i64[]
               %2 = tensor.gather(%0, %1) {axis = 0} : f64[]
               return %2""",
            "f64[]",
        ),
    ],
    ids=["not finite", "too many elements", "out of range"],
)
def test_left_as_it_is(simplifies, body: str, result: str) -> None:  # type: ignore[no-untyped-def]
    simplifies("", result, body, body)


def test_an_empty_array_of_unknown_length() -> None:
    """Its size is 0, but its shape is not known."""
    from sciml import framework as sf

    def joined(X):  # type: ignore[no-untyped-def]
        none = sf.sin(X[:, :1] - np.zeros((1, 0)))
        return sf.concatenate([X, none], axis=1)

    X = np.arange(80.0).reshape(40, 2)
    np.testing.assert_array_equal(sf.jit(joined)(X), X)

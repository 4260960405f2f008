"""Constant matrices are turned once, before the loop over points; nothing else is turned."""

# ruff: noqa: E501


def test_a_transposed_constant_is_turned_outside(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: f64[N, 5], %w: f64[2, 5]",
        "f64[N, 2]",
        """%1 = tensor.dot_general(%0, %w) {contract = ((1,), (1,)), batch = ((), ())} : f64[N, 2]
           return %1""",
        """%1 = tensor.transpose(%w) {permutation = (1, 0)} : f64[5, 2]
           %2 = tensor.dot_general(%0, %1) {contract = ((1,), (0,)), batch = ((), ())} : f64[N, 2]
           return %2""",
    )


def test_products_without_a_batch_or_of_two_batches_stay(simplifies) -> None:  # type: ignore[no-untyped-def]
    for left, right, out in (("3", "2", "3, 2"), ("N", "M", "N, M")):
        body = f"""%1 = tensor.dot_general(%0, %w) {{contract = ((1,), (1,)), batch = ((), ())}} : f64[{out}]
                   return %1"""
        simplifies(f"%0: f64[{left}, 5], %w: f64[{right}, 5]", f"f64[{out}]", body, body)

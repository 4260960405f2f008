"""Random programs over the array functions, with the symbolic shape of every value known."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import sciml.framework as sf
from sciml.framework.core.dims import Dim, Shape, evaluate_dim, product

N, M = Dim.named("N"), Dim.named("M")
WIDTHS = (1, 2, 3, 5, 8, 17, 33, 70)


@dataclass(frozen=True)
class Known:
    """What is known of a value: shape, and whether it is floating (f), integer (i) or bool (b)."""

    shape: Shape
    kind: str


Step = Callable[[list[Any]], Any]


@dataclass
class RandomProgram:
    """A function of arrays as a list of steps; call it with arrays or traced values."""

    source: random.Random
    dtype: Any
    arguments: list[Known]
    smooth: bool = False
    values: list[Known] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = list(self.arguments)

    def __call__(self, *arguments: Any) -> Any:
        values = list(arguments)
        for step in self.steps:
            values.append(step(values))
        return tuple(values[k] for k in self.outputs)

    def __repr__(self) -> str:
        lines = [f"v{k} = {a.kind}{a.shape}" for k, a in enumerate(self.arguments)]
        return "\n".join([f"dtype {np.dtype(self.dtype)}", *lines, *self.text, str(self.outputs)])

    # --- growing ------------------------------------------------------------------------------

    def add(self, text: str, known: Known, step: Step) -> None:
        """Append a step."""
        self.text.append(f"v{len(self.values)} = {text} : {known.kind}{known.shape}")
        self.values.append(known)
        self.steps.append(step)

    def pick(self, kinds: str = "f", condition: Callable[[Known], bool] = lambda k: True) -> int:
        """Return the number of a value, late ones more often; -1 if there is none."""
        found = [k for k, v in enumerate(self.values) if v.kind in kinds and condition(v)]
        if not found:
            return -1
        return max(self.source.choice(found), self.source.choice(found))

    def grow(self, count: int) -> RandomProgram:
        """Append steps and choose outputs."""
        makers = [
            unary, unary, binary, binary, broadcast, matrix, matrix, gram, reduction, reduction,
            index, join, reshape, swap, gather, choose, convert, size, fresh,
        ]  # fmt: skip
        if not self.smooth:
            makers += [integers, extremum_of_integers, compare]
        while len(self.steps) < count:
            self.source.choice(makers)(self)
        count = len(self.values)
        picked = [self.source.randrange(count) for _ in range(self.source.randrange(4))]
        self.outputs = [*range(max(0, count - 4), count), *picked]
        return self

    def constant(self, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array of numbers with few equal ones."""
        seed = self.source.randrange(2**31)
        return np.random.default_rng(seed).uniform(-1, 1, size=shape).astype(self.dtype)


def unary(p: RandomProgram) -> None:
    k = p.pick()
    name = p.source.choice(["tanh", "sin", "logistic", "abs", "square", "atan", "erf", "cube",
                            "root", "inverse", "exp"])  # fmt: skip
    special: dict[str, Callable[[Any], Any]] = {
        "cube": lambda x: 0.3 * x**3,
        "root": lambda x: sf.sqrt(x * x + 1.0),
        "inverse": lambda x: 1.0 / (x * x + 1.5),
        "exp": lambda x: sf.exp(-(x**2)),
        "abs": lambda x: sf.abs(x - 0.1371),
    }
    function = special.get(name) or getattr(sf, name)
    p.add(f"{name}(v{k})", p.values[k], lambda v: function(v[k]))


def _combine(p: RandomProgram, a: int, b: int, shape: Shape) -> None:
    name = p.source.choice(["add", "sub", "mul", "div", "maximum", "minimum", "atan2"])
    functions: dict[str, Callable[[Any, Any], Any]] = {
        "add": lambda x, y: 0.7 * x + y,
        "sub": lambda x, y: x - y,
        "mul": lambda x, y: x * y,
        "div": lambda x, y: x / (y * y + 1.3),
        "maximum": lambda x, y: sf.maximum(x, y + 0.01371),
        "minimum": lambda x, y: sf.minimum(x, y + 0.01371),
        "atan2": lambda x, y: sf.atan2(x, y * y + 0.5),
    }
    function = functions[name]
    p.add(f"{name}(v{a}, v{b})", Known(shape, "f"), lambda v: function(v[a], v[b]))


def binary(p: RandomProgram) -> None:
    a = p.pick()
    b = p.pick("f", lambda k: k.shape == p.values[a].shape)
    _combine(p, a, b, p.values[a].shape)


def broadcast(p: RandomProgram) -> None:
    a = p.pick()
    shape = p.values[a].shape

    def fits(k: Known) -> bool:
        tail = shape[len(shape) - len(k.shape) :]
        return len(k.shape) <= len(shape) and all(
            x in (1, y) for x, y in zip(k.shape, tail, strict=True)
        )

    b = p.pick("f", fits)
    if p.source.random() < 0.5:
        _combine(p, a, b, shape)
    else:
        _combine(p, b, a, shape)


def matrix(p: RandomProgram) -> None:
    a = p.pick("f", lambda k: len(k.shape) >= 1 and isinstance(k.shape[-1], int))
    if a < 0:
        return
    rows = int(p.values[a].shape[-1])
    columns = p.source.choice(WIDTHS)
    w = p.constant((rows, columns)) / np.sqrt(rows, dtype=p.dtype)
    if p.source.random() < 0.15:
        p.add(f"v{a} @ w{rows}", Known(p.values[a].shape[:-1], "f"), lambda v: v[a] @ w[:, 0])
        return
    shape = (*p.values[a].shape[:-1], columns)
    p.add(f"v{a} @ w{rows}x{columns}", Known(shape, "f"), lambda v: v[a] @ w)


def gram(p: RandomProgram) -> None:
    a = p.pick("f", lambda k: len(k.shape) == 2)
    if a < 0:
        return
    rows = p.values[a].shape[0]
    b = p.pick("f", lambda k: len(k.shape) in (1, 2) and k.shape[0] == rows)
    shape = (p.values[a].shape[1], *p.values[b].shape[1:])
    if _elements(shape) > 5000:
        return
    scale = 1.0 / 70

    def step(v: list[Any]) -> Any:
        return (v[a].T @ v[b]) * scale

    p.add(f"v{a}.T @ v{b}", Known(shape, "f"), step)


def reduction(p: RandomProgram) -> None:
    a = p.pick("f", lambda k: len(k.shape) >= 1)
    if a < 0:
        return
    rank = len(p.values[a].shape)
    axes = tuple(sorted(p.source.sample(range(rank), p.source.randint(1, rank))))
    names = ["sum", "mean", "max", "min"]
    if _elements([p.values[a].shape[k] for k in axes]) <= 8:
        names.append("prod")
    name, keep = p.source.choice(names), p.source.random() < 0.4
    _reduce(p, a, name, axes, keep, "f")


def _reduce(
    p: RandomProgram, a: int, name: str, axes: tuple[int, ...], keep: bool, kind: str
) -> None:
    old = p.values[a].shape
    shape = tuple(1 if k in axes else s for k, s in enumerate(old) if keep or k not in axes)
    function = getattr(sf, name)
    scale = 1.0 / max(1, _elements([old[k] for k in axes])) if name == "sum" else 1.0

    def step(v: list[Any]) -> Any:
        result = function(v[a], axes, keep)
        return result * scale if kind == "f" else result

    p.add(f"{name}(v{a}, {axes}, {keep})", Known(shape, kind), step)


def _elements(shape: Any) -> int:
    return int(evaluate_dim(product(shape), {"N": 300, "M": 300}))


def index(p: RandomProgram) -> None:
    a = p.pick("fib", lambda k: len(k.shape) >= 1)
    if a < 0:
        return
    entries: list[Any] = []
    shape: list[Any] = []
    for s in p.values[a].shape:
        if p.source.random() < 0.15:
            entries.append(None)
            shape.append(1)
        choice = p.source.choice(["all", "all", "row", "cut", "reverse", "tail", "step"])
        if choice == "row" and isinstance(s, int):
            entries.append(p.source.randrange(s))
        elif choice == "row" and s in (N, M):
            entries.append(0)
        elif choice == "cut" and isinstance(s, int):
            start = p.source.randrange(s)
            entries.append(slice(start, p.source.randint(start + 1, s)))
            shape.append(entries[-1].stop - start)
        elif choice == "step" and isinstance(s, int):
            entries.append(slice(None, None, 2))
            shape.append(-(-s // 2))
        elif choice == "reverse" and isinstance(s, int):
            entries.append(slice(None, None, -1))
            shape.append(s)
        elif choice == "tail" and s in (N, M):
            entries.append(slice(1, None))
            shape.append(s - 1)
        else:
            entries.append(slice(None))
            shape.append(s)
    key = tuple(entries)
    p.add(f"v{a}[{key}]", Known(tuple(shape), p.values[a].kind), lambda v: v[a][key])


def join(p: RandomProgram) -> None:
    a = p.pick("f", lambda k: len(k.shape) >= 1)
    if a < 0:
        return
    shape = p.values[a].shape
    b = p.pick("f", lambda k: k.shape == shape)
    axis = p.source.randrange(len(shape))
    if _elements(shape) > 60000:
        return
    if p.source.random() < 0.3:
        out: Shape = (*shape[:axis], 2, *shape[axis:])
        p.add(f"stack(v{a}, v{b}, {axis})", Known(out, "f"), lambda v: sf.stack([v[a], v[b]], axis))
        return
    out = (*shape[:axis], 2 * shape[axis], *shape[axis + 1 :])
    p.add(
        f"concatenate(v{a}, v{b}, {axis})", Known(out, "f"),
        lambda v: sf.concatenate([v[a], v[b]], axis),
    )  # fmt: skip


def reshape(p: RandomProgram) -> None:
    a = p.pick("fib", lambda k: len(k.shape) >= 1)
    if a < 0:
        return
    shape = p.values[a].shape
    axis = p.source.randrange(len(shape))
    choice = p.source.choice(["flat", "merge", "split", "one"])
    if choice == "flat":
        out: Shape = (product(shape),)
        p.add(f"flat v{a}", Known(out, p.values[a].kind), lambda v: sf.reshape(v[a], -1))
        return
    first, s, last = shape[:axis], shape[axis], shape[axis + 1 :]
    if choice == "merge" and last:
        out = (*first, s * last[0], *last[1:])
    elif choice == "split" and isinstance(s, int) and s % 2 == 0:
        out = (*first, 2, s // 2, *last)
    else:
        out = (*first, 1, s, *last)
    hole = next((k for k, x in enumerate(out) if isinstance(x, Dim)), 0)
    if sum(isinstance(x, Dim) for x in out) > 1:
        return
    sizes = tuple(-1 if k == hole else x for k, x in enumerate(out))
    p.add(
        f"reshape(v{a}, {sizes})", Known(out, p.values[a].kind), lambda v: sf.reshape(v[a], sizes)
    )


def swap(p: RandomProgram) -> None:
    a = p.pick("fib", lambda k: len(k.shape) >= 2)
    if a < 0:
        return
    order = list(range(len(p.values[a].shape)))
    p.source.shuffle(order)
    shape = tuple(p.values[a].shape[k] for k in order)
    p.add(f"transpose(v{a}, {order})", Known(shape, p.values[a].kind),
          lambda v: v[a].transpose(*order))  # fmt: skip


def gather(p: RandomProgram) -> None:
    a = p.pick("f", lambda k: any(isinstance(s, int) for s in k.shape))
    if a < 0:
        return
    shape = p.values[a].shape
    axis = p.source.choice([k for k, s in enumerate(shape) if isinstance(s, int)])
    limit = int(shape[axis])
    b = p.pick("i")
    if b >= 0 and p.source.random() < 0.5:
        rows = p.values[b].shape
        out = (*shape[:axis], *rows, *shape[axis + 1 :])
        if len(out) > 4 or _elements(out) > 60000 or sum(isinstance(s, Dim) for s in out) > 1:
            return

        def step(v: list[Any]) -> Any:
            bounded = sf.minimum(sf.maximum(v[b], 0), limit - 1)
            return sf.take(v[a], bounded, axis)

        p.add(f"take(v{a}, v{b}, {axis})", Known(out, "f"), step)
        return
    chosen = np.array([p.source.randrange(limit) for _ in range(p.source.randint(1, 4))])
    out = (*shape[:axis], len(chosen), *shape[axis + 1 :])
    p.add(f"take(v{a}, {chosen}, {axis})", Known(out, "f"), lambda v: sf.take(v[a], chosen, axis))


def choose(p: RandomProgram) -> None:
    a = p.pick()
    shape = p.values[a].shape
    b = p.pick("f", lambda k: k.shape == shape)
    c = p.pick("b", lambda k: k.shape == shape)
    if c < 0 or p.source.random() < 0.5:
        p.add(f"where(v{a} > 0.1371, v{b}, v{a})", Known(shape, "f"),
              lambda v: sf.where(v[a] > 0.1371, v[b], 0.3 * v[a]))  # fmt: skip
    else:
        p.add(f"where(v{c}, v{a}, v{b})", Known(shape, "f"), lambda v: sf.where(v[c], v[a], v[b]))


def convert(p: RandomProgram) -> None:
    a = p.pick("ib")
    if a >= 0:
        p.add(f"float v{a}", Known(p.values[a].shape, "f"), lambda v: 0.1 * v[a].astype(p.dtype))


def size(p: RandomProgram) -> None:
    a = p.pick("f", lambda k: len(k.shape) >= 1)
    if a >= 0:
        p.add(f"v{a} / size", p.values[a], lambda v: v[a] / v[a].shape[0])


def fresh(p: RandomProgram) -> None:
    shape = tuple(p.source.choice(WIDTHS) for _ in range(p.source.randrange(3)))
    c = p.constant(shape)
    p.add("constant", Known(shape, "f"), lambda v: c)


def integers(p: RandomProgram) -> None:
    a = p.pick("i")
    if a < 0:
        return
    b = p.pick("i", lambda k: k.shape == p.values[a].shape)
    name = p.source.choice(["add", "mul", "maximum", "abs"])
    functions: dict[str, Callable[[Any, Any], Any]] = {
        "add": lambda x, y: x + 2 * y,
        "mul": lambda x, y: x * y - 1,
        "maximum": sf.maximum,
        "abs": lambda x, y: sf.abs(x) + sf.sign(y),
    }
    function = functions[name]
    p.add(f"{name}(v{a}, v{b})", p.values[a], lambda v: function(v[a], v[b]))


def extremum_of_integers(p: RandomProgram) -> None:
    a = p.pick("i", lambda k: len(k.shape) >= 1)
    if a < 0:
        return
    rank = len(p.values[a].shape)
    axes = tuple(sorted(p.source.sample(range(rank), p.source.randint(1, rank))))
    name = p.source.choice(["max", "min", "sum"])
    _reduce(p, a, name, axes, p.source.random() < 0.3, "i")


def compare(p: RandomProgram) -> None:
    a = p.pick("fi")
    known = p.values[a]
    b = p.pick("b", lambda k: k.shape == known.shape)
    p.add(
        f"v{a} > 0.1371 & v{b}", Known(known.shape, "b"),
        lambda v: (v[a] > 0.1371) & ~v[b] if b >= 0 else (v[a] <= 0.1371),
    )  # fmt: skip


# --- arguments ------------------------------------------------------------------------------


def random_program(source: random.Random, smooth: bool = False, steps: int = 20) -> RandomProgram:
    """Return a program of one to four arguments."""
    dtype = source.choice([np.float64, np.float64, np.float64, np.float32])
    batch = source.choice([N, N, N, M])
    arguments = [Known((N, source.choice(WIDTHS)), "f")]
    for _ in range(source.randrange(4)):
        shape: Shape = source.choice([
            (batch,), (batch, source.choice(WIDTHS)), (batch, 2, source.choice(WIDTHS)),
            (source.choice(WIDTHS),), (source.choice(WIDTHS), source.choice(WIDTHS)), (),
        ])  # fmt: skip
        arguments.append(Known(shape, "f" if smooth else source.choice("fffib")))
    return RandomProgram(source, dtype, arguments, smooth).grow(source.randint(1, steps))


def random_arguments(program: RandomProgram, n: int, m: int, seed: int) -> list[np.ndarray]:
    """Return arguments for given batch sizes."""
    rng = np.random.default_rng(seed)
    result = []
    for known in program.arguments:
        shape = tuple(int(evaluate_dim(s, {"N": n, "M": m})) for s in known.shape)
        if known.kind == "f":
            result.append(rng.uniform(-1.2, 1.2, size=shape).astype(program.dtype))
        elif known.kind == "i":
            result.append(rng.integers(-3, 4, size=shape))
        else:
            result.append(rng.integers(0, 2, size=shape).astype(bool))
    return result

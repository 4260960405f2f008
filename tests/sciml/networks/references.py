"""The formulas of the networks, written plainly over mpmath numbers, and small instances.

A vector is a list of numbers, a matrix a NumPy array of doubles, taken as they are.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np

from sciml.networks import (
    DGM,
    MLP,
    AdaptiveMLP,
    AttentionNetwork,
    ChebyshevKAN,
    FourierFeatures,
    GatedMLP,
    HighwayNetwork,
    MultiScaleFourier,
    PirateNet,
    RadialBasis,
    RandomFeatures,
    ResidualNetwork,
    SeparableNetwork,
    Siren,
    SpectralFeatures,
    SplineKAN,
    Windows,
)

Vector = list[Any]

NETWORKS: dict[str, Any] = {
    "global slope": AdaptiveMLP(inputs=2, hidden=(4, 3), outputs=2, slopes="global"),
    "layer slopes": AdaptiveMLP(inputs=2, hidden=(4, 3), outputs=2, factor=2.0),
    "neuron slopes": AdaptiveMLP(inputs=2, hidden=(4, 3), outputs=2, slopes="neuron", factor=1.0),
    "attention": AttentionNetwork(inputs=2, tokens=2, width=4, heads=2, blocks=1, outputs=2),
    "fourier": FourierFeatures(inputs=2, features=3, scale=0.4, hidden=(4,), outputs=2),
    "trained fourier": FourierFeatures(
        inputs=2, features=3, scale=0.4, trainable=True, hidden=(4,), outputs=2, activation="swish"
    ),
    "gated": GatedMLP(inputs=2, width=4, layers=2, outputs=2),
    "factorised gated": GatedMLP(inputs=2, width=4, layers=1, outputs=2, weights="factorised"),
    "normalised mlp": MLP(inputs=2, hidden=(4,), outputs=2, weights="normalised"),
    "mlp": MLP(inputs=2, hidden=(4, 4), outputs=2, activation="softplus"),
    "chebyshev": ChebyshevKAN(inputs=2, hidden=(3,), degree=3, outputs=2),
    "line": ChebyshevKAN(inputs=2, hidden=(3,), degree=1, outputs=2),
    "spline": SplineKAN(inputs=2, hidden=(2,), cells=3, degree=5, outputs=2),
    "dgm": DGM(inputs=2, width=3, layers=2, outputs=2),
    "highway": HighwayNetwork(inputs=2, width=4, layers=2, outputs=2),
    "scales": MultiScaleFourier(2, 2, (0.2, 0.4), hidden=(3, 3), outputs=2),
    "scales in time": MultiScaleFourier(2, 2, (0.2, 0.4), (0.3, 0.1), hidden=(3,), outputs=2),
    "pirate": PirateNet(inputs=2, features=2, scale=0.3, blocks=2, outputs=2),
    "gaussian": RadialBasis(inputs=2, centres=4, outputs=2),
    "multiquadric": RadialBasis(inputs=2, centres=3, outputs=2, profile="multiquadric"),
    "inverse": RadialBasis(inputs=2, centres=3, outputs=2, profile="inverse_multiquadric"),
    "random sines": RandomFeatures(inputs=2, features=5, scale=(2.0, 3.0), outputs=2),
    "random tanh": RandomFeatures(2, 5, 2.0, activation="tanh", feature_seed=3, outputs=2),
    "separable": SeparableNetwork(inputs=2, rank=2, hidden=(3,), outputs=2),
    "windows": Windows(inputs=2, network=MLP(hidden=(2,)), divisions=(3, 1), outputs=2),
    "square of windows": Windows(2, GatedMLP(width=2, layers=1), overlap=0.8, outputs=2),
    "plain residual": ResidualNetwork(inputs=2, width=4, blocks=2, outputs=2, skip="plain"),
    "adaptive residual": ResidualNetwork(inputs=2, width=4, blocks=2, outputs=2, activation="gelu"),
    "polynomials": SpectralFeatures(inputs=2, degrees=(5, 4), total=True, outputs=2),
    "waves": SpectralFeatures(2, (2, 3), bases=("fourier", "chebyshev"), outputs=2),
    "siren": Siren(inputs=2, hidden=(4, 4), outputs=2, omega_0=3.0),
}  # fmt: skip

ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "tanh": mp.tanh,
    "swish": lambda x: x / (1 + mp.exp(-x)),
    "gelu": lambda x: x * (1 + mp.erf(x / mp.sqrt(2))) / 2,
    "softplus": lambda x: mp.log(1 + mp.exp(x)),
}


def parameters_of(network: Any, seed: int = 1) -> Any:
    """Initial parameters moved off their special values, zeros and ones."""
    rng = np.random.default_rng(seed)

    def moved(node: Any) -> Any:
        if isinstance(node, dict):
            return {k: moved(v) for k, v in node.items()}
        if isinstance(node, list):
            return [moved(v) for v in node]
        return np.asarray(node + 0.3 * rng.normal(size=node.shape))

    return moved(network.initialise(seed))


def times(h: Vector, W: Any) -> Vector:
    return [mp.fsum(x * mp.mpf(float(w)) for x, w in zip(h, column, strict=True)) for column in W.T]


def numbers(values: Any) -> Vector:
    return [mp.mpf(float(v)) for v in np.ravel(values)]


def affine(layer: Any, h: Vector) -> Vector:
    if "W" in layer:
        return plus(times(h, layer["W"]), numbers(layer["b"]))
    if "s" in layer:
        factors = [mp.exp(s) for s in numbers(layer["s"])]
    else:
        lengths = [mp.sqrt(mp.fsum(v**2 for v in numbers(column))) for column in layer["V"].T]
        factors = [g / length for g, length in zip(numbers(layer["g"]), lengths, strict=True)]
    return plus(by(factors, times(h, layer["V"])), numbers(layer["b"]))


def by(x: Vector, y: Vector) -> Vector:
    return [a * b for a, b in zip(x, y, strict=True)]


def plus(x: Vector, y: Vector) -> Vector:
    return [a + b for a, b in zip(x, y, strict=True)]


def normed(layer: Any, h: Vector, epsilon: float) -> Vector:
    mean = mp.fsum(h) / len(h)
    spread = mp.sqrt(mp.fsum((x - mean) ** 2 for x in h) / len(h) + mp.mpf(epsilon))
    rows = zip(h, layer["scale"], layer["shift"], strict=True)
    return [(x - mean) / spread * mp.mpf(float(a)) + mp.mpf(float(b)) for x, a, b in rows]


def attend(network: Any, block: Any, E: list[Vector]) -> list[Vector]:
    Q, K, V = ([times(e, block[name]) for e in E] for name in ("Q", "K", "V"))
    c = network.width // network.heads
    joined: list[Vector] = [[] for _ in E]
    for head in range(network.heads):
        part = slice(head * c, (head + 1) * c)
        for t, q in enumerate(Q):
            powers = [
                mp.exp(mp.fsum(a * b for a, b in zip(q[part], k[part], strict=True)) / mp.sqrt(c))
                for k in K
            ]
            joined[t] += [
                mp.fsum(p * v[part][i] for p, v in zip(powers, V, strict=True)) / mp.fsum(powers)
                for i in range(c)
            ]
    return [times(row, block["O"]) for row in joined]


def attention(network: Any, p: Any, z: Vector) -> Vector:
    act = ACTIVATIONS[network.activation]
    flat = [act(x) for x in affine(p["embedding"], z)]
    w, e = network.width, network.epsilon
    E = [flat[t * w : (t + 1) * w] for t in range(network.tokens)]
    for block in p["blocks"]:
        mixed = attend(network, block, [normed(block["before"], h, e) for h in E])
        E = [plus(h, m) for h, m in zip(E, mixed, strict=True)]
        E = [
            plus(h, affine(block["outer"], [
                act(x) for x in affine(block["inner"], normed(block["between"], h, e))
            ]))
            for h in E
        ]  # fmt: skip
    return affine(p["last"], [x for h in E for x in normed(p["after"], h, e)])


def fourier(network: Any, p: Any, z: Vector) -> Vector:
    h = waves(z, p["B"] if "B" in p else network.frequencies())
    for layer in p["layers"][:-1]:
        h = list(map(ACTIVATIONS[network.activation], affine(layer, h)))
    return affine(p["layers"][-1], h)


def waves(z: Vector, B: Any) -> Vector:
    phases = [2 * mp.pi * x for x in times(z, B)]
    return [*map(mp.cos, phases), *map(mp.sin, phases)]


def scales(network: Any, p: Any, z: Vector) -> Vector:
    heads = []
    count, timed = len(network.scales), bool(network.time_scales)
    for k, B in enumerate(network.frequencies()):
        part = z if not timed else z[:-1] if k < count else z[-1:]
        h = waves(part, B)
        for layer in p["layers"]:
            h = list(map(ACTIVATIONS[network.activation], affine(layer, h)))
        heads.append(h)
    if timed:
        heads = [by(a, b) for a in heads[:count] for b in heads[count:]]
    return affine(p["last"], [x for h in heads for x in h])


def pirate(network: Any, p: Any, z: Vector) -> Vector:
    act = ACTIVATIONS[network.activation]
    h = waves(z, network.frequencies())
    U, V = ([act(x) for x in affine(p[name], h)] for name in ("U", "V"))
    for block in p["blocks"]:
        q = h
        for name in ("first", "second"):
            f = [act(x) for x in affine(block[name], q)]
            q = [x * u + (1 - x) * v for x, u, v in zip(f, U, V, strict=True)]
        (a,) = numbers(block["a"])
        end = [act(x) for x in affine(block["third"], q)]
        h = [a * x + (1 - a) * y for x, y in zip(end, h, strict=True)]
    return affine(p["last"], h)


def chebyshev(network: Any, p: Any, z: Vector) -> Vector:
    """By T_p(t) = cos(p arccos(t))."""
    h = z
    for layer in p:
        angles = [mp.acos(mp.tanh(x)) for x in h]
        degrees = range(1, network.degree + 1)
        h = affine(layer, [mp.cos(k * a) for k in degrees for a in angles])
    return h


def spline(network: Any, p: Any, z: Vector) -> Vector:
    """By truncated powers, B(u) = sum_j (-1)^j C(k + 1, j) max(u - j, 0)^k / k!."""
    k, act = network.degree, ACTIVATIONS[network.activation]

    def splines(t: Any) -> Vector:
        ends = [(t + 1) * network.cells / 2 + k - q for q in range(network.cells + k)]
        powers = [
            [(-1) ** j * mp.binomial(k + 1, j) * (u - j) ** k for j in range(k + 2) if u > j]
            for u in ends
        ]
        return [mp.fsum(terms) / mp.factorial(k) for terms in powers]

    h = t = z
    for layer in p:
        h = affine(layer, [*map(act, h), *(value for x in t for value in splines(x))])
        t = [mp.tanh(x) for x in h]
    return h


def member(parameters: Any, k: int) -> Any:
    """The parameters of one network of a stack."""
    if isinstance(parameters, dict):
        return {name: member(value, k) for name, value in parameters.items()}
    if isinstance(parameters, list):
        return [member(value, k) for value in parameters]
    return parameters[k]


def separable(network: Any, p: Any, z: Vector) -> Vector:
    one = [mlp(network, member(p, k), [x]) for k, x in enumerate(z)]
    products = [mp.fprod(factors) for factors in zip(*one, strict=True)]
    rank = network.rank
    return [mp.fsum(products[j * rank : (j + 1) * rank]) for j in range(network.outputs)]


def windows(network: Any, p: Any, z: Vector) -> Vector:
    overlap, ends = mp.mpf(network.overlap), []
    for x, n in zip(z, network.counts, strict=True):
        steep = mp.log(99) * n / overlap
        step = [1 / (1 + mp.exp(-steep * (x + 1 - mp.mpf(2 * k) / n))) for k in range(1, n)]
        ends.append([mp.mpf(1), *step, mp.mpf(0)])
    total = [mp.mpf(0)] * network.outputs
    for k, cell in enumerate(itertools.product(*map(range, network.counts))):
        window = mp.fprod(e[c] - e[c + 1] for e, c in zip(ends, cell, strict=True))
        near = [
            (x + 1 - mp.mpf(2 * c + 1) / n) * n / (1 + overlap)
            for x, c, n in zip(z, cell, network.counts, strict=True)
        ]
        values = reference(network.local, member(p, k), near)
        total = [t + window * v for t, v in zip(total, values, strict=True)]
    return total


def random_features(network: Any, p: Any, z: Vector) -> Vector:
    W, b = network.drawn()
    act = mp.sin if network.activation == "sin" else mp.tanh
    return times([act(x) for x in plus(times(z, W), numbers(b))], p["C"])


def spectral(network: Any, p: Any, z: Vector) -> Vector:
    """By T_k(t) = cos(k arccos(t)), over all products in their order."""
    axes = []
    for x, (basis, n) in zip(z, network.axes, strict=True):
        if basis == "chebyshev":
            axes.append([(mp.mpf(k) / n, mp.cos(k * mp.acos(x))) for k in range(n + 1)])
        else:
            waves = [(k, f(k * mp.pi * x)) for k in range(1, n + 1) for f in (mp.cos, mp.sin)]
            axes.append([(mp.mpf(0), mp.mpf(1)), *((mp.mpf(k) / n, v) for k, v in waves)])
    products = [
        mp.fprod(value for _, value in factors)
        for factors in itertools.product(*axes)
        if not network.total or mp.fsum(share for share, _ in factors) <= 1
    ]
    return times(products, p["C"])


def highway(network: Any, p: Any, z: Vector) -> Vector:
    act = ACTIVATIONS[network.activation]
    h = [act(x) for x in affine(p["first"], z)]
    for layer in p["layers"]:
        gate = [1 / (1 + mp.exp(-x)) for x in affine(layer["gate"], h)]
        new = [act(x) for x in affine(layer["layer"], h)]
        h = [t * x + (1 - t) * y for t, x, y in zip(gate, new, h, strict=True)]
    return affine(p["last"], h)


def dgm(network: Any, p: Any, z: Vector) -> Vector:
    act = ACTIVATIONS[network.activation]
    start = S = [act(x) for x in affine(p["first"], z)]
    for layer in p["layers"]:
        Z, G, R = (
            [act(x) for x in affine(layer[name], [*z, *state])]
            for name, state in (("Z", S), ("G", start), ("R", S))
        )
        H = [act(x) for x in affine(layer["H"], [*z, *by(S, R)])]
        S = [(1 - g) * h + x * s for g, h, x, s in zip(G, H, Z, S, strict=True)]
    return affine(p["last"], S)


def radial(network: Any, p: Any, z: Vector) -> Vector:
    profile = {
        "gaussian": lambda q: mp.exp(-q),
        "multiquadric": lambda q: mp.sqrt(1 + q),
        "inverse_multiquadric": lambda q: 1 / mp.sqrt(1 + q),
    }[network.profile]
    h = []
    for centre, log_width in zip(p["centres"], numbers(p["log_widths"]), strict=True):
        square = mp.fsum((x - c) ** 2 for x, c in zip(z, numbers(centre), strict=True))
        h.append(profile(square / mp.exp(log_width) ** 2))
    return affine(p["last"], h)


def gated(network: Any, p: Any, z: Vector) -> Vector:
    act = ACTIVATIONS[network.activation]
    U, V, h = ([act(x) for x in affine(p[name], z)] for name in ("U", "V", "first"))
    for layer in p["gates"]:
        g = [act(x) for x in affine(layer, h)]
        h = [(1 - a) * u + a * v for a, u, v in zip(g, U, V, strict=True)]
    return affine(p["last"], h)


def mlp(network: Any, p: Any, z: Vector) -> Vector:
    h = z
    for layer in p[:-1]:
        h = list(map(ACTIVATIONS[network.activation], affine(layer, h)))
    return affine(p[-1], h)


def adaptive(network: Any, p: Any, z: Vector) -> Vector:
    h = z
    for k, layer in enumerate(p["layers"][:-1]):
        slopes = numbers(p["slopes"][0 if network.slopes == "global" else k])
        slopes = slopes if network.slopes == "neuron" else slopes * network.hidden[k]
        stretched = [mp.mpf(network.factor) * x for x in by(slopes, affine(layer, h))]
        h = list(map(ACTIVATIONS[network.activation], stretched))
    return affine(p["layers"][-1], h)


def residual(network: Any, p: Any, z: Vector) -> Vector:
    act = ACTIVATIONS[network.activation]
    h = [act(x) for x in affine(p["first"], z)]
    for block in p["blocks"]:
        f = [act(x) for x in affine(block["outer"], [act(y) for y in affine(block["inner"], h)])]
        a = mp.mpf(float(block.get("a", 0.0)))
        adaptive = [a * x + (1 - a) * y for x, y in zip(f, h, strict=True)]
        h = adaptive if network.skip == "adaptive" else plus(h, f)
    return affine(p["last"], h)


def siren(network: Any, p: Any, z: Vector) -> Vector:
    h = z
    for layer in p[:-1]:
        h = [mp.sin(mp.mpf(network.omega_0) * x) for x in affine(layer, h)]
    return affine(p[-1], h)


REFERENCES: dict[type, Callable[[Any, Any, Vector], Vector]] = {
    AdaptiveMLP: adaptive,
    AttentionNetwork: attention,
    ChebyshevKAN: chebyshev,
    DGM: dgm,
    FourierFeatures: fourier,
    GatedMLP: gated,
    HighwayNetwork: highway,
    MultiScaleFourier: scales,
    PirateNet: pirate,
    RadialBasis: radial,
    MLP: mlp,
    RandomFeatures: random_features,
    ResidualNetwork: residual,
    SeparableNetwork: separable,
    Siren: siren,
    SpectralFeatures: spectral,
    SplineKAN: spline,
    Windows: windows,
}


def reference(network: Any, p: Any, z: Vector) -> Vector:
    """The outputs of a network at one point of the box from -1 to 1."""
    return REFERENCES[type(network)](network, p, z)

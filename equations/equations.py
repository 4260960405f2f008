"""The table of equations by name, read by run files; a new equation is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .library.advection_diffusion import AdvectionDiffusion
from .library.allen_cahn import AllenCahn
from .library.burgers import Burgers
from .library.cahn_hilliard import CahnHilliard
from .library.complex_helmholtz import ComplexHelmholtz
from .library.diffusion import Diffusion
from .library.fisher_kpp import FisherKPP
from .library.fitzhugh_nagumo import FitzHughNagumo
from .library.gray_scott import GrayScott
from .library.helmholtz import Helmholtz
from .library.kirchhoff_plate import KirchhoffPlate
from .library.klein_gordon import KleinGordon
from .library.korteweg_de_vries import KortewegDeVries
from .library.kuramoto_sivashinsky import KuramotoSivashinsky
from .library.nonlinear_schroedinger import NonlinearSchroedinger
from .library.poisson import Poisson
from .library.sine_gordon import SineGordon
from .library.swift_hohenberg import SwiftHohenberg
from .library.telegraph import Telegraph
from .library.wave import Wave
from .pde import PDE

EQUATIONS: Mapping[str, type[PDE]] = MappingProxyType(
    {
        "AdvectionDiffusion": AdvectionDiffusion,
        "AllenCahn": AllenCahn,
        "Burgers": Burgers,
        "CahnHilliard": CahnHilliard,
        "ComplexHelmholtz": ComplexHelmholtz,
        "Diffusion": Diffusion,
        "FisherKPP": FisherKPP,
        "FitzHughNagumo": FitzHughNagumo,
        "GrayScott": GrayScott,
        "Helmholtz": Helmholtz,
        "KirchhoffPlate": KirchhoffPlate,
        "KleinGordon": KleinGordon,
        "KortewegDeVries": KortewegDeVries,
        "KuramotoSivashinsky": KuramotoSivashinsky,
        "NonlinearSchroedinger": NonlinearSchroedinger,
        "Poisson": Poisson,
        "SineGordon": SineGordon,
        "SwiftHohenberg": SwiftHohenberg,
        "Telegraph": Telegraph,
        "Wave": Wave,
    }
)

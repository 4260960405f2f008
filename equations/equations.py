"""The table of equations by name, read by run files; a new equation is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .library.advection_diffusion import AdvectionDiffusion
from .library.allen_cahn import AllenCahn
from .library.axisymmetric_navier_stokes import AxisymmetricNavierStokes
from .library.black_scholes import BlackScholes
from .library.boussinesq import Boussinesq
from .library.brinkman import Brinkman
from .library.burgers import Burgers
from .library.cahn_hilliard import CahnHilliard
from .library.complex_helmholtz import ComplexHelmholtz
from .library.darcy import Darcy
from .library.diffusion import Diffusion
from .library.eikonal import Eikonal
from .library.euler_bernoulli_beam import EulerBernoulliBeam
from .library.euler_gas import EulerGas
from .library.fisher_kpp import FisherKPP
from .library.fitzhugh_nagumo import FitzHughNagumo
from .library.fokker_planck import FokkerPlanck
from .library.foundation_plate import FoundationPlate
from .library.gray_scott import GrayScott
from .library.hamilton_jacobi_bellman import HamiltonJacobiBellman
from .library.helmholtz import Helmholtz
from .library.k_epsilon import KEpsilon
from .library.k_omega import KOmega
from .library.kirchhoff_plate import KirchhoffPlate
from .library.klein_gordon import KleinGordon
from .library.korteweg_de_vries import KortewegDeVries
from .library.kuramoto_sivashinsky import KuramotoSivashinsky
from .library.laplace import Laplace
from .library.laplace_beltrami import LaplaceBeltrami
from .library.linear_elasticity import LinearElasticity
from .library.lorenz import Lorenz
from .library.lotka_volterra import LotkaVolterra
from .library.maxwell import Maxwell
from .library.mindlin_plate import MindlinPlate
from .library.mixed_elasticity import MixedElasticity
from .library.mixing_length import MixingLength
from .library.navier_stokes import NavierStokes
from .library.neo_hookean import NeoHookean
from .library.nonlinear_schroedinger import NonlinearSchroedinger
from .library.orthotropic_plate import OrthotropicPlate
from .library.plate_buckling import PlateBuckling
from .library.plate_mode import PlateMode
from .library.plate_vibration import PlateVibration
from .library.poisson import Poisson
from .library.robertson import Robertson
from .library.shallow_water import ShallowWater
from .library.sine_gordon import SineGordon
from .library.spring_mass import SpringMass
from .library.stokes import Stokes
from .library.stream_function import StreamFunction
from .library.swift_hohenberg import SwiftHohenberg
from .library.telegraph import Telegraph
from .library.thermoelasticity import Thermoelasticity
from .library.timoshenko_beam import TimoshenkoBeam
from .library.transverse_electric import TransverseElectric
from .library.transverse_magnetic import TransverseMagnetic
from .library.von_karman_plate import VonKarmanPlate
from .library.vorticity_stream_function import VorticityStreamFunction
from .library.wave import Wave
from .pde import PDE

EQUATIONS: Mapping[str, type[PDE]] = MappingProxyType(
    {
        "AdvectionDiffusion": AdvectionDiffusion,
        "AllenCahn": AllenCahn,
        "AxisymmetricNavierStokes": AxisymmetricNavierStokes,
        "BlackScholes": BlackScholes,
        "Boussinesq": Boussinesq,
        "Brinkman": Brinkman,
        "Burgers": Burgers,
        "CahnHilliard": CahnHilliard,
        "ComplexHelmholtz": ComplexHelmholtz,
        "Darcy": Darcy,
        "Diffusion": Diffusion,
        "Eikonal": Eikonal,
        "EulerBernoulliBeam": EulerBernoulliBeam,
        "EulerGas": EulerGas,
        "FisherKPP": FisherKPP,
        "FitzHughNagumo": FitzHughNagumo,
        "FokkerPlanck": FokkerPlanck,
        "FoundationPlate": FoundationPlate,
        "GrayScott": GrayScott,
        "HamiltonJacobiBellman": HamiltonJacobiBellman,
        "Helmholtz": Helmholtz,
        "KEpsilon": KEpsilon,
        "KOmega": KOmega,
        "KirchhoffPlate": KirchhoffPlate,
        "KleinGordon": KleinGordon,
        "KortewegDeVries": KortewegDeVries,
        "KuramotoSivashinsky": KuramotoSivashinsky,
        "Laplace": Laplace,
        "LaplaceBeltrami": LaplaceBeltrami,
        "LinearElasticity": LinearElasticity,
        "Lorenz": Lorenz,
        "LotkaVolterra": LotkaVolterra,
        "Maxwell": Maxwell,
        "MindlinPlate": MindlinPlate,
        "MixedElasticity": MixedElasticity,
        "MixingLength": MixingLength,
        "NavierStokes": NavierStokes,
        "NeoHookean": NeoHookean,
        "NonlinearSchroedinger": NonlinearSchroedinger,
        "OrthotropicPlate": OrthotropicPlate,
        "PlateBuckling": PlateBuckling,
        "PlateMode": PlateMode,
        "PlateVibration": PlateVibration,
        "Poisson": Poisson,
        "Robertson": Robertson,
        "ShallowWater": ShallowWater,
        "SineGordon": SineGordon,
        "SpringMass": SpringMass,
        "Stokes": Stokes,
        "StreamFunction": StreamFunction,
        "SwiftHohenberg": SwiftHohenberg,
        "Telegraph": Telegraph,
        "Thermoelasticity": Thermoelasticity,
        "TimoshenkoBeam": TimoshenkoBeam,
        "TransverseElectric": TransverseElectric,
        "TransverseMagnetic": TransverseMagnetic,
        "VonKarmanPlate": VonKarmanPlate,
        "VorticityStreamFunction": VorticityStreamFunction,
        "Wave": Wave,
    }
)

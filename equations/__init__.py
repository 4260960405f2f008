"""The PDEs as symbolic residuals and their boundary conditions."""

if __name__ != "sciml.equations":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.equations', "
        "since a second copy would carry a second equation library"
    )

from .conditions.clamped import Clamped
from .conditions.condition import BoundaryCondition, Condition
from .conditions.conditions import CONDITIONS
from .conditions.data import Data, PointValue
from .conditions.dirichlet import Dirichlet
from .conditions.elastic_edge import ElasticEdge
from .conditions.forms import HardForm, PeriodicForm, SlopeForm, ValueForm
from .conditions.free import Free
from .conditions.free_corner import FreeCorner
from .conditions.guided import Guided
from .conditions.initial import Initial
from .conditions.integral import Integral
from .conditions.interface import Interface
from .conditions.neumann import Neumann
from .conditions.no_slip import NoSlip
from .conditions.operator import Operator
from .conditions.perfect_conductor import PerfectConductor
from .conditions.periodic import Periodic
from .conditions.radiation import OpenBoundary, Sommerfeld
from .conditions.robin import Robin
from .conditions.simply_supported import SimplySupported
from .conditions.symmetry import Symmetry
from .conditions.wall_function import WallFunction
from .curvilinear import COORDINATE_SYSTEMS, CoordinateSystem
from .custom import CustomPDE, custom_pde
from .declarations import coefficient
from .differential_operators import DifferentialOperator, differential_operator
from .equations import EQUATIONS
from .fractional import caputo, riesz
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
from .lowering import LoweredResidual, lower
from .nondimensional import nondimensionalise
from .operators import D, biharmonic, div, dot, grad, laplacian
from .parser import parse_expression
from .pde import PDE
from .tabulated import Tabulated
from .text import format_expression
from .trial import Ansatz, SoftResidual, ansatz
from .unit_check import check_units
from .unknown import Given, UnknownParameter
from .wall_law import friction_velocity

__all__ = [
    "CONDITIONS",
    "COORDINATE_SYSTEMS",
    "EQUATIONS",
    "PDE",
    "AdvectionDiffusion",
    "AllenCahn",
    "Ansatz",
    "AxisymmetricNavierStokes",
    "BlackScholes",
    "BoundaryCondition",
    "Boussinesq",
    "Brinkman",
    "Burgers",
    "CahnHilliard",
    "Clamped",
    "ComplexHelmholtz",
    "Condition",
    "CoordinateSystem",
    "CustomPDE",
    "D",
    "Darcy",
    "Data",
    "DifferentialOperator",
    "Diffusion",
    "Dirichlet",
    "Eikonal",
    "ElasticEdge",
    "EulerBernoulliBeam",
    "EulerGas",
    "FisherKPP",
    "FitzHughNagumo",
    "FokkerPlanck",
    "FoundationPlate",
    "Free",
    "FreeCorner",
    "Given",
    "GrayScott",
    "Guided",
    "HamiltonJacobiBellman",
    "HardForm",
    "Helmholtz",
    "Initial",
    "Integral",
    "Interface",
    "KEpsilon",
    "KOmega",
    "KirchhoffPlate",
    "KleinGordon",
    "KortewegDeVries",
    "KuramotoSivashinsky",
    "Laplace",
    "LaplaceBeltrami",
    "LinearElasticity",
    "Lorenz",
    "LotkaVolterra",
    "LoweredResidual",
    "Maxwell",
    "MindlinPlate",
    "MixedElasticity",
    "MixingLength",
    "NavierStokes",
    "NeoHookean",
    "Neumann",
    "NoSlip",
    "NonlinearSchroedinger",
    "OpenBoundary",
    "Operator",
    "OrthotropicPlate",
    "PerfectConductor",
    "Periodic",
    "PeriodicForm",
    "PlateBuckling",
    "PlateMode",
    "PlateVibration",
    "PointValue",
    "Poisson",
    "Robertson",
    "Robin",
    "ShallowWater",
    "SimplySupported",
    "SineGordon",
    "SlopeForm",
    "SoftResidual",
    "Sommerfeld",
    "SpringMass",
    "Stokes",
    "StreamFunction",
    "SwiftHohenberg",
    "Symmetry",
    "Tabulated",
    "Telegraph",
    "Thermoelasticity",
    "TimoshenkoBeam",
    "TransverseElectric",
    "TransverseMagnetic",
    "UnknownParameter",
    "ValueForm",
    "VonKarmanPlate",
    "VorticityStreamFunction",
    "WallFunction",
    "Wave",
    "ansatz",
    "biharmonic",
    "caputo",
    "check_units",
    "coefficient",
    "custom_pde",
    "differential_operator",
    "div",
    "dot",
    "format_expression",
    "friction_velocity",
    "grad",
    "laplacian",
    "lower",
    "nondimensionalise",
    "parse_expression",
    "riesz",
]  # fmt: skip

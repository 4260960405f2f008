from sciml.equations import EQUATIONS, PDE


def test_names_are_those_of_the_classes():
    assert all(issubclass(equation, PDE) for equation in EQUATIONS.values())
    assert all(name == equation.__name__ for name, equation in EQUATIONS.items())

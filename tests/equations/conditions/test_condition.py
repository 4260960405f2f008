from sciml.equations.conditions.condition import CONJUGATE, HardForm, Quantity


def test_conjugate_is_an_involution():
    assert all(CONJUGATE[CONJUGATE[q]] is q for q in CONJUGATE)
    assert Quantity.CORNER not in CONJUGATE


def test_words_of_the_ansatz():
    assert HardForm(1, 0.0, ("w",)).ansatz == "g + phi*N"
    assert HardForm(2, 0.0, ("w", "w_n")).ansatz == "g + phi**2*N"

from sciml.equations import PeriodicForm, SlopeForm, ValueForm


def test_words_of_the_ansatz():
    assert ValueForm(1, 0.0, ("w",)).ansatz == "g + phi*N"
    assert ValueForm(2, 0.0, ("w", "w_n")).ansatz == "g + phi**2*N"
    assert "grad(phi).grad(F)" in SlopeForm(0, 1, 0, ("u_n",)).ansatz
    assert PeriodicForm("x", 2, ("u_periodic_0",)).ansatz == "N(cos(2*pi*x/L), sin(2*pi*x/L))"

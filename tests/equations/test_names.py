from sciml.equations.names import near


def test_the_nearest_name_or_all_of_them():
    assert near("tmie", ["time", "x"]) == "; did you mean 'time'?"
    assert near("q", ["time", "x"]) == "; declared are time, x"

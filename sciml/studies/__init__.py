"""What is done with problems beyond one solution: uncertainties, eigenproblems, design."""

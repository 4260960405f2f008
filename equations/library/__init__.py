"""The equations, one file each; the table is `sciml.equations.EQUATIONS`."""

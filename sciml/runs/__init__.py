"""YAML runs: configuration, run folders, records and figures."""

"""Words that other programs use for keys of a run file, and what they are here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Of DeepXDE, PhysicsNeMo Sym (Modulus) and PaddleScience; docs/migration.md has them in tables.
ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {
        "activation_fn": "'activation'",
        "batch_size": "'points.interior', since every step takes all points",
        "bcs": "'conditions'",
        "budget_s": "'max_minutes'",
        "constraint": "'conditions'",
        "constraints": "'conditions'",
        "defaults": "'include'",
        "epochs": "'steps' of a stage in 'solver.schedule'",
        "eval_during_train": "'outputs.record_every'",
        "geom": "'geometry'",
        "ic": "a condition of type Initial in 'conditions'",
        "ics": "conditions of type Initial in 'conditions'",
        "iterations": "'steps' of a stage in 'solver.schedule'",
        "layer_size": "'network.hidden', a list with the width of each hidden layer",
        "layer_sizes": "'network.hidden', without the sizes of input and output",
        "learning_rate": "'rate' of a stage in 'solver.schedule'",
        "loss_aggregator": "'solver.weights' with the type of a balancer, such as GradNorm",
        "loss_weights": "'solver.weights', factors by name, or a balancer",
        "lr": "'rate' of a stage in 'solver.schedule'",
        "max_steps": "'steps' of a stage in 'solver.schedule'",
        "model": "'network'",
        "num_boundary": "'points.boundary'",
        "num_domain": "'points.interior'",
        "num_epochs": "'steps' of a stage in 'solver.schedule'",
        "optimizer": "a stage in 'solver.schedule', such as {type: Adam, steps: 1000}",
        "output_dir": "the option --output of sciml run",
        "rec_results_freq": "'outputs.record_every'",
        "save_freq": "'outputs.checkpoint_every'",
        "save_network_freq": "'outputs.checkpoint_every'",
        "scheduler": "'rate' of a stage, such as {type: CosineRate, start: 1e-3}",
        "tolerance": "for 'solver' of type auto, as in solver: {type: auto, tolerance: 1e-8}",
        "train_distribution": "'points.sampler'",
        "validator": "'validation'",
        "validators": "'validation'",
    }
)

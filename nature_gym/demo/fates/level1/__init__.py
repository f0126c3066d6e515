"""Papers from which no machine-learning task can be extracted: one at least for each code of rule 1.1.

These do not share the shape of a paper on a new method, nor with one another, so each is written out.
"""

from __future__ import annotations

from collections.abc import Callable

from nature_gym.demo.fates.composing import Assignment
from nature_gym.demo.fates.level1.cohorts import observational_study, validation_tool_usage
from nature_gym.demo.fates.level1.devices import hardware_dependent, non_computational
from nature_gym.demo.fates.level1.inputs import attribution_explainability, non_ml_factor_comparison
from nature_gym.demo.fates.level1.theory import other_out_of_scope, theory_behind_a_paywall
from nature_gym.demo.fates.level1.training import general_methodology, intermediate_data_evaluation
from nature_gym.demo.model import Entry

FATES: tuple[Callable[[Assignment], Entry], ...] = (
    validation_tool_usage,
    non_computational,
    theory_behind_a_paywall,
    non_ml_factor_comparison,
    intermediate_data_evaluation,
    attribution_explainability,
    general_methodology,
    hardware_dependent,
    other_out_of_scope,
    observational_study,
)

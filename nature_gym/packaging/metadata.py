"""The form of ``metadata.json``: what is not named here is let pass, so that packages of others and later ones load."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nature_gym.metrics.entry import Direction
from nature_gym.packaging.vocabulary import PrimaryDomain, Tooling


class _Form(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class PrintedScore(_Form):
    """A score as printed, and whose it is."""

    value: str | float | int
    method: str = ""


class MetricEntry(_Form):
    """One metric of one data set."""

    name: Annotated[str, Field(min_length=1)]
    is_primary: bool
    metric_direction: Direction
    source_description: str | None = None
    unit: str | None = None
    sota_score: list[PrintedScore]
    baseline_score: PrintedScore | None = None


class PerformanceEntry(_Form):
    """The metrics of one instance."""

    dataset_name: Annotated[str, Field(min_length=1)]
    metrics: Annotated[list[MetricEntry], Field(min_length=1)]


class CpuCompute(_Form):
    """What of processors a solution takes."""

    severity: Literal["low", "medium", "high"]
    quantity_text: str = ""


class ComputeRequirements(_Form):
    """What a solution takes."""

    cpu_compute: CpuCompute
    gpu_compute: Literal["none", "low", "medium", "high"]
    runtime: Literal["short", "moderate", "long"]


class DomainMetadata(_Form):
    """Where the task belongs."""

    primary_domain: PrimaryDomain
    sub_domain: str
    domain_tags: Annotated[list[str], Field(min_length=3, max_length=5)]


class Metadata(_Form):
    """``metadata.json``."""

    task_name: Annotated[str, Field(min_length=1)]
    workflow_topology: Literal["strict_single_step", "serial_pipeline", "multi_task_parallel", "pretrain_finetune"]
    methodology_paradigm: Literal["domain_specific_tooling", "general_ml_application", "other"]
    tooling_metadata: Tooling | None = None
    domain_metadata: DomainMetadata
    compute_resource_requirements: ComputeRequirements
    performance_entries: Annotated[list[PerformanceEntry], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> Metadata:
        names = [entry.dataset_name for entry in self.performance_entries]
        if len(set(names)) != len(names):
            raise ValueError("a dataset_name stands twice in performance_entries")
        return self

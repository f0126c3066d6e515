"""Files of a package as its task.yaml and its data would have them, where it has both.

The idea: rendering is pure, and needs the task and what is measured of the data, no source: so a package that was built
here can be rendered where it lies, its data untouched. A package whose task.yaml is none, or has open questions, or
whose data cannot be measured as the task wants them, gives nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import yaml
from pydantic import ValidationError

from checks.package import DATA, DESCRIPTION, DOCKERFILE, EVALUATOR, METADATA, PACKAGES, README, TRUTH, CheckedPackage
from nature_gym.errors import NatureGymError
from nature_gym.files import to_json
from nature_gym.packaging import render, surroundings
from nature_gym.packaging.build import measure_data
from nature_gym.packaging.evaluator import InstanceData, contracts_of, evaluator_source
from nature_gym.packaging.measure import Measured
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.packaging.task_file import read_task

TASK = "task.yaml"
RENDERED = frozenset({README, DESCRIPTION, EVALUATOR, METADATA, DOCKERFILE, PACKAGES})


def rendered(package: CheckedPackage, files: set[str]) -> dict[str, bytes]:
    """Those of ``files`` that can be rendered, as they would be."""
    wanted = sorted(files & RENDERED)
    if not wanted or package.missing(TASK):
        return {}
    try:
        task = read_task(package.path / TASK)
        if task.questions or set(package.instances(DATA)) != {one.name for one in task.instances}:
            return {}
        data = _measured(package, task)
        found = {}
        for file in wanted:
            content = _content(package, task, data, file)
            if content is not None:
                found[file] = content
    except (NatureGymError, ValidationError, yaml.YAMLError, KeyError, ValueError, OSError):
        return {}  # the task and the data are not of one piece: nothing to render from
    return found


def _measured(package: CheckedPackage, task: TaskSpecification) -> dict[str, InstanceData]:
    """What is measured of the data, without files that ``package`` is thought to be without."""

    def there(side: str, name: str, files: Mapping[str, Measured]) -> dict[str, Measured]:
        return {file: one for file, one in files.items() if f"{side}/{name}/{file}" in package.files}

    return {
        name: InstanceData(there(DATA, name, data.visible), there(TRUTH, name, data.hidden))
        for name, data in measure_data(task, package.path, {}, None).items()
    }


def _content(
    package: CheckedPackage, task: TaskSpecification, data: dict[str, InstanceData], file: str
) -> bytes | None:
    if file == EVALUATOR:
        # A metric of the task's own stands in its sources, which a package does not have.
        if task.metrics_file is not None:
            return None
        return evaluator_source(task, contracts_of(task, data), None).encode()
    if file in (DOCKERFILE, PACKAGES):
        scripts = {name: package.text(name).content for name in package.below(DATA) if name.endswith(".py")}
        scripts[EVALUATOR] = package.text(EVALUATOR).content
        surrounding = surroundings.environment(task, scripts)
        return surrounding.dockerfile.encode() if file == DOCKERFILE else to_json(surrounding.packages)
    makers: dict[str, Callable[[], bytes]] = {
        README: lambda: render.readme(task, data).encode(),
        DESCRIPTION: lambda: render.data_description(task, data).encode(),
        METADATA: lambda: to_json(render.metadata(task)),
    }
    return makers[file]()

"""What ``naturegym ui`` serves, ``prefect.yaml`` deploys and ``compose.yaml`` starts is one and the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from flows.deployments import OFFERS, TIMEZONE, Offer, flow_of
from flows.environment import CONSTANT

CHECKOUT = Path(__file__).resolve().parents[3]
NAMES = [pytest.param(offer, id=offer.name) for offer in OFFERS]


def deployed() -> dict[str, dict[str, Any]]:
    file = yaml.safe_load((CHECKOUT / "prefect.yaml").read_text())
    return {one["name"]: one for one in file["deployments"]}


def test_the_file_deploys_what_is_served_and_nothing_else() -> None:
    assert list(deployed()) == [offer.name for offer in OFFERS]


@pytest.mark.parametrize("offer", NAMES)
def test_a_deployment_of_the_file_is_the_one_that_is_served(offer: Offer) -> None:
    one = deployed()[offer.name]
    path, _, name = one["entrypoint"].partition(":")
    assert (path.removesuffix(".py").replace("/", "."), name) == tuple(offer.entrypoint.split(":"))
    assert (CHECKOUT / path).is_file()
    assert one["description"] == offer.description
    assert one["tags"] == list(offer.tags)
    assert one.get("parameters", {}) == dict(offer.parameters)
    schedules = [{"cron": offer.cron, "timezone": TIMEZONE}] if offer.cron else []
    assert one["schedules"] == schedules
    assert one["concurrency_limit"] == {"limit": offer.limit, "collision_strategy": offer.collision}
    assert one["work_pool"] == {"name": "naturegym"}


@pytest.mark.parametrize("offer", NAMES)
def test_a_form_has_a_type_and_a_sentence_for_each_parameter(offer: Offer) -> None:
    form = flow_of(offer).parameters.model_dump()["properties"]
    assert form
    for name, field in form.items():
        assert field.get("description"), name
        assert {"type", "anyOf", "enum", "$ref", "allOf"} & field.keys(), name
    assert set(offer.parameters) <= set(form)


@pytest.mark.parametrize("offer", NAMES)
def test_a_flow_has_the_name_of_its_deployment_and_no_retries_that_repeat_whatever_failed(offer: Offer) -> None:
    found = flow_of(offer)
    assert found.name == offer.name
    assert found.retries == 0
    assert found.description


def test_what_the_corpus_needs_is_scheduled_and_what_costs_money_is_not() -> None:
    assert {offer.name for offer in OFFERS if offer.cron} == {"corpus-refresh", "check-corpus"}


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((CHECKOUT / "compose.yaml").read_text())
    return found


def test_services_depend_on_services_and_mount_volumes_that_there_are() -> None:
    file = services()
    for name, service in file["services"].items():
        assert set(service.get("depends_on", {})) <= set(file["services"]), name
        for mount in service.get("volumes", []):
            assert mount.partition(":")[0] in file["volumes"], name
        for other, wish in service.get("depends_on", {}).items():
            assert wish["condition"] != "service_healthy" or "healthcheck" in file["services"][other], name


def test_the_server_has_the_recorders_settings_of_the_local_one_and_outlives_bursts() -> None:
    server = services()["services"]["server"]["environment"]
    recorder = {name: value for name, value in CONSTANT.items() if "TASK_RUN_RECORDER" in name or "PERSISTER" in name}
    assert {name: server.get(name) for name in recorder} == recorder
    assert server["PREFECT_MESSAGING_BROKER"] == "prefect_redis.messaging"
    assert server["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"


def test_no_password_is_in_the_file_and_nothing_listens_to_the_world() -> None:
    file = services()
    assert not re.findall(r"POSTGRES_PASSWORD: (?!\$\{)", (CHECKOUT / "compose.yaml").read_text())
    ports = [port for service in file["services"].values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_files_that_the_image_is_built_of_are_there() -> None:
    text = services()["services"]["worker"]["build"]["dockerfile_inline"]
    named = re.findall(r"requirements/\S+", text)
    assert named
    assert all((CHECKOUT / name).is_file() for name in named)

from __future__ import annotations

import orjson
import pytest
import requests

from nature_gym.harvest.openalex import _objects_only


def answer(body: bytes, status: int = 200) -> requests.Response:
    made = requests.Response()
    made.status_code = status
    made._content = body
    return made


@pytest.mark.parametrize("strange", [None, 7, "x", [1], True])
def test_a_result_that_is_no_object_costs_itself_alone(strange: object) -> None:
    response = answer(orjson.dumps({"meta": {"count": 3}, "results": [{"id": "W1"}, strange, {"id": "W2"}]}))
    _objects_only(response)
    assert response.json()["results"] == [{"id": "W1"}, {}, {"id": "W2"}]


@pytest.mark.parametrize("body", [b"", b"{", b'[{"results"', b'{"results": null}', b'{"results": [{}]}', b'"results"'])
def test_every_other_answer_stays_as_it_is(body: bytes) -> None:
    response = answer(body)
    _objects_only(response)
    assert response.content == body

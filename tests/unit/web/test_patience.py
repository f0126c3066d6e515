import pytest

from nature_gym.web.patience import asked_to_wait

NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, {"Retry-After": "5"}, 5),
        (503, {"Retry-After": "36000"}, 36_000),
        (429, {"Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT"}, 60),
        (429, {"Retry-After": "Fri, 15 Jan 2021 08:01:00 GMT"}, 0),
        (429, {"Retry-After": "soon"}, 0),
        (429, {}, 0),
        (429, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600"}, 3600),
        (429, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000090"}, 90),
        (429, {"X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "3600"}, 0),
        (200, {"Retry-After": "5"}, 0),
    ],
)
def test_what_an_answer_asks_to_wait_is_understood_in_every_form(
    status: int, headers: dict[str, str], seconds: float
) -> None:
    assert asked_to_wait(status, headers, NOW) == seconds

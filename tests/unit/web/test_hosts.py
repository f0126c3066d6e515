import itertools
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nature_gym.web.hosts import ComeBackLaterError, Hosts
from tests.faults import killed_after


class Time:
    """A clock that moves only when somebody sleeps, or when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def hosts(folder: Path, time: Time, per_second: float = 1.0, max_wait: float = 100.0) -> Hosts:
    return Hosts(folder, per_second, max_wait, clock=time.clock, sleep=time.sleep)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(per_second=st.floats(0.1, 50), pauses=st.lists(st.floats(0, 3), min_size=2, max_size=20))
def test_requests_never_start_closer_than_agreed_whoever_makes_them(
    tmp_path: Path, per_second: float, pauses: list[float]
) -> None:
    time = Time()
    starts = []
    (tmp_path / "a.org").unlink(missing_ok=True)
    for pause in pauses:
        time.now += pause
        with hosts(tmp_path, time, per_second).turn("a.org"):
            starts.append(time.now)
            time.now += 0.01
    assert all(later - earlier >= 1 / per_second - 1e-6 for earlier, later in itertools.pairwise(starts))


def test_a_host_that_was_left_alone_is_asked_at_once_and_others_do_not_wait_for_it(tmp_path: Path) -> None:
    time = Time()
    for host, expected in (("a.org", 1000), ("b.org", 1000), ("a.org", 1001)):
        with hosts(tmp_path, time).turn(host):
            assert time.now == expected
    time.now += 10
    with hosts(tmp_path, time).turn("a.org"):
        assert time.now == 1011


def test_a_host_may_ask_for_more_room_than_we_leave(tmp_path: Path) -> None:
    time = Time()
    for expected in (1000, 1007):
        with hosts(tmp_path, time).turn("a.org", gap=7):
            assert time.now == expected


def test_a_short_rest_is_waited_for_and_a_long_one_is_not(tmp_path: Path) -> None:
    time = Time()
    with hosts(tmp_path, time).turn("a.org") as turn:
        turn.rest(5)
    with hosts(tmp_path, time).turn("a.org") as turn:
        assert time.now == 1005
        turn.rest(101)
    with pytest.raises(ComeBackLaterError, match=r"a\.org"), hosts(tmp_path, time).turn("a.org"):
        pass
    assert time.now == 1005
    time.now += 101
    with hosts(tmp_path, time).turn("a.org"):
        assert time.now == 1106


def test_a_clock_that_was_set_back_closes_no_host(tmp_path: Path) -> None:
    time = Time()
    with hosts(tmp_path, time).turn("a.org"):
        pass
    time.now -= 500
    with hosts(tmp_path, time).turn("a.org"):
        assert time.now == 500


def test_only_one_thread_is_at_a_host_at_a_time_and_several_at_several_hosts(tmp_path: Path) -> None:
    inside: dict[str, int] = {"a.org": 0, "b.org": 0}
    most = dict(inside)
    both = threading.Barrier(2, timeout=20)

    def ask(host: str, *, meet: bool) -> None:
        with Hosts(tmp_path, 10_000, 10).turn(host):
            inside[host] += 1
            most[host] = max(most[host], inside[host])
            if meet:
                both.wait()
            inside[host] -= 1

    threads = [threading.Thread(target=ask, args=(host,), kwargs={"meet": True}) for host in inside]
    threads += [threading.Thread(target=ask, args=("a.org",), kwargs={"meet": False}) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == {"a.org": 1, "b.org": 1}


def test_whoever_dies_in_a_turn_gives_it_up(tmp_path: Path) -> None:
    time = Time()
    own = hosts(tmp_path, time)

    def take() -> None:
        with own.turn("a.org"):
            pass

    for instructions in range(1, 120, 7):
        killed_after(instructions, take)
        take()

import itertools
import threading

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.web.pacing import Pace, Paces


class Time:
    """A clock that moves only when somebody sleeps, or when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@given(per_second=st.floats(0.1, 50), pauses=st.lists(st.floats(0, 3), min_size=2, max_size=20))
def test_requests_never_start_closer_than_agreed(per_second: float, pauses: list[float]) -> None:
    time = Time()
    pace = Pace(per_second, clock=time.clock, sleep=time.sleep)
    starts = []
    for pause in pauses:
        time.now += pause
        pace.wait()
        starts.append(time.now)
    assert all(later - earlier >= 1 / per_second - 1e-6 for earlier, later in itertools.pairwise(starts))


def test_a_host_that_was_left_alone_is_asked_at_once() -> None:
    time = Time()
    pace = Pace(1, clock=time.clock, sleep=time.sleep)
    pace.wait()
    time.now += 10
    pace.wait()
    assert time.now == 110


def test_threads_share_one_pace_for_a_host_and_hosts_do_not() -> None:
    slept: list[float] = []
    paces = Paces(lambda: Pace(1, clock=lambda: 0.0, sleep=slept.append))
    threads = [threading.Thread(target=lambda: paces.of("a.org").wait()) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    paces.of("b.org").wait()
    assert sorted(slept) == [1.0, 2.0, 3.0]

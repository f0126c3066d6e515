from hypothesis import given
from hypothesis import strategies as st

from nature_gym.sandbox.output import Ends


@given(st.lists(st.binary(max_size=40)), st.integers(0, 50))
def test_the_two_ends_are_kept_and_all_is_counted(pieces: list[bytes], limit: int) -> None:
    kept = Ends(limit)
    for piece in pieces:
        kept.add(piece)
    whole = b"".join(pieces)
    output = kept.output()
    assert output.total == len(whole)
    if len(whole) <= limit:
        assert output.kept == whole
    else:
        first, last = (limit + 1) // 2, limit // 2
        assert output.kept == whole[:first] + (whole[-last:] if last else b"")


def test_memory_is_bounded_however_much_comes() -> None:
    kept = Ends(1000)
    for _ in range(1000):
        kept.add(bytes(5000))
    assert len(kept._first) + len(kept._last) <= 2000

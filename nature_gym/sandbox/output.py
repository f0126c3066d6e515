"""What is kept of a stream that may never end: its first half and its last half, in bounded memory."""

from __future__ import annotations

from nature_gym.sandbox.interface import Output


class Ends:
    """Takes a stream piece by piece and holds ``limit`` bytes of its two ends, and as much again while reading.

    The two halves stand side by side in :class:`~nature_gym.sandbox.interface.Output`; whether something
    lies between them is told by ``total``.
    """

    def __init__(self, limit: int) -> None:
        self._first_size = (limit + 1) // 2
        self._last_size = limit // 2
        self._first = bytearray()
        self._last = bytearray()
        self._total = 0

    def add(self, piece: bytes) -> None:
        """The next piece of the stream."""
        self._total += len(piece)
        room = self._first_size - len(self._first)
        if room:
            self._first += piece[:room]
            piece = piece[room:]
        self._last += piece
        if len(self._last) > 2 * self._last_size:
            del self._last[: len(self._last) - self._last_size]

    def output(self) -> Output:
        """What was kept so far."""
        last = bytes(self._last[max(0, len(self._last) - self._last_size) :])
        return Output(kept=bytes(self._first) + last, total=self._total)

"""The filter, run by a small machine that follows the kernel's rules for such programs."""

import struct

import pytest

from nature_gym.sandbox import seccomp

X86, ARM, X86_32 = 0xC000003E, 0xC00000B7, 0x40000003
EPERM, ENOSYS, EAFNOSUPPORT = (seccomp.ERRNO | number for number in (1, 38, 97))


def verdict(machine: str, architecture: int, number: int, *arguments: int) -> int:
    program = seccomp.program(machine)
    assert program is not None
    data = struct.pack("=IIQ6Q", number, architecture, 0, *(*arguments, *(0,) * (6 - len(arguments))))
    lines = [struct.unpack_from("=HBBI", program, place) for place in range(0, len(program), 8)]
    value, at = 0, 0
    while True:
        code, jump, skip, operand = lines[at]
        at += 1
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif code == 0x06:
            return int(operand)
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
            at += jump if holds else skip


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_what_is_refused_is_refused_and_the_rest_goes_through(machine: str, column: int) -> None:
    architecture = (X86, ARM)[column]
    refused = {numbers[column] for numbers in seccomp._REFUSED.values()}
    looked_at = {numbers[column] for numbers in seccomp._OTHERS.values()}
    for number in range(480):
        if number in refused:
            assert verdict(machine, architecture, number) == EPERM, number
        elif number not in looked_at:
            assert verdict(machine, architecture, number) == seccomp.ALLOW, number


@pytest.mark.parametrize("flag", [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
def test_namespaces_are_refused_and_threads_are_not(flag: int) -> None:
    threads = 0x3D0F00
    assert verdict("x86_64", X86, 56, threads) == verdict("x86_64", X86, 56, 17) == seccomp.ALLOW
    assert verdict("x86_64", X86, 56, flag | 17) == EPERM
    assert verdict("x86_64", X86, 272, flag) == EPERM
    assert verdict("x86_64", X86, 272, 0x400) == seccomp.ALLOW
    assert verdict("x86_64", X86, 435, 0) == ENOSYS


@pytest.mark.parametrize("family", range(50))
def test_sockets_are_those_that_a_network_namespace_holds(family: int) -> None:
    expected = seccomp.ALLOW if family in (1, 2, 10, 16) else EAFNOSUPPORT
    assert verdict("x86_64", X86, 41, family) == verdict("aarch64", ARM, 198, family) == expected


def test_nothing_is_put_into_a_terminal() -> None:
    assert verdict("x86_64", X86, 16, 0, 0x5412) == verdict("x86_64", X86, 16, 0, 0x541C) == EPERM
    assert verdict("x86_64", X86, 16, 0, 0x5401) == seccomp.ALLOW


def test_another_numbering_of_calls_ends_the_process() -> None:
    assert verdict("x86_64", X86_32, 1) == verdict("aarch64", X86, 1) == seccomp.KILL
    assert verdict("x86_64", X86, 0x40000000 | 101) == ENOSYS


def test_a_machine_whose_numbers_are_not_known_has_no_filter() -> None:
    assert seccomp.program("riscv64") is None

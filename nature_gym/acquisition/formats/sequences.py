"""Sequences and molecules: how many there are, by the marks that begin or end each, read once from front to back."""

from __future__ import annotations

from collections.abc import Iterator

from nature_gym.acquisition.formats.source import MOST_READ, Source, Structure, UnreadableError, count_lines, names

_LONGEST_LINE = 1 << 24


def lines_of(source: Source) -> Iterator[bytes]:
    """Lines without their ends; one that has none for 16 MB is given in pieces."""
    rest = b""
    for block in source.blocks():
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            yield line.rstrip(b"\r")
        if len(rest) > _LONGEST_LINE:
            yield rest
            rest = b""
    if rest:
        yield rest.rstrip(b"\r")


def _is_whole(source: Source) -> bool:
    return source.packing is not None or source.size < MOST_READ


def fasta(source: Source) -> Structure:
    """Sequences, letters in all, the shortest and the longest."""
    count = letters = length = 0
    shortest, longest = 0, 0
    first: list[str] = []
    for line in lines_of(source):
        if line.startswith(b">"):
            if count:
                shortest, longest = min(shortest or length, length), max(longest, length)
            count += 1
            length = 0
            if len(first) < 3:
                first.append(line[1:100].decode("utf-8", "replace"))
        elif count:
            length += len(line.strip())
            letters += len(line.strip())
        elif line.strip() and not line.startswith(b";"):
            raise UnreadableError("it does not begin with a sequence's name")
    if not count:
        raise UnreadableError("there is no sequence in it")
    shortest, longest = min(shortest or length, length), max(longest, length)
    return {"sequences": count, "letters": letters, "shortest": shortest, "longest": longest, "first": names(first),
            "exact": _is_whole(source)}  # fmt: skip


def fastq(source: Source) -> Structure:
    """Reads: four lines each, as sequencers write them."""
    if not source.head.startswith(b"@"):
        raise UnreadableError("it does not begin with a read's name")
    lines, exact = count_lines(source)
    if exact and lines % 4:
        raise UnreadableError(f"{lines:,} lines are no whole number of reads")
    return {"reads": lines // 4, "exact": exact}


def pdb(source: Source) -> Structure:
    """Atoms, models and chains."""
    atoms = hetero = models = 0
    chains: dict[str, None] = {}
    for line in lines_of(source):
        if line.startswith(b"ATOM  "):
            atoms += 1
            if len(chains) < 100:
                chains[line[21:22].decode("latin-1")] = None
        elif line.startswith(b"HETATM"):
            hetero += 1
        elif line.startswith(b"MODEL "):
            models += 1
    if not atoms + hetero:
        raise UnreadableError("there is no atom in it")
    return {"atoms": atoms, "hetero_atoms": hetero, "models": max(1, models), "chains": names(chains),
            "exact": _is_whole(source)}  # fmt: skip


def cif(source: Source) -> Structure:
    """Blocks by name, and atoms."""
    blocks: list[str] = []
    count = atoms = 0
    for line in lines_of(source):
        if line[:5].lower() == b"data_":
            count += 1
            if len(blocks) < 20:
                blocks.append(line[5:].decode("utf-8", "replace").strip())
        elif line.startswith((b"ATOM ", b"HETATM ")):
            atoms += 1
    if not count:
        raise UnreadableError("there is no block in it")
    return {"blocks": count, "names": names(blocks), "atoms": atoms, "exact": _is_whole(source)}


def sdf(source: Source) -> Structure:
    """Molecules, and the names of their properties."""
    properties: dict[str, None] = {}
    count, rest = 0, False
    for line in lines_of(source):
        if line.startswith(b"$$$$"):
            count, rest = count + 1, False
            continue
        rest |= bool(line.strip())
        if line.startswith(b">") and len(properties) < 100 and b"<" in line and line.count(b">") > 1:
            properties[line.partition(b"<")[2].rpartition(b">")[0].decode("utf-8", "replace")] = None
    if not count + rest:
        raise UnreadableError("there is no molecule in it")
    return {"molecules": count + rest, "properties": names(properties), "exact": _is_whole(source)}


def mol2(source: Source) -> Structure:
    """Molecules."""
    count = sum(line.startswith(b"@<TRIPOS>MOLECULE") for line in lines_of(source))
    if not count:
        raise UnreadableError("there is no molecule in it")
    return {"molecules": count, "exact": _is_whole(source)}


def smi(source: Source) -> Structure:
    """Molecules: a line each, comments apart."""
    count = sum(bool(line.strip()) and not line.startswith(b"# ") for line in lines_of(source))
    return {"molecules": count, "exact": _is_whole(source)}


def xyz(source: Source) -> Structure:
    """Structures and atoms: a count, a comment, and a line an atom."""
    structures = atoms = left = 0
    for line in lines_of(source):
        if left:
            left -= 1
            continue
        if not line.strip():
            continue
        if not line.strip().isdigit():
            raise UnreadableError("a structure does not begin with its number of atoms")
        structures += 1
        atoms += int(line)
        left = int(line) + 1
    if left or not structures:
        raise UnreadableError("the last structure ends early")
    return {"structures": structures, "atoms": atoms, "exact": _is_whole(source)}

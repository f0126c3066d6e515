"""Images, scans and volumes: their size and kind, by headers. No picture is decoded."""

from __future__ import annotations

import struct

from nature_gym.acquisition.formats.source import Source, Structure, UnreadableError

_MOST_PAGES = 100_000
_MOST_HEAD = 1 << 22


def _size(width: int, height: int, **more: object) -> Structure:
    if not 0 < width < 1 << 31 or not 0 < height < 1 << 31:
        raise UnreadableError("an image without a size")
    return {"width": width, "height": height, **more}


def png(source: Source) -> Structure:
    """By its first chunk; one without an end is cut off."""
    if source.head[12:16] != b"IHDR" or len(source.head) < 33:
        raise UnreadableError("its header is damaged")
    width, height, depth, colour = struct.unpack(">IIBB", source.head[16:26])
    if source.packing is None:
        with source.path.open("rb") as file:
            file.seek(max(0, source.size - 64))
            if b"IEND" not in file.read():
                raise UnreadableError("it ends early")
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(colour, 0)
    return _size(width, height, bits=depth, channels=channels)


def jpeg(source: Source) -> Structure:
    """By its start-of-frame segment."""
    head, at = source.beginning(_MOST_HEAD), 2
    while at + 9 < len(head):
        if head[at] != 0xFF:
            break
        mark = head[at + 1]
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC):
            bits, height, width, channels = struct.unpack_from(">BHHB", head, at + 4)
            return _size(width, height, bits=bits, channels=channels)
        at += 2 + (0 if mark == 0xFF or 0xD0 <= mark <= 0xD8 else int.from_bytes(head[at + 2 : at + 4], "big"))
        if mark == 0xFF:
            at -= 1
    raise UnreadableError("its header is damaged")


def gif(source: Source) -> Structure:
    """By its screen descriptor."""
    width, height = struct.unpack_from("<HH", source.head, 6)
    return _size(width, height)


def bmp(source: Source) -> Structure:
    """By its information header."""
    width, height = struct.unpack_from("<ii", source.head, 18)
    return _size(width, abs(height))


def webp(source: Source) -> Structure:
    """By the first chunk of each of its three kinds."""
    head = source.head
    if head[12:16] == b"VP8X":
        return _size(1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little"))
    if head[12:16] == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return _size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    width, height = struct.unpack_from("<HH", head, 26)
    return _size(width & 0x3FFF, height & 0x3FFF)


def tif(source: Source) -> Structure:
    """Pages, and the first one's size: by walking from directory to directory, each once."""
    if source.packing is not None:
        raise UnreadableError("packed once more: it was not looked into")
    order = "<" if source.head[:2] == b"II" else ">"
    big = source.head[2:4] in (b"+\0", b"\0+")
    first, pages, seen = {}, 0, set()
    with source.path.open("rb") as file:
        at = struct.unpack_from(order + ("Q" if big else "I"), source.head, 8 if big else 4)[0]
        while at and at not in seen and pages < _MOST_PAGES:
            seen.add(at)
            file.seek(at)
            count = struct.unpack(order + ("Q" if big else "H"), file.read(8 if big else 2))[0]
            width = 20 if big else 12
            if count > 4096:
                raise UnreadableError("a directory of it is damaged")
            entries = file.read(count * width)
            if len(entries) < count * width:
                raise UnreadableError("it ends early")
            if not pages:
                first = _tags(entries, order, width)
            pages += 1
            following = file.read(8 if big else 4)
            at = struct.unpack(order + ("Q" if big else "I"), following)[0] if following else 0
    return _size(first.get(256, 0), first.get(257, 0), bits=first.get(258, 1), channels=first.get(277, 1), pages=pages)


def _tags(entries: bytes, order: str, width: int) -> dict[int, int]:
    """Tag -> its value, where that is a number in its place."""
    found = {}
    for at in range(0, len(entries), width):
        tag, kind = struct.unpack_from(order + "HH", entries, at)
        place = at + (12 if width == 20 else 8)
        count = struct.unpack_from(order + ("Q" if width == 20 else "I"), entries, at + 4)[0]
        form = {1: "B", 3: "H", 4: "I"}.get(kind)
        if form and count * struct.calcsize(form) <= (8 if width == 20 else 4):
            found[tag] = int(struct.unpack_from(order + form, entries, place)[0])
    return found


_NII = {2: "uint8", 4: "int16", 8: "int32", 16: "float32", 32: "complex64", 64: "float64", 128: "rgb24", 256: "int8",
        512: "uint16", 768: "uint32", 1024: "int64", 1280: "uint64"}  # fmt: skip


def nii(source: Source) -> Structure:
    """Shape, kind and spacing of a NIfTI volume, by its header (version 1 and 2)."""
    head = source.head
    size = int.from_bytes(head[:4], "little")
    order = "<" if size in (348, 540) else ">"
    if struct.unpack(order + "I", head[:4])[0] == 540:
        dims, kind = struct.unpack_from(order + "8q", head, 16), struct.unpack_from(order + "h", head, 12)[0]
        spacing = struct.unpack_from(order + "8d", head, 104)
    else:
        dims, kind = struct.unpack_from(order + "8h", head, 40), struct.unpack_from(order + "h", head, 70)[0]
        spacing = struct.unpack_from(order + "8f", head, 76)
    if not 1 <= dims[0] <= 7 or any(one < 0 for one in dims[1 : dims[0] + 1]):
        raise UnreadableError("its header is damaged")
    shape = list(dims[1 : dims[0] + 1])
    return {"shape": shape, "dtype": _NII.get(kind, f"type {kind}"),
            "spacing": [round(float(one), 4) for one in spacing[1 : min(dims[0], 3) + 1]]}  # fmt: skip


_DICOM = {(0x0008, 0x0060): "modality", (0x0028, 0x0010): "rows", (0x0028, 0x0011): "columns",
          (0x0028, 0x0008): "frames", (0x0028, 0x0100): "bits"}  # fmt: skip
_LONG = (b"OB", b"OW", b"OF", b"SQ", b"UT", b"UN", b"UC", b"UR", b"OD", b"OL", b"OV", b"SV", b"UV")
_PIXELS = (0x7FE0, 0x0010)


def dicom(source: Source) -> Structure:
    """Modality and size, by walking over the elements of the first level as far as they state their lengths."""
    head, at = source.beginning(_MOST_HEAD), 132
    syntax, found = b"", {}
    explicit = True
    while at + 8 <= len(head):
        tag = struct.unpack_from("<HH", head, at)
        if tag[0] != 0x0002 and syntax:
            explicit = not syntax.rstrip(b"\0 ").endswith(b"1.2.840.10008.1.2")
        if tag == _PIXELS:
            break
        kind = head[at + 4 : at + 6]
        if not explicit and tag[0] != 0x0002:
            length, start = struct.unpack_from("<I", head, at + 4)[0], at + 8
        elif kind in _LONG:
            length, start = struct.unpack_from("<I", head, at + 8)[0], at + 12
        else:
            length, start = struct.unpack_from("<H", head, at + 6)[0], at + 8
        if length == 0xFFFFFFFF or start + length > len(head):
            break
        value = head[start : start + length]
        if tag == (0x0002, 0x0010):
            syntax = value
        if (name := _DICOM.get(tag)) is not None:
            number = int.from_bytes(value, "little") if length == 2 and name not in ("modality", "frames") else None
            found[name] = number if number is not None else value.decode("latin-1").strip("\0 ")
        at = start + length
    if not found:
        raise UnreadableError("no element of it can be read")
    return dict(found)

"""Every attack: the item of the threat model that it tries, its trial, how it would have won, the trace it leaves."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nature_gym.judging.case import open_case
from nature_gym.judging.shown import WITHHELD, shown
from tests.attacks.inside.evidence import ORDER
from tests.attacks.stage import KEY, LOG_BYTES, MIB, PAPER, REFUSED, TRUTH, Played, Scene

SCENES: Mapping[str, Scene] = {
    "looking": Scene(),
    "answering": Scene(),
    "recording": Scene(),
    "fast": Scene(per_minute=20),
    "late": Scene(budget=4.0),
    "outliving": Scene(memory=512 * MIB, processes=64),
    "memory": Scene(memory=128 * MIB),
    "memory in files": Scene(memory=128 * MIB),
    "disk": Scene(disk=32 * MIB),
    "nameless": Scene(disk=32 * MIB),
    "one large file": Scene(disk=32 * MIB),
}
Look = Callable[[Played], object]


@dataclass(frozen=True)
class Attack:
    """``name`` is the function inside; ``won`` gives what it got, ``trace`` what shows that it was tried."""

    name: str
    item: str
    scene: str
    won: Look
    trace: Look
    only: str = ""
    """The one back end that it is made against; empty for all."""


def _line(name: str) -> Callable[[Played], dict[str, object]]:
    return lambda played: played.lines.get(name, {})


def _loot(name: str) -> Look:
    return lambda played: _line(name)(played).get("loot")


def _words(name: str) -> Look:
    """What was read is a prize only where it tells whose the task is, or holds a key."""

    def won(played: Played) -> object:
        text = json.dumps(_line(name)(played).get("loot"))
        prizes = (
            PAPER,
            "quokka",
            "s41586",
            KEY,
            played.trial.id,
            played.known["other_token"],
            str(TRUTH),
            "sota_score",
        )
        return [word for word in prizes if word in text]

    return won


def _told(name: str) -> Look:
    """The trajectory names the attack, and the program that made it is kept with an attempt."""

    def trace(played: Played) -> object:
        module, _, function = name.partition(".")
        kept = f"def {function}(" in played.sources.get(f"attack/{module}.py", "")
        return kept and any(f'"attack": "{name}"' in one["text"] for one in played.trajectory)

    return trace


def _refused(*words: str) -> Look:
    """An attempt that was not scored, for such a reason."""
    return lambda played: [one for one in played.submissions if one["status"] != "scored" and one["reason"]
                           and any(word in one["reason"] for word in words)]  # fmt: skip


def _asked(*codes: int) -> Look:
    """A request that is written down as refused."""
    return lambda played: [one for one in played.jsonl(REFUSED) if one.get("code") in codes]


def _way_out(word: str) -> Look:
    return lambda played: [
        one for one in played.jsonl("egress.jsonl") if word in f"{one.get('host')} {one.get('reason')}"
    ]


def _ended(word: str) -> Look:
    return lambda played: word in str(played.trial.record.get("reason"))


def _row(
    name: str, item: str, scene: str, *, won: Look | None = None, trace: Look | None = None, only: str = ""
) -> Attack:
    return Attack(name, item, scene, won or _loot(name), trace or _told(name), only)


def _answer(function: str, *reasons: str, item: str = "", only: str = "") -> Attack:
    """An answer that has to be refused, or must break nothing but its own scoring."""
    name = f"answers.{function}"
    return Attack(name, item or SUBMIT, "answering", _loot(name), _refused(*reasons) if reasons else _told(name), only)


def _heard(played: Played) -> object:
    return played.heard


def _marked(name: str) -> Look:
    """A process that outlived the box, or none because it did not even live inside."""
    return lambda played: played.marked or _loot(name)(played)


def _strange_characters(played: Played) -> object:
    """What acts on a terminal, or cannot be seen, in any text that we made of what the agent printed."""
    texts = [played.read("trajectory.jsonl"), played.read("submissions.jsonl"), played.read(REFUSED), *_events(played)]
    return [one for text in texts for one in text if one not in "\n\t" and unicodedata.category(one) in {"Cc", "Cf"}]


def _events(played: Played) -> list[str]:
    return [one["text"] for one in played.trajectory]


def _shown_to_a_judge(played: Played) -> object:
    """Orders that a judge would read, or marks that it would take for the end of what it is given."""
    case = open_case(played.trial.path, played.package, played.store)
    assert case is not None
    parts = "\n".join(text for _, text in shown(case, 20_000).parts)
    return [word for word in (ORDER, "</case>", "verdict: valid") if word in parts]


def _withheld(played: Played) -> object:
    case = open_case(played.trial.path, played.package, played.store)
    assert case is not None
    found = shown(case, 20_000)
    return found.addressed and any(WITHHELD in text for _, text in found.parts)


def _later(played: Played) -> object:
    """An answer begun when the budget was used up, pauses included, or a box that lived much longer than that."""
    record = played.trial.record
    budget, opened = SCENES["late"].budget, float(record["opened"])
    most = opened + 1.5 * budget
    late = [one["begun"] - opened for one in played.submissions if one["begun"] > most]
    return late or (["box"] if record["phases"]["solving"] > 1.5 * budget + 6 else [])


def _more_attempts_than_made(played: Played) -> object:
    """Attempts with another score than answers earned, events with costs, or a verdict."""
    gaps = [one["aggregate_improvement"] for one in played.submissions]
    costs = [one["cost"] for one in played.trajectory]
    verdict = (played.trial.path / "verdict.json").exists()
    return [one for one in (*(gap for gap in gaps if gap and gap > 1.5), *filter(None, costs), verdict) if one]


def _key_in_sources(played: Played) -> object:
    kept = [path for path in (played.trial.path / "sources").rglob("*") if path.is_file() and KEY in path.read_text()]
    return kept or played.lines.get("evidence.link_among_the_sources", {}).get("loot")


def _size_over(name: str, most: int) -> Look:
    def won(played: Played) -> object:
        path = played.trial.path / name
        return path.stat().st_size if path.exists() and path.stat().st_size > most else _loot(_FLOODS[name])(played)

    return won


_FLOODS = {
    "stderr": "evidence.flood_of_the_log", "egress.jsonl": "evidence.flood_of_the_way_out",
    REFUSED: "evidence.flood_of_refusals",
}  # fmt: skip


def _token_in_the_log(played: Played) -> object:
    import base64

    token = (played.trial.path / "token").read_text()
    forms = (token, token[::-1], token.encode().hex(), base64.b64encode(b"a" + token.encode()).decode()[4:40])
    text = "\n".join(_events(played))
    return [one for one in forms if one in text]


def _led_astray(played: Played) -> object:
    """What code got from inside the evaluator's sandbox: files of the host, keys, a network, a mark it left."""
    folder = played.trial.path
    printed = [
        json.loads(line.removeprefix("LOOT "))
        for path in folder.glob("attempts/*/attempt.json")
        for line in str(json.loads(path.read_bytes())["result"].get("detail", "")).splitlines()
        if line.startswith("LOOT ")
    ]
    got = [value for told in printed for value in told.values() if value]
    left = [str(path) for path in (folder / "forged", played.package.path / "evaluation" / "forged") if path.exists()]
    return [*got, *left]


def _ran(played: Played) -> object:
    """It was run, in there, and what it printed is kept."""
    texts = [path.read_text() for path in played.trial.path.glob("attempts/*/attempt.json")]
    return any("LOOT " in text for text in texts)


def _ended_how(*words: str) -> Look:
    return lambda played: str(played.trial.record.get("exit", {}).get("ended")) in words


TRUTH_ITEM, PAPER_ITEM = "read ground truth, metadata or anchors", "learn the paper's identity"
NETWORK, PROTOCOL = (
    "reach any network but the service and the allowed endpoint",
    "register, reset, extend, pause or forge",
)
OTHERS, SUBMIT = (
    "submit for another trial",
    "submit by link, device, FIFO, socket, hard link, sparse or huge file, .., change",
)
WRITE, KEYS = "write to results or logs that count as evidence", "read another trial's or the host's keys"
OUTLIVE, FOLLOW = "survive its container", "make the service or the judge follow links or run code"
EXHAUST, SMUGGLE = "exhaust memory, disk, processes, or log space", "smuggle instructions or terminal escapes"
ITEMS = (
    TRUTH_ITEM, PAPER_ITEM, NETWORK, PROTOCOL, OTHERS, SUBMIT, WRITE, KEYS, OUTLIVE, FOLLOW, EXHAUST, SMUGGLE
)  # fmt: skip

ATTACKS = (
    *(_row(f"reading.{name}", TRUTH_ITEM, "looking") for name in (
        "truth_by_search", "truth_by_host_path", "truth_by_link", "metadata_beside_the_task", "metadata_by_host_path",
        "anchors_by_service", "processes_of_others", "memory_of_the_first_process",
    )),
    *(_row(f"reading.{name}", PAPER_ITEM, "looking", won=_words(f"reading.{name}")) for name in (
        "mount_table", "names_of_the_machine", "environment_and_arguments", "names_owners_and_times",
        "name_of_the_peer",
    )),
    *(_row(f"network.{name}", NETWORK, "looking") for name in (
        "loopback_of_the_host", "abstract_socket_of_the_host", "raw_sockets", "names",
    )),
    _row("network.address_of_the_host", NETWORK, "looking", won=_heard),
    _row("network.proxy_to_a_host_not_listed", NETWORK, "looking", trace=_way_out("127.0.0.78")),
    _row("network.proxy_to_a_listed_name_that_is_this_machine", NETWORK, "looking", trace=_way_out("not a public one")),
    _row("network.proxy_by_other_spellings", NETWORK, "looking", trace=_way_out("2130706433")),
    _row("network.proxy_by_other_requests", NETWORK, "looking", trace=_way_out("only CONNECT")),
    _row("protocol.forged_tokens", PROTOCOL, "recording", trace=_asked(401)),
    _row("protocol.no_token", PROTOCOL, "looking", trace=_asked(401, 400)),
    _row("protocol.routes_that_are_not_there", PROTOCOL, "looking", trace=_asked(404)),
    _row("protocol.other_methods", PROTOCOL, "looking", trace=_asked(405)),
    _row("protocol.fields_that_are_not_asked_for", PROTOCOL, "looking"),
    _row("protocol.clock_of_the_machine", PROTOCOL, "looking"),
    _row("protocol.sockets_replaced", PROTOCOL, "looking"),
    _row("protocol.two_at_once", PROTOCOL, "answering", trace=_asked(409)),
    _row("protocol.too_fast", PROTOCOL, "fast", trace=_asked(429)),
    _row("protocol.in_a_row_and_too_late", PROTOCOL, "late", won=_later, trace=_ended("the deadline")),
    Attack("protocol.token_of_another_trial", OTHERS, "looking",
           lambda played: _loot("protocol.token_of_another_trial")(played) or played.other_attempts, _asked(401)),
    _row("reading.token_of_another_trial", OTHERS, "looking"),
    _row("reading.keys_in_files", KEYS, "looking", won=_words("reading.keys_in_files")),
    _row("reading.rooms_of_others", KEYS, "looking"),
    _row("reading.keyring_of_the_kernel", KEYS, "looking"),
    _row("reading.engine_of_containers", KEYS, "looking"),
    _row("reading.namespace_of_our_own", OUTLIVE, "looking"),
    _row("reading.rights_by_program", OUTLIVE, "looking"),
    _answer("link_to_the_truth", "is a link"),
    _answer("folder_that_is_a_link", "is a link"),
    _answer("output_that_is_a_link", "not a folder of its own"),
    _answer("path_with_dots", "up is a link", "is a link"),
    _answer("hard_link", "hard link"),
    _answer("hard_link_to_the_task"),
    _answer("pipe", "not a regular file"),
    _answer("unix_socket", "not a regular file"),
    _answer("device"),
    _answer("link_to_a_device", "zero is a link"),
    _answer("sparse_file", "larger than"),
    _answer("huge_file", "larger than"),
    _answer("too_many_files", "files and folders"),
    _answer("folders_without_end", "nested deeper"),
    _answer("name_that_commands_a_terminal", "cannot be printed"),
    _answer("file_that_changes", "changed while"),
    _answer("file_that_becomes_a_link", "is a link", "changed"),
    Attack("answers.code_in_a_pickle", FOLLOW, "answering", _led_astray, _ran),
    _answer("pickle_that_leaves_pipes_and_links", "broke down", item=FOLLOW),
    _answer("objects_in_an_array", "broke down", item=FOLLOW, only="bubblewrap"),
    _answer("formula_in_a_table", "not one", item=FOLLOW),
    _answer("number_that_is_none", "not one", item=FOLLOW),
    _answer("instances_of_others", "not one", item=FOLLOW),
    _answer("brackets_without_end", "broke down", item=FOLLOW),
    _answer("words_that_tell_of_the_host", "no instance", item=PAPER_ITEM),
    _answer("bomb_of_zeros", "memory", item=EXHAUST),
    _row("evidence.link_among_the_sources", FOLLOW, "recording", won=_key_in_sources),
    _row("evidence.pipe_among_the_sources", FOLLOW, "recording"),
    _row("evidence.record_written_to", WRITE, "recording"),
    _row("evidence.task_written_to", WRITE, "recording"),
    _row("evidence.lines_that_look_like_a_record", WRITE, "recording", won=_more_attempts_than_made),
    _row("evidence.keys_into_the_log", KEYS, "recording", won=_token_in_the_log),
    _row("evidence.escapes_for_a_terminal", SMUGGLE, "recording", won=_strange_characters),
    _row("evidence.orders_for_a_judge", SMUGGLE, "recording", won=_shown_to_a_judge, trace=_withheld),
    _row("protocol.endless_request", EXHAUST, "recording", trace=_asked(413)),
    _row("evidence.million_of_sources", EXHAUST, "recording"),
    _row("evidence.flood_of_the_log", EXHAUST, "recording", won=_size_over("stderr", 64 * MIB)),
    _row("evidence.flood_of_the_way_out", EXHAUST, "recording", won=_size_over("egress.jsonl", LOG_BYTES + 1000),
         trace=_way_out("the log is full")),
    _row("evidence.flood_of_refusals", EXHAUST, "recording", won=_size_over(REFUSED, LOG_BYTES + 1000),
         trace=lambda played: "the log is full" in played.read(REFUSED)),
    _row("protocol.silent_connections", EXHAUST, "recording"),
    _row("exhausting.processes", EXHAUST, "looking"),
    _row("exhausting.open_files", EXHAUST, "looking"),
    _row("exhausting.priority", EXHAUST, "looking"),
    _row("exhausting.memory", EXHAUST, "memory", trace=lambda played: _told("exhausting.memory")(played)
         or _ended_how("out_of_memory")(played)),
    _row("exhausting.memory_in_files", EXHAUST, "memory in files",
         trace=lambda played: _told("exhausting.memory_in_files")(played) or _ended_how("out_of_memory")(played)),
    _row("exhausting.disk", EXHAUST, "disk", won=lambda played: _loot("exhausting.disk")(played) or not
         _ended_how("disk_full")(played), trace=_ended("wrote more")),
    _row("exhausting.files_without_a_name", EXHAUST, "nameless",
         won=lambda played: _loot("exhausting.files_without_a_name")(played) or not _ended_how("disk_full")(played),
         trace=_ended("wrote more")),
    _row("exhausting.one_large_file", EXHAUST, "one large file"),
    *(_row(f"exhausting.{name}", OUTLIVE, "outliving", won=_marked(f"exhausting.{name}")) for name in (
        "daemon_that_is_silent", "daemon_that_holds_the_streams", "daemon_that_forks_on", "debugger_that_stops_us",
    )),
    _row("exhausting.signals_to_the_host", OUTLIVE, "outliving"),
)  # fmt: skip

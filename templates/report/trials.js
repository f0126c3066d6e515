// The list of trials, and of each its time line, trajectory, network log and verdicts.
"use strict";

(() => {
  const { make, draw, mark, spoken, gap } = report;
  let rows = [];
  const text = (row) => `${row.id} ${row.agent} ${row.package} ${row.reason}`.toLowerCase();
  const matches = (row, wanted) => ["agent", "package", "pass", "status", "verdict"]
    .every((name) => !wanted[name] || row[name] === wanted[name]);

  const cells = (row, button) => [
    make("td", {}, button), make("td", {}, row.agent),
    make("td", {}, row.page ? make("a", { href: `packages/${encodeURIComponent(row.package)}.html` }, row.package) : row.package),
    make("td", { class: "num" }, String(row.seed)), make("td", {}, row.pass), make("td", {}, row.status),
    make("td", { class: "num" }, String(row.attempts)), make("td", { class: "num" }, gap(row.gap)),
    make("td", {}, mark(row.verdict)),
  ];

  function table(caption, heads, lines) {
    return report.wide(caption, make("table", {}, make("caption", {}, caption),
      make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, lines.map((line) => make("tr", {}, line.map((cell) => make("td", {}, cell)))))));
  }

  // Attempts over the budget: g upwards from -1 to 1, the paper's result in the middle; beyond that at the edge.
  function timeLine(told, row) {
    const [width, height, left, base, top] = [900, 200, 46, 172, 12];
    const last = Math.max(told.budget || 1, ...told.attempts.map((one) => one.at || 0));
    const x = (at) => left + ((width - left - 16) * (at || 0)) / last;
    const y = (value) => base - ((base - top) * (Math.max(-1, Math.min(1, value)) + 1)) / 2;
    const svg = draw("svg", {
      class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": "Attempts over time by g: a table with the same numbers follows",
    });
    for (const value of [-1, 0, 1]) {
      svg.append(draw("line", { class: value ? "rule" : "axis", x1: left, x2: width, y1: y(value), y2: y(value) }),
        draw("text", { class: "tick", x: left - 8, y: y(value) + 4, "text-anchor": "end" }, value > 0 ? "+1" : String(value).replace("-", "\u2212")));
    }
    let best = -Infinity;
    let path = "";
    for (const one of told.attempts) {
      if (one.gap !== null && one.gap > best) {
        path += path ? ` H${x(one.at)} V${y(one.gap)}` : `M${x(one.at)} ${y(one.gap)}`;
        best = one.gap;
      }
    }
    if (path) svg.append(draw("path", { class: "line", d: `${path} H${x(last)}` }));
    for (const one of told.attempts) {
      const scored = one.gap !== null;
      const says = `attempt ${one.number}: ${scored ? `g ${gap(one.gap)}` : one.status}`;
      svg.append(draw("circle", { class: `dot ${scored ? "scored" : "unscored"}`, cx: x(one.at), cy: scored ? y(one.gap) : base, r: 4 },
        draw("title", {}, says)));
    }
    svg.append(draw("text", { class: "tick", x: width - 16, y: height - 4, "text-anchor": "end" }, `${Math.round(last)} s of work and waiting`),
      draw("text", { class: "tick", x: left, y: height - 4 }, `g by time; best ${gap(row.gap)}`));
    return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Time line, drawn" }, svg);
  }

  function attempts(told, row) {
    if (!told.attempts.length) return [make("p", { class: "empty" }, "Nothing was handed in.")];
    const lines = told.attempts.map((one) => [String(one.number), one.at === null ? "" : String(one.at), spoken(one.status), gap(one.gap),
      Object.entries(one.gaps).map(([name, value]) => `${name} ${gap(value)}`).join(", ") || one.reason]);
    return [timeLine(told, row), make("details", {}, make("summary", {}, `Attempts as a table (${told.attempts.length})`),
      table("Attempts", ["Attempt", "Seconds", "Status", "g", "By instance, or why not"], lines))];
  }

  function seen(title, places) {
    return places.length ? [make("p", { class: "note" }, title), ...places.map((one) => make("div", { class: "finding" },
      make("p", {}, make("code", {}, one.place), " ", one.about), one.text ? make("p", {}, make("code", {}, one.text)) : null))] : [];
  }

  function judges(told) {
    if (!told.judges.length) return [make("p", { class: "empty" }, "Nobody has judged it: ", make("code", {}, "naturegym judge"))];
    return told.judges.flatMap((one) => [make("p", {}, mark(one.verdict), ` ${one.judge}: ${one.reason}`,
      one.categories.length ? ` (${one.categories.join(", ")})` : ""),
      ...seen("What it saw", one.evidence), ...seen("Noted, and not held against it", one.notes)]);
  }

  function network(told) {
    if (!told.network.length) return [make("p", { class: "empty" }, "It asked for no host.")];
    return [table("Hosts that were asked for", ["Host", "Port", "Answer", "Reason", "Times", "Bytes received"],
      told.network.map((one) => [one.host, one.port, one.verdict, one.reason, String(one.count), one.bytes.toLocaleString("en")]))];
  }

  function trajectory(told) {
    if (!told.events.length) return [make("p", { class: "empty" }, "It has no trajectory.")];
    const left = told.left_out ? make("p", { class: "note" }, told.left_out < 0 ? "The middle is left out."
      : `${told.left_out.toLocaleString("en")} events in the middle are left out.`) : null;
    const lines = told.events.map((one) => make("li", {},
      make("span", { class: "note" }, `${one.time === null ? "" : `${one.time.toFixed(1)} s `}${spoken(one.kind)} ${one.tool}`),
      make("pre", {}, one.text)));
    return [left, make("details", {}, make("summary", {}, `Events (${told.events.length})`), make("ol", { class: "events" }, lines))];
  }

  async function detail(row) {
    const told = await report.load(`trials/${row.id}`);
    if (!told.attempts) return [make("p", { class: "empty" }, "Its records cannot be read.")];
    const facts = [["Status", `${row.status}${row.reason ? `: ${row.reason}` : ""}`], ["Hint", told.hint], ["Agent", `${row.agent} ${told.version}`],
      ["Sandbox", told.backend + (told.comparable === false ? " (not comparable)" : "")],
      ["Budget", `${told.budget} s, feedback: ${told.feedback}`],
      ["Phases", Object.entries(told.phases).map(([name, value]) => `${spoken(name)} ${value.toFixed(1)} s`).join(", ")],
      ["Spent", Object.entries(told.spent).filter(([, value]) => value).map(([name, value]) => `${spoken(name)} ${value.toLocaleString("en")}`).join(", ")],
      ["Given", told.task_digest]].filter(([, value]) => value);
    const section = (title, parts) => make("section", {}, make("h2", { class: "small" }, title), ...parts.filter(Boolean));
    return [make("dl", {}, facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
      section("Time line", attempts(told, row)), section("Verdicts", judges(told)), section("Network", network(told)),
      section("Trajectory", trajectory(told))];
  }

  async function start() {
    rows = [...(await report.load("trials"))];
    const list = report.list({
      table: "trials", opens: "trial", size: 100, rows: () => rows, total: () => rows.length, left: () => 0,
      id: (row) => row.id, name: (row) => row.id, text, matches, cells, detail,
    });
    report.sortable(document.getElementById("trials"), (column, sign, heading) => {
      const key = heading.dataset.key;
      const missing = (row) => Number(row[key] === null); // last, whichever way it is turned
      rows.sort((a, b) => missing(a) - missing(b) || sign * report.order(a[key] ?? "", b[key] ?? ""));
      list.show();
    });
  }

  start().catch((error) => {
    document.getElementById("told").textContent = `${error.message}: was the whole folder copied?`;
  });
})();

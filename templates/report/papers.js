// The list of papers. Rows come in chunks: the first is shown at once, the others are loaded when they are needed.
"use strict";

(() => {
  const { make, mark, spoken } = report;
  const [ID, TITLE, VENUE, DATE, STEP, WHY, VERDICT, RULE, CODE, CHUNK, PLACE] = Array(11).keys();
  let about = null;
  let list = null;
  let loading = false;
  const rows = [];
  const texts = new Map();
  const word = (row, column) => about.words[row[column]];

  function text(row) {
    if (!texts.has(row[ID])) texts.set(row[ID], `${row[TITLE]} ${row[ID]} ${word(row, VENUE)}`.toLowerCase());
    return texts.get(row[ID]);
  }

  function matches(row, wanted) {
    return (!wanted.verdict || word(row, VERDICT) === wanted.verdict)
      && (!wanted.rule || word(row, RULE) === wanted.rule)
      && (!wanted.code || word(row, CODE) === wanted.code)
      && (!wanted.step || word(row, STEP) === wanted.step)
      && (!wanted.why || word(row, WHY) === wanted.why)
      && (!wanted.venue || word(row, VENUE) === wanted.venue)
      && (!wanted.year || row[DATE].startsWith(wanted.year));
  }

  const cells = (row, button) => [
    make("td", {}, button, make("span", { class: "id" }, row[ID])),
    make("td", {}, word(row, VENUE)),
    make("td", { class: "num" }, row[DATE]),
    make("td", {}, about.steps[word(row, STEP)] || word(row, STEP), make("span", { class: "id" }, word(row, WHY))),
  ];

  function pairs(...items) {
    const told = items.filter(([, value]) => value);
    return make("dl", {}, told.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  }

  function decision(one) {
    const quotes = one.evidence.map((said) => make("blockquote", {}, said.quote,
      said.section ? make("cite", {}, said.section) : null));
    return make("section", {},
      make("h2", { class: "small" }, `Rule ${one.rule} `, mark(one.verdict), one.code ? ` ${spoken(one.code)}` : ""),
      make("p", {}, one.reason, " ", make("span", { class: "note" }, `(${one.decider})`)), ...quotes);
  }

  function stages(detail) {
    const lines = Object.entries(detail.stages).map(([name, stage]) => make("tr", {},
      make("th", { scope: "row" }, name), make("td", {}, mark(stage.verdict)),
      make("td", {}, stage.reason, stage.hint ? make("p", { class: "note" }, stage.hint) : null),
      make("td", { class: "num" }, `${stage.finished}`), make("td", { class: "num" }, stage.seconds.toFixed(1))));
    const heads = [["Stage"], ["Verdict"], ["Reason"], ["Finished", "num"], ["Seconds", "num"]];
    return report.wide("Stages", make("table", {}, make("caption", {}, "Stages"),
      make("thead", {}, make("tr", {}, heads.map(([head, kind]) => make("th", { scope: "col", class: kind }, head)))),
      make("tbody", {}, lines)));
  }

  function task(told) {
    const settings = told.settings.map((one) => make("li", {}, one.name, one.accepted ? "" : " (not usable)",
      one.scores.length ? `: ${one.scores.join(", ")}` : "", one.reason ? ` \u2013 ${one.reason}` : ""));
    return [pairs(["Task", spoken(told.type)], ["Method", told.method], ["Metrics", told.metrics.join(", ")]),
      settings.length ? make("ul", {}, settings) : null];
  }

  async function detail(row) {
    const told = (await report.load(`paper-details/${row[CHUNK]}`))[row[PLACE]];
    const doi = told.link ? make("a", { href: told.link, rel: "noreferrer noopener" }, told.doi) : "";
    const authors = told.authors.join(", ") + (told.more_authors ? ` and ${told.more_authors} more` : "");
    const own = told.package
      ? make("a", { href: `packages/${encodeURIComponent(told.package)}.html` }, told.package) : "";
    const errors = Object.entries(told.errors).map(([stage, error]) => make("div", { class: "finding" },
      make("p", {}, make("strong", {}, `${stage} could not be carried out: ${error.error}`), ` ${error.reason}`),
      error.hint ? make("p", { class: "note" }, error.hint) : null));
    const screening = told.screening;
    return [
      pairs(["DOI", doi], ["Authors", authors], ["Type", told.type], ["Licence", told.licence], ["Package", own],
        ["Screening", screening ? screening.summary : ""]),
      ...errors,
      ...(screening ? [...task(screening.task), ...screening.decisions.map(decision)] : []),
      stages(told),
    ].filter(Boolean);
  }

  async function start() {
    about = await report.load("papers");
    rows.push(...(await report.load("papers/0")));
    list = report.list({
      table: "papers", opens: "paper", size: 50, extra: ["why"], rows: () => rows, total: () => about.total,
      left: () => about.total - rows.length, id: (row) => row[ID], name: (row) => row[TITLE] || row[ID], text, matches,
      cells, detail, more,
    });
  }

  // The other chunks, once.
  async function more() {
    if (loading) return;
    loading = true;
    try {
      for (let chunk = 1; chunk < about.chunks; chunk += 1) rows.push(...(await report.load(`papers/${chunk}`)));
      list.show();
    } catch (error) {
      broken(error);
    }
  }

  function broken(error) {
    document.getElementById("told").textContent = `${error.message}: was the whole folder copied?`;
  }

  start().catch(broken);
})();

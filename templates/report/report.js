// What all pages share: data chunks, the theme, tables that sort. Text is put on a page as text, never as markup.
"use strict";

const report = (() => {
  const taken = new Map();
  const waiting = new Map();

  // A chunk calls this with its value.
  function take(name, value) {
    taken.set(name, value);
    for (const done of waiting.get(name) || []) done(value);
    waiting.delete(name);
  }

  // The value of a chunk; its script is loaded where it was not yet. Rejects where the file is not there.
  function load(name) {
    if (taken.has(name)) return Promise.resolve(taken.get(name));
    return new Promise((done, failed) => {
      if (waiting.has(name)) {
        waiting.get(name).push(done);
        return;
      }
      waiting.set(name, [done]);
      const script = document.createElement("script");
      script.src = `${document.body.dataset.root}data/${name}.js`;
      script.onerror = () => {
        waiting.delete(name);
        failed(new Error(`data/${name}.js cannot be loaded`));
      };
      document.head.append(script);
    });
  }

  // An element with attributes and children; strings become text. No attribute from data but those named here.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  // What may be wider than the screen scrolls by itself, by keys too.
  const wide = (name, ...children) => make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `${name}, a table` }, ...children);

  function draw(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const tones = {
    admit: "good", pass: "good", passed: "good", valid: "good", done: "good",
    fail: "bad", reject: "bad", invalid: "bad", failed: "bad", drop: "bad",
    undecided: "warn", warn: "warn", repair: "warn", error: "warn",
  };
  const spoken = (word) => String(word).replaceAll("_", " ");
  const mark = (word) => make("span", { class: `mark ${Object.hasOwn(tones, word) ? tones[word] : "none"}` }, spoken(word));
  const gap = (value) => (value === null || value === undefined ? "n/a"
    : (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(3));

  // Parameters behind the page's #: filters, and what is open.
  const asked = () => new URLSearchParams(location.hash.slice(1));
  function tell(parameters) {
    const text = new URLSearchParams(parameters.filter(([, value]) => value)).toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  }

  // Rows in an order that a heading's button turns: numbers before words, from large to small first.
  function order(a, b) {
    const numbers = [Number(a), Number(b)];
    if (a !== "" && b !== "" && numbers.every((value) => !Number.isNaN(value))) return numbers[0] - numbers[1];
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  function turn(heading, headings) {
    const first = heading.classList.contains("num") ? "descending" : "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const next = heading.getAttribute("aria-sort") === first ? other : first;
    for (const one of headings) one.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", next);
    return next === "ascending" ? 1 : -1;
  }

  function sortable(table, sort) {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      const button = make("button", { type: "button" }, ...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sort(column, turn(heading, headings), heading));
    });
  }

  function sortRows(table) {
    const value = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
    sortable(table, (column, sign) => {
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => sign * order(value(a, column), value(b, column)));
      table.tBodies[0].append(...rows);
    });
  }

  // The theme: the system's, until somebody chooses.
  function kept() {
    try { return localStorage.getItem("naturegym-theme"); } catch { return null; }
  }
  const chosen = kept();
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;

  function themes() {
    const button = document.getElementById("theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const dark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
    const show = () => {
      button.textContent = dark() ? "Light theme" : "Dark theme";
    };
    button.hidden = false;
    show();
    system.addEventListener("change", show);
    button.addEventListener("click", () => {
      document.documentElement.dataset.theme = dark() ? "light" : "dark";
      try { localStorage.setItem("naturegym-theme", document.documentElement.dataset.theme); } catch { /* not kept */ }
      show();
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    themes();
    for (const table of document.querySelectorAll("table.sortable")) sortRows(table);
  });

  // A list in pages of rows, with filters that the address keeps. `spec` says how a row matches, looks and opens.
  function list(spec) {
    const get = (id) => document.getElementById(id);
    const body = get(spec.table).tBodies[0];
    const filters = [...document.querySelectorAll("[data-filter]")];
    const extra = new Map();
    let page = 0;
    let open = "";
    let found = [];

    function read() {
      const told = asked();
      for (const filter of filters) filter.value = told.get(filter.id) || "";
      extra.clear();
      for (const name of spec.extra || []) if (told.get(name)) extra.set(name, told.get(name));
      open = told.get(spec.opens) || "";
      page = 0;
    }

    function write() {
      const told = filters.map((filter) => [filter.id, filter.value]);
      tell([...told, ...extra, [spec.opens, open]]);
    }

    function find() {
      const wanted = Object.fromEntries([...filters.map((filter) => [filter.id, filter.value]), ...extra]);
      const words = (wanted.q || "").toLowerCase().split(/\s+/).filter(Boolean);
      found = spec.rows().filter((row) => spec.matches(row, wanted)
        && words.every((word) => spec.text(row).includes(word)));
    }

    function render() {
      const all = !extra.size && filters.every((filter) => !filter.value);
      const count = all ? spec.total() : found.length;
      const pages = Math.max(1, Math.ceil(count / spec.size));
      page = Math.min(page, pages - 1);
      const rows = found.slice(page * spec.size, (page + 1) * spec.size);
      body.replaceChildren(...rows.map(line));
      const chosen = [...extra].map(([, value]) => `, ${value}`).join("");
      // Rows that are not here yet are asked for where a filter, a late page or an address may mean one of them.
      const needed = spec.left() && (!all || (page + 1) * spec.size > found.length || (open && !found.some((row) => spec.id(row) === open)));
      if (needed) spec.more();
      const loading = needed ? `; ${spec.left().toLocaleString("en")} more are loading` : "";
      get("told").textContent = `${count.toLocaleString("en")} of ${spec.total().toLocaleString("en")}${chosen}${loading}.`;
      get("place").textContent = `Page ${page + 1} of ${pages}`;
      get("before").disabled = page === 0;
      get("after").disabled = page >= pages - 1;
    }

    function line(row) {
      const id = spec.id(row);
      const button = make("button", { type: "button", class: "open", "aria-expanded": "false" }, spec.name(row));
      const element = make("tr", {}, ...spec.cells(row, button));
      button.addEventListener("click", () => toggle(element, button, row, id));
      if (id === open) setTimeout(() => expand(element, button, row), 0);
      return element;
    }

    function toggle(element, button, row, id) {
      if (button.getAttribute("aria-expanded") === "true") {
        element.nextElementSibling.remove();
        button.setAttribute("aria-expanded", "false");
        open = "";
      } else {
        expand(element, button, row);
        open = id;
      }
      write();
    }

    async function expand(element, button, row) {
      if (button.getAttribute("aria-expanded") === "true") return;
      button.setAttribute("aria-expanded", "true");
      const cell = make("td", { class: "detail", colspan: element.cells.length }, make("p", {}, "Loading."));
      element.after(make("tr", {}, cell));
      try {
        cell.replaceChildren(...(await spec.detail(row)));
      } catch (error) {
        cell.replaceChildren(make("p", {}, `${error.message}: was the whole folder copied?`));
      }
    }

    function again() {
      page = 0;
      open = "";
      find();
      render();
      write();
    }

    // What is asked for by name is shown on its page of the list.
    function show() {
      find();
      const at = open ? found.findIndex((row) => spec.id(row) === open) : -1;
      if (at >= 0) page = Math.floor(at / spec.size);
      render();
    }

    for (const filter of filters) filter.addEventListener("input", again);
    get("clear").addEventListener("click", () => {
      for (const filter of filters) filter.value = "";
      extra.clear();
      again();
    });
    for (const [id, step] of [["before", -1], ["after", 1]]) {
      get(id).addEventListener("click", () => {
        page += step;
        render();
        get(spec.table).scrollIntoView();
      });
    }
    addEventListener("hashchange", () => { read(); show(); });
    read();
    show();
    return { show, find, render };
  }

  return { take, load, make, wide, draw, mark, spoken, gap, list, sortable, order };
})();

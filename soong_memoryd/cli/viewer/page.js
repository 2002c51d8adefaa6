"use strict";
// Text gets onto this page through textContent and nothing else: what a memory says is data.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const place = (id) => document.getElementById(id);

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = String(text);
    if (className) made.className = className;
    return made;
  }

  function shape(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    if (text !== undefined) made.textContent = String(text);
    return made;
  }

  const moment = (time) => (time ? String(time).replace("T", " ").replace(/(:\d\d)?Z$/, "") : "-");

  // -- charts: one bar a day, from the first day to the last, days without anything included -------------------------

  function everyDay(days) {
    const byDay = new Map(days.map((day) => [day.day, day]));
    const names = [...byDay.keys()].sort();
    const all = [];
    for (let time = Date.parse(names[0]); time <= Date.parse(names[names.length - 1]); time += 86400000) {
      const name = new Date(time).toISOString().slice(0, 10);
      all.push(byDay.get(name) || { day: name });
    }
    return all.slice(-180);
  }

  function chart(target, days, series) {
    const shown = days.filter((day) => series.some(([key]) => day[key]));
    if (!shown.length) return target.append(element("p", "nothing yet", "dim"));
    const bars = everyDay(shown);
    const height = 140, step = Math.max(5, Math.min(28, Math.floor(1100 / bars.length)));
    const most = Math.max(...bars.map((day) => series.reduce((sum, [key]) => sum + (day[key] || 0), 0)), 1);
    const width = Math.max(bars.length * step + 60, 200);
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height + 24}`, width, height: height + 24, role: "img" });
    svg.append(shape("text", { x: 0, y: 12, class: "label" }, most));
    bars.forEach((day, index) => {
      let top = height;
      for (const [key, className] of series) {
        const tall = ((day[key] || 0) / most) * (height - 16);
        if (!tall) continue;
        top -= tall;
        const bar = shape("rect", { x: 50 + index * step, y: top, width: step - 2, height: Math.max(tall, 1), class: className });
        bar.append(shape("title", {}, `${day.day}: ${day[key]} ${key.replace("_", " ")}`));
        svg.append(bar);
      }
    });
    svg.append(shape("text", { x: 50, y: height + 18, class: "label" }, bars[0].day));
    if (bars.length > 1) {
      svg.append(shape("text", { x: 50 + bars.length * step, y: height + 18, class: "label", "text-anchor": "end" }, bars[bars.length - 1].day));
    }
    const legend = element("p");
    for (const [key, className] of series) legend.append(element("span", "", `key ${className}`), key.replace("_", " "));
    target.append(svg, legend);
  }

  // -- the catalog ---------------------------------------------------------------------------------------------------

  const chosen = { text: "", category: "", tag: "" };
  const haystacks = new Map(
    data.memories.map((memory) => [memory, [memory.summary, memory.body, memory.id, ...memory.tags].join("\n").toLocaleLowerCase()]),
  );

  function matches(memory) {
    return (!chosen.category || memory.category === chosen.category) && (!chosen.tag || memory.tags.includes(chosen.tag)) &&
      chosen.text.split(/\s+/).every((word) => haystacks.get(memory).includes(word));
  }

  function list() {
    const found = data.memories.filter(matches);
    place("filter-count").textContent = `${found.length} of ${data.memories.length}`;
    place("memories").replaceChildren(...found.map((memory) => {
      const button = element("button");
      button.type = "button";
      button.append(element("span", memory.summary), element("br"),
        element("span", `${memory.category}  ${moment(memory.updated_at)}  ${memory.tags.join(", ")}`, "dim"));
      button.addEventListener("click", () => {
        for (const other of place("memories").querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
        button.setAttribute("aria-current", "true");
        show(memory);
      });
      const item = element("li");
      item.append(button);
      return item;
    }));
  }

  function command(text) {
    const line = element("div", null, "command");
    const button = element("button", "copy", "copy");
    const code = element("code", text);
    button.type = "button";
    button.addEventListener("click", async () => {
      getSelection().selectAllChildren(code); // where there is no clipboard the text is at least selected
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "copied";
      } catch {
        button.textContent = "selected";
      }
    });
    line.append(button, code);
    return line;
  }

  function show(memory) {
    const said = memory.sources.flatMap((source) => [
      element("blockquote", source.excerpt || "(its text was pruned)"),
      element("p", `${source.kind || "unknown"}  ${source.session_id}  ${source.node_id}  ${moment(source.created_at)}`, "dim"),
    ]);
    const versions = memory.versions.flatMap((version) => [
      element("p", `${moment(version.at)}  displaced by ${version.cause}  ${version.sha256.slice(0, 12)}`),
      command(`soong-memoryctl undo ${version.version_id}`),
    ]);
    place("memory").replaceChildren(
      element("h3", memory.summary),
      element("p", `${memory.id}  ${memory.category}  ${memory.tags.join(", ")}`, "dim"),
      element("p", `${memory.path}  created ${moment(memory.created_at)}  updated ${moment(memory.updated_at)}`, "dim"),
      element("pre", memory.body),
      element("h4", "It rests on"), ...(said.length ? said : [element("p", "written by hand: it names no source", "dim")]),
      element("h4", "Earlier versions"), ...(versions.length ? versions : [element("p", "none are kept", "dim")]),
      element("h4", "Commands"),
      ...["show", "why", "edit", "history", "forget"].map((verb) => command(`soong-memoryctl ${verb} ${memory.id}`)),
    );
  }

  function options(select, all, values) {
    select.append(element("option", all));
    select.firstChild.value = "";
    for (const value of [...new Set(values)].sort()) {
      const option = element("option", value);
      option.value = value;
      select.append(option);
    }
  }

  // -- jobs ----------------------------------------------------------------------------------------------------------

  function decisions(job) {
    const cell = element("td");
    const result = job.result || {};
    for (const name of ["created", "updated"]) for (const id of result[name] || []) cell.append(element("div", `${name} ${id}`));
    for (const name of ["conflicts", "duplicates"]) {
      for (const other of result[name] || []) cell.append(element("div", `${name.slice(0, -1)} with ${other.memory_id}`));
    }
    for (const ignored of result.ignored || []) {
      cell.append(element("div", `ignored: ${ignored.reason} (${(ignored.source_node_ids || []).join(", ")})`));
    }
    if (job.error) cell.append(element("div", `failed: ${job.error.text || job.error.code}`));
    if (job.error) cell.append(command(`soong-memoryctl retry ${job.session_id}`));
    return cell;
  }

  function jobRow(job) {
    const row = element("tr");
    const usage = (job.result && job.result.usage) || {};
    const tokens = (usage.prompt_tokens || 0) + (usage.completion_tokens || 0);
    row.append(element("td", moment(job.finished_at || job.due_at)), element("td", job.session_id),
      element("td", job.requested_by === "operator" ? `${job.reason} (by you)` : job.reason), element("td", job.status),
      decisions(job), element("td", tokens || ""));
    return row;
  }

  // -- all of it -----------------------------------------------------------------------------------------------------

  place("about").textContent = `${data.memories.length} memories in ${data.home}, as of ${moment(data.made_at)} UTC. Nothing leaves this file.`;
  chart(place("timeline-chart"), data.days, ["created", "updated", "conflict", "forgotten", "edited"].map((name) => [name, name]));
  chart(place("token-chart"), data.days, [["prompt_tokens", "prompt"], ["completion_tokens", "completion"]]);
  options(place("filter-category"), "all categories", data.memories.map((memory) => memory.category));
  options(place("filter-tag"), "all tags", data.memories.flatMap((memory) => memory.tags));
  place("filters").addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["text", "category", "tag"]) {
    place(`filter-${name}`).addEventListener("input", (event) => {
      chosen[name] = name === "text" ? event.target.value.trim().toLocaleLowerCase() : event.target.value;
      list();
    });
  }
  place("job-rows").append(...data.jobs.map(jobRow));
  list();
  if (data.memories.length) show(data.memories[0]);
})();

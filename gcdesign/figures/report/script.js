"use strict";
(() => {
  const holds = JSON.parse(document.getElementById("data").textContent).holds;
  const chosen = document.getElementById("chosen");
  const pickers = { worker: document.getElementById("choose-worker"), part: document.getElementById("choose-part") };
  const all = (selector) => document.querySelectorAll(selector);

  function clear() {
    all(".on").forEach((element) => element.classList.remove("on"));
  }

  function mark(selector) {
    all(selector).forEach((element) => element.classList.add("on"));
  }

  function showWorker(worker) {
    clear();
    mark(`[data-worker="${worker}"], [data-worker="${worker}"] .cell, [data-edges="${worker}"] line`);
    for (const part of holds[worker]) mark(`circle[data-part="${part}"]`);
    chosen.textContent = `worker ${worker} holds ${holds[worker].length} parts: ${holds[worker].join(", ")}`;
  }

  function showPart(part) {
    clear();
    mark(`[data-part="${part}"]`);
    const workers = holds.map((parts, worker) => (parts.includes(part) ? worker : -1)).filter((w) => w >= 0);
    for (const worker of workers) mark(`rect.node[data-worker="${worker}"]`);
    chosen.textContent = `part ${part} is held by ${workers.length} workers: ${workers.join(", ")}`;
  }

  function restore() {
    if (pickers.worker.value !== "") showWorker(Number(pickers.worker.value));
    else if (pickers.part.value !== "") showPart(Number(pickers.part.value));
    else { clear(); chosen.textContent = "nothing chosen"; }
  }

  function point(event) {
    const node = event.target.closest(".node");
    if (node && node.dataset.part !== undefined) return showPart(Number(node.dataset.part));
    const worker = event.target.closest("[data-worker]");
    if (worker) showWorker(Number(worker.dataset.worker));
  }

  if (pickers.worker) {
    for (const name of ["matrix", "graph"]) {
      const picture = document.getElementById(name);
      picture.addEventListener("pointerover", point);
      picture.addEventListener("pointerleave", restore);
    }
    pickers.worker.addEventListener("change", () => { pickers.part.value = ""; restore(); });
    pickers.part.addEventListener("change", () => { pickers.worker.value = ""; restore(); });
  }

  function key(row, column) {
    const cell = row.cells[column];
    const order = cell.dataset.order ?? cell.textContent.trim();
    const number = Number(order);
    return order !== "" && !Number.isNaN(number) ? number : order;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  all("table.sortable").forEach((table) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => (descending ? -1 : 1) * compare(key(a, column), key(b, column)));
      table.tBodies[0].append(...rows);
    }));
  });

  function copy(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    return Promise.resolve();
  }

  all(".copy").forEach((button) => button.addEventListener("click", async () => {
    await copy(button.dataset.copy);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy LaTeX"; }, 1500);
  }));
})();

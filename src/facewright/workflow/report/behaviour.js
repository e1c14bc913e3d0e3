"use strict";
// Numbers under the pointer.
(() => {
  const squares = document.getElementById("squares");
  if (!squares) return;
  const { names, interference, shared } = JSON.parse(document.getElementById("numbers").textContent);
  const bytes = (text) => Int8Array.from(atob(text), (c) => c.charCodeAt(0));
  const alike = bytes(interference), same = bytes(shared), n = names.length;
  const left = +squares.dataset.left, top = +squares.dataset.top, cell = +squares.dataset.cell;
  const row = document.getElementById("row"), column = document.getElementById("column");
  const readout = document.getElementById("readout");
  const signed = (x) => (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(2);
  const line = (tag, text, kind) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  squares.addEventListener("pointermove", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(squares.getScreenCTM().inverse());
    const i = Math.floor((at.y - top) / cell), j = Math.floor((at.x - left) / cell);
    if (i < 0 || j < 0 || i >= n || j >= n) return;
    row.setAttribute("y", top + i * cell);
    column.setAttribute("x", left + j * cell);
    const value = alike[i * n + j] / 100, share = same[i * n + j] / 100;
    readout.replaceChildren(
      line("b", signed(value), value > 0 ? "warm" : value < 0 ? "cold" : ""),
      line("span", names[i]),
      line("span", i === j ? "with itself" : "with " + names[j]),
      line("span", "shared " + share.toFixed(2), "quiet"),
      line("span", share > 0 ? "direction " + signed(Math.max(-1, Math.min(1, value / share))) : "", "quiet"),
    );
  });
})();
// A click on a head sorts.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, k) => head.addEventListener("click", () => {
    const words = !body.rows[0].cells[k].classList.contains("number");
    const up = head.hasAttribute("aria-sort") ? head.getAttribute("aria-sort") === "descending" : words;
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (line) => {
      const cell = line.cells[k];
      return words ? cell.textContent : +(cell.dataset.value ?? -1);
    };
    const order = (a, b) => (words ? key(a).localeCompare(key(b)) : key(a) - key(b));
    body.append(...[...body.rows].sort((a, b) => (up ? order(a, b) : order(b, a))));
  }));
}

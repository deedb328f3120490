(function () {
  "use strict";
  function key(cell) {
    var given = cell.getAttribute("data-sort");
    var text = given === null ? cell.textContent.trim() : given;
    var number = Number(text.replace(/[\s,]/g, "").replace("\u2212", "-"));
    return { empty: text === "", number: text !== "" && !isNaN(number) ? number : null, text: text };
  }
  function compare(a, b) {
    if (a.number !== null && b.number !== null) { return a.number - b.number; }
    if (a.number !== null) { return -1; }
    if (b.number !== null) { return 1; }
    return a.text.localeCompare(b.text, "en", { numeric: true });
  }
  function sort(table, header, column) {
    var up = header.getAttribute("aria-sort") !== "ascending";
    var body = table.tBodies[0];
    var rows = Array.prototype.map.call(body.rows, function (row, i) {
      return { row: row, key: key(row.cells[column]), place: i };
    });
    rows.sort(function (a, b) {
      if (a.key.empty !== b.key.empty) { return a.key.empty ? 1 : -1; } // what is not there comes last, either way
      return (up ? 1 : -1) * compare(a.key, b.key) || a.place - b.place;
    });
    rows.forEach(function (r) { body.appendChild(r.row); });
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) { other.removeAttribute("aria-sort"); });
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (header, column) {
      var button = document.createElement("button");
      button.type = "button";
      while (header.firstChild) { button.appendChild(header.firstChild); }
      button.addEventListener("click", function () { sort(table, header, column); });
      header.appendChild(button);
    });
  });
  // Paper cannot unfold notes; a section that is folded, such as all runs, is left out.
  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = Array.prototype.slice.call(document.querySelectorAll("details.note:not([open])"));
    folded.forEach(function (d) { d.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (d) { d.open = false; });
  });
})();

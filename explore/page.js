"use strict";
(function () {
  // Numbers come as bytes in base64, the lowest first.
  function numbers(text, type) {
    var raw = atob(text), bytes = new Uint8Array(raw.length);
    for (var i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new type(bytes.buffer);
  }
  function $(id) { return document.getElementById(id); }
  var data = JSON.parse($("data").textContent);
  var names = data.names, n = names.length;
  var at = numbers(data.at, Uint16Array); // (N,2) of 65535
  var near = lists(data.near), aspects = data.aspects ? lists(data.aspects) : null;
  var first = data.first ? numbers(data.first, Uint32Array) : null; // (N+1) rows of aspects
  var counts = data.counts ? numbers(data.counts, Uint32Array) : null, groups = data.groups ? numbers(data.groups, Uint32Array) : null; // links of each row, and its group
  var links = data.links ? rows(data.links) : null; // whom each vertex is linked with
  var colorings = (data.colorings || []).map(function (c) { return { title: c.title, names: c.names, of: numbers(c.of, Int32Array), all: c.all ? rows(c.all) : null }; });
  colorings.push({ title: "none", names: [], of: null });

  // lists are the nearest vertices of rows, and their cosines in thousandths.
  function rows(l) { return { start: numbers(l.start, Uint32Array), to: numbers(l.to, Uint32Array) }; }
  function lists(l) { return { start: numbers(l.start, Uint32Array), to: numbers(l.to, Uint32Array), cosine: numbers(l.cosine, Int16Array) }; }

  var COLORS = 7, FEW = 100; // groups with a colour of their own; vertices that all have their names on the map
  var palette;
  function readPalette() {
    var style = getComputedStyle(document.documentElement);
    function color(name) { return style.getPropertyValue(name).trim(); }
    palette = { paper: color("--paper"), ink: color("--ink"), faint: color("--faint"), other: color("--other"), group: [] };
    for (var g = 0; g < COLORS; g++) palette.group.push(color("--g" + g));
  }
  // The colours of a vertex's aspects are those of their groups, from vertex to vertex, but that two of a vertex differ.
  function aspectColor(row) {
    var v = state.vertex, taken = [];
    while (taken.length <= row - first[v]) {
      var g = groups[first[v] + taken.length] % COLORS;
      while (taken.indexOf(g) >= 0) g = (g + 1) % COLORS;
      taken.push(g);
    }
    return palette.group[taken[row - first[v]]];
  }
  function groupColor(g) { return g < 0 ? palette.faint : g < COLORS ? palette.group[g] : palette.other; }

  var state = { vertex: -1, coloring: colorings[0], only: -1, shown: -1, hover: -1, scale: 1, x: .5, y: .5 };

  // The map.
  var canvas = $("map"), box = canvas.parentNode, ctx = canvas.getContext("2d"), wide = 0, high = 0;
  function unit() { return Math.max(1, Math.min(wide, high) - 40) * state.scale; }
  function px(v) { return wide / 2 + (at[2 * v] / 65535 - state.x) * unit(); }
  function py(v) { return high / 2 - (at[2 * v + 1] / 65535 - state.y) * unit(); }
  function radius() { return Math.min(7, Math.max(1.1, 60 / Math.sqrt(n)) * Math.sqrt(state.scale)); }
  var waiting = false;
  function draw() { if (!waiting) { waiting = true; requestAnimationFrame(paint); } }
  function resize() {
    var dpr = window.devicePixelRatio || 1;
    wide = box.clientWidth; high = box.clientHeight;
    canvas.width = Math.round(wide * dpr); canvas.height = Math.round(high * dpr);
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    paint(); // at once: the canvas was emptied
  }
  var batches; // vertices of each group, made when the colours change
  function regroup() {
    var c = state.coloring;
    batches = [];
    for (var g = -1; g < Math.min(COLORS, c.names.length) + 1; g++) batches.push([]);
    for (var v = 0; v < n; v++) {
      var place = c.of ? c.of[v] : 0;
      batches[place < 0 ? 0 : Math.min(place, COLORS) + 1 < batches.length ? Math.min(place, COLORS) + 1 : batches.length - 1].push(v);
    }
    if (!c.of) batches = [[], batches.reduce(function (a, b) { return a.concat(b); }, [])];
  }
  function disc(x, y, r) { ctx.moveTo(x + r, y); ctx.arc(x, y, r, 0, 2 * Math.PI); }
  function paint() {
    waiting = false;
    ctx.clearRect(0, 0, wide, high);
    var r = radius(), quiet = state.vertex >= 0;
    for (var b = 0; b < batches.length; b++) {
      var g = b - 1, list = batches[b];
      ctx.globalAlpha = quiet ? .28 : state.only >= 0 && state.only !== g ? .12 : .9;
      ctx.fillStyle = quiet ? palette.other : state.coloring.of ? groupColor(g) : palette.group[0]; // the colours of a chosen vertex are those of its aspects
      ctx.beginPath();
      for (var i = 0; i < list.length; i++) {
        var x = px(list[i]), y = py(list[i]);
        if (x < -r || y < -r || x > wide + r || y > high + r) continue;
        if (r < 2) ctx.rect(x - r, y - r, 2 * r, 2 * r); else disc(x, y, r);
      }
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    if (quiet) paintVertex(r); else if (n <= FEW) write(names.map(function (_, v) { return v; }), r);
    if (state.hover >= 0 && state.hover !== state.vertex) { ctx.strokeStyle = palette.ink; ctx.lineWidth = 2; ctx.beginPath(); disc(px(state.hover), py(state.hover), r + 3); ctx.stroke(); }
  }
  function paintVertex(r) {
    var v = state.vertex, x0 = px(v), y0 = py(v), lists = shownLists(v), best = new Map();
    lists.forEach(function (s) {
      ctx.strokeStyle = s.color;
      ctx.globalAlpha = .55; ctx.lineWidth = 1.4; ctx.beginPath();
      s.near.forEach(function (u) {
        ctx.moveTo(x0, y0); ctx.lineTo(px(u.to), py(u.to));
        if (!best.has(u.to) || best.get(u.to).cosine < u.cosine) best.set(u.to, { cosine: u.cosine, color: s.color });
      });
      ctx.stroke();
    });
    ctx.globalAlpha = 1;
    best.forEach(function (s, u) { ctx.fillStyle = s.color; ctx.beginPath(); disc(px(u), py(u), r + 2); ctx.fill(); }); // near in several aspects: the nearest
    ctx.fillStyle = palette.ink; ctx.strokeStyle = palette.paper; ctx.lineWidth = 2;
    ctx.beginPath(); disc(x0, y0, r + 4); ctx.fill(); ctx.stroke();
    write([v].concat(Array.from(best.keys())), r);
  }
  // write writes the names of vertices beside them, where no other name and no button is; whole, or not at all.
  function write(list, r) {
    ctx.font = "12px system-ui, sans-serif"; ctx.lineWidth = 3; ctx.lineJoin = "round";
    var buttons = document.querySelector(".zoom"), taken = [[buttons.offsetLeft - 6, 0, wide, buttons.offsetTop + buttons.offsetHeight]];
    list.forEach(function (u) {
      var text = names[u].length > 28 ? names[u].slice(0, 27) + "…" : names[u];
      var x = px(u) + r + 6, y = py(u) + 4, w = ctx.measureText(text).width;
      if (x + w > wide) x = px(u) - r - 6 - w;
      if (x < 0 || x + w > wide || y < 12 || y > high - 4 || taken.some(function (t) { return x < t[2] && t[0] < x + w && y - 12 < t[3] && t[1] < y; })) return;
      taken.push([x, y - 12, x + w, y]);
      ctx.strokeStyle = palette.paper; ctx.strokeText(text, x, y);
      ctx.fillStyle = palette.ink; ctx.fillText(text, x, y);
    });
  }
  // What the map shows of a vertex: who is near in each aspect, or in one, or by the final vectors.
  function shownLists(v) {
    if (!aspectsShown(v)) return [{ color: palette.group[0], near: nearOf(near, v) }];
    var out = [];
    for (var row = first[v]; row < first[v + 1]; row++) {
      if (state.shown < 0 || state.shown === row - first[v]) out.push({ color: aspectColor(row), near: nearOf(aspects, row) });
    }
    return out;
  }
  function aspectsShown(v) { return aspects && state.shown !== -2 && first[v] < first[v + 1]; }
  // nearOf returns those of a list that are near: in a small network it goes on with others.
  function nearOf(l, row) {
    var out = [];
    for (var i = l.start[row]; i < l.start[row + 1]; i++) if (l.cosine[i] > 0) out.push({ to: l.to[i], cosine: l.cosine[i] });
    return out;
  }
  function linked(v, u) {
    return links !== null && links.to.subarray(links.start[v], links.start[v + 1]).indexOf(u) >= 0;
  }

  // Moving about.
  function zoom(factor, x, y) {
    var before = unit(), s = Math.min(400, Math.max(.5, state.scale * factor));
    x = x === undefined ? wide / 2 : x; y = y === undefined ? high / 2 : y;
    var mx = state.x + (x - wide / 2) / before, my = state.y - (y - high / 2) / before;
    state.scale = s;
    state.x = mx - (x - wide / 2) / unit(); state.y = my + (y - high / 2) / unit();
    draw();
  }
  function pan(dx, dy) { state.x -= dx / unit(); state.y += dy / unit(); draw(); }
  function all() { state.scale = 1; state.x = state.y = .5; draw(); }
  function pick(x, y, reach) {
    var best = -1, least = reach * reach;
    for (var v = 0; v < n; v++) {
      var dx = px(v) - x, dy = py(v) - y, d = dx * dx + dy * dy;
      if (d < least) { least = d; best = v; }
    }
    return best;
  }
  var pointers = new Map(), moved = 0, apart = 0;
  function where(e) { var r = canvas.getBoundingClientRect(); return { x: e.clientX - r.left, y: e.clientY - r.top }; }
  canvas.addEventListener("pointerdown", function (e) { try { canvas.setPointerCapture(e.pointerId); } catch (_) {} pointers.set(e.pointerId, where(e)); moved = 0; apart = 0; });
  canvas.addEventListener("pointermove", function (e) {
    var p = where(e), before = pointers.get(e.pointerId);
    if (!before) { hover(pick(p.x, p.y, 12), p); return; }
    pointers.set(e.pointerId, p);
    moved += Math.abs(p.x - before.x) + Math.abs(p.y - before.y);
    if (pointers.size === 1) { pan(p.x - before.x, p.y - before.y); return; }
    var two = Array.from(pointers.values()), d = Math.hypot(two[0].x - two[1].x, two[0].y - two[1].y);
    if (apart) zoom(d / apart, (two[0].x + two[1].x) / 2, (two[0].y + two[1].y) / 2);
    apart = d;
  });
  function up(e) {
    if (pointers.delete(e.pointerId) && e.type === "pointerup" && moved < 6 && pointers.size === 0) {
      var p = where(e), v = pick(p.x, p.y, e.pointerType === "touch" ? 24 : 12);
      if (v >= 0) choose(v);
    }
    apart = 0;
  }
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", function () { hover(-1); });
  canvas.addEventListener("wheel", function (e) { e.preventDefault(); var p = where(e); zoom(Math.exp(-e.deltaY / 400), p.x, p.y); }, { passive: false });
  canvas.addEventListener("keydown", function (e) {
    var step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[e.key];
    if (step) pan(step[0], step[1]);
    else if (e.key === "+" || e.key === "=") zoom(1.4);
    else if (e.key === "-") zoom(1 / 1.4);
    else if (e.key === "0") all();
    else return;
    e.preventDefault();
  });
  $("in").addEventListener("click", function () { zoom(1.4); });
  $("out").addEventListener("click", function () { zoom(1 / 1.4); });
  $("all").addEventListener("click", all);
  function hover(v, p) {
    var tip = $("tip");
    if (v !== state.hover) { state.hover = v; draw(); }
    canvas.classList.toggle("over", v >= 0);
    tip.hidden = v < 0 || !p;
    if (tip.hidden) return;
    tip.textContent = names[v];
    tip.style.left = Math.max(0, Math.min(p.x + 12, wide - tip.offsetWidth - 4)) + "px"; tip.style.top = Math.max(0, p.y - 30) + "px";
  }

  // Colours.
  function element(tag, text, parent) { var e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (parent) parent.appendChild(e); return e; }
  function spot(color, parent) { var d = element("span", undefined, parent); d.className = "dot"; d.style.background = color; return d; }
  colorings.forEach(function (c, i) { element("option", c.title, $("color")).value = i; });
  var own = element("option", "", $("color")); // what colours show while a vertex is chosen; another choice goes back to the map of all
  own.value = -1;
  $("color").addEventListener("change", function () { if (this.value < 0) return; state.coloring = colorings[+this.value]; state.only = -1; regroup(); choose(-1); });
  function key() { fillKey(); if (box.clientHeight !== high) resize(); } // the map has the room that the key leaves
  function fillKey() {
    var list = $("key"), c = state.coloring, size = [], none = 0, others = 0;
    list.textContent = "";
    own.hidden = own.disabled = state.vertex < 0;
    own.textContent = state.vertex >= 0 && aspectsShown(state.vertex) ? "aspects of the vertex" : "near the vertex";
    $("color").value = state.vertex < 0 ? colorings.indexOf(c) : -1;
    if (state.vertex >= 0) { vertexKey(list, state.vertex); return; }
    if (!c.of) return;
    for (var v = 0; v < n; v++) if (c.of[v] < 0) none++; else size[c.of[v]] = (size[c.of[v]] || 0) + 1;
    c.names.forEach(function (name, g) { if (g < COLORS) row(g, name, size[g] || 0); else others += size[g] || 0; });
    if (c.names.length > COLORS) row(COLORS, (c.names.length - COLORS) + " others", others);
    if (none) row(-1, "none", none);
    function row(g, name, count) {
      var b = element("button", undefined, element("li", undefined, list));
      b.type = "button"; b.setAttribute("aria-pressed", state.only === g && g >= 0);
      spot(groupColor(g), b); element("span", name, b).title = name; element("span", count.toLocaleString("en"), b).className = "size";
      b.addEventListener("click", function () { if (g < 0) return; state.only = state.only === g ? -1 : g; choose(-1); });
    }
  }

  // With a vertex chosen, colours are those of its aspects.
  function vertexKey(list, v) {
    var count = aspectsShown(v) ? first[v + 1] - first[v] : 0;
    for (var k = 0; k < count; k++) {
      if (state.shown >= 0 && state.shown !== k) continue;
      var li = element("li", undefined, list);
      spot(aspectColor(first[v] + k), li); element("span", "near in aspect " + (k + 1), li);
    }
  }

  // The vertex.
  function choose(v, quietly) {
    var inside = $("panel").contains(document.activeElement);
    state.vertex = v; state.shown = -1;
    if (!quietly) { try { history.replaceState(null, "", v < 0 ? "#" : "#" + encodeURIComponent(names[v])); } catch (_) {} }
    panel(); key();
    if (inside) { var h = $("panel").querySelector("h2"); h.tabIndex = -1; h.focus(); } // the button that had the focus is gone
    if (v >= 0) {
      var x = px(v), y = py(v);
      if (x < 20 || y < 20 || x > wide - 20 || y > high - 20) { state.x = at[2 * v] / 65535; state.y = at[2 * v + 1] / 65535; }
    }
    draw();
  }
  function panel() {
    var p = $("panel"), v = state.vertex;
    p.textContent = ""; p.scrollTop = 0;
    if (v < 0) {
      element("h2", n.toLocaleString("en") + (n === 1 ? " vertex" : " vertices"), p);
      element("p", "Search a vertex or click on one to see who is near it" + (aspects ? ", in each of its aspects." : "."), p);
      element("p", "Keys: / searches; on the map, arrows move, + and − zoom, 0 shows all; Escape goes back.", p).className = "keys";
      return;
    }
    element("h2", names[v], p);
    var degree = links ? links.start[v + 1] - links.start[v] : 0;
    if (links) element("p", (degree === 1 ? "1 link" : degree.toLocaleString("en") + " links") + "; below, • marks whom it is linked with", p);
    colorings.forEach(function (c) {
      if (!c.of || c.of[v] < 0) return;
      var of = c.all ? Array.prototype.slice.call(c.all.to, c.all.start[v], c.all.start[v + 1]) : [c.of[v]];
      var kind = c.title.slice(c.title.lastIndexOf(" ") + 1) + " "; // "community: 5", not "community: community 5"
      element("p", c.title + ": " + of.map(function (g) { return c.names[g].indexOf(kind) ? c.names[g] : c.names[g].slice(kind.length); }).join(", "), p);
    });
    if (aspects) {
      for (var row = first[v]; row < first[v + 1]; row++) aspect(p, v, row);
    }
    heading(p, "Near by the final vectors", -2, palette.group[0]);
    list(p, v, near, v);
  }
  function heading(p, title, shown, color) {
    var h = element("h3", undefined, p);
    spot(color, h); element("span", title, h);
    if (aspects) {
      var b = element("button", "on the map", h);
      b.type = "button"; b.setAttribute("aria-pressed", state.shown === shown);
      b.setAttribute("aria-label", title + " alone on the map");
      b.addEventListener("click", function () {
        state.shown = state.shown === shown ? -1 : shown;
        Array.prototype.forEach.call(p.querySelectorAll("h3 button"), function (other) { other.setAttribute("aria-pressed", other === b && state.shown === shown); });
        key(); draw();
      });
    }
  }
  function aspect(p, v, row) {
    var k = row - first[v];
    heading(p, "Aspect " + (k + 1) + ", group " + (groups[row] + 1) + ", " + (counts[row] === 1 ? "1 link" : counts[row] + " links"), k, aspectColor(row));
    list(p, v, aspects, row);
  }
  function list(p, v, l, row) {
    var ol = element("ol", undefined, p);
    for (var i = l.start[row]; i < l.start[row + 1]; i++) (function (u, cosine) {
      var b = element("button", undefined, element("li", undefined, ol));
      b.type = "button";
      element("span", (linked(v, u) ? "• " : "") + names[u], b); element("span", (cosine / 1e4).toFixed(2), b).className = "size";
      b.title = names[u];
      b.addEventListener("click", function () { choose(u); });
      b.addEventListener("mouseenter", function () { hover(u); });
      b.addEventListener("mouseleave", function () { hover(-1); });
    })(l.to[i], l.cosine[i]);
    if (l.start[row] === l.start[row + 1]) element("p", "nobody", p);
  }

  // Search.
  var input = $("search"), found = $("found"), hits = [], marked = 0, lower = null;
  if (window.matchMedia && matchMedia("(hover: hover)").matches) input.placeholder += "  ( / )";
  function search() {
    var text = input.value.trim().toLowerCase(), begins = [], holds = [];
    lower = lower || names.map(function (s) { return s.toLowerCase(); });
    for (var v = 0; text && v < n; v++) { // to the last: the very name may come after twenty that begin with it
      var i = lower[v].indexOf(text);
      if (i === 0) { if (lower[v] === text) begins.unshift(v); else if (begins.length < 20) begins.push(v); } else if (i > 0 && holds.length < 20) holds.push(v);
    }
    hits = begins.concat(holds).slice(0, 20); marked = 0;
    found.textContent = "";
    hits.forEach(function (v, i) {
      var li = element("li", names[v], found);
      li.id = "hit" + i; li.setAttribute("role", "option");
      li.addEventListener("pointerdown", function (e) { e.preventDefault(); take(i); });
    });
    if (text && !hits.length) element("li", "no vertex has that in its name", found).className = "none";
    open(!!text); mark();
  }
  function open(yes) { found.hidden = !yes; input.setAttribute("aria-expanded", yes); }
  function mark() {
    Array.prototype.forEach.call(found.children, function (li, i) { li.setAttribute("aria-selected", i === marked); if (i === marked && li.scrollIntoView && !found.hidden) li.scrollIntoView({ block: "nearest" }); });
    if (hits.length) input.setAttribute("aria-activedescendant", "hit" + marked); else input.removeAttribute("aria-activedescendant");
  }
  function take(i) { if (i < hits.length) { var v = hits[i]; input.value = names[v]; open(false); choose(v); } }
  input.addEventListener("input", search);
  input.addEventListener("focus", function () { if (input.value) { input.select(); } });
  input.addEventListener("blur", function () { open(false); });
  input.addEventListener("keydown", function (e) {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") { if (found.hidden) search(); marked = hits.length ? (marked + (e.key === "ArrowDown" ? 1 : hits.length - 1)) % hits.length : 0; mark(); }
    else if (e.key === "Enter") take(marked);
    else if (e.key === "Escape") { open(false); input.blur(); }
    else return;
    e.preventDefault(); e.stopPropagation();
  });
  document.addEventListener("keydown", function (e) {
    if (e.target === input || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "/") { input.focus(); e.preventDefault(); }
    else if (e.key === "Escape") { state.only = -1; choose(-1); }
  });

  function fromHash() {
    var name;
    try { name = decodeURIComponent(location.hash.slice(1)); } catch (_) { return; }
    var v = name ? names.indexOf(name) : -1;
    if (v !== state.vertex) choose(v, true);
  }
  window.addEventListener("hashchange", fromHash);
  if (window.ResizeObserver) new ResizeObserver(resize).observe(box); else window.addEventListener("resize", resize);
  if (window.matchMedia) window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () { readPalette(); key(); panel(); draw(); });
  readPalette(); regroup(); resize(); key(); panel(); fromHash();
})();

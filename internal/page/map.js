
// ---- Map: who used what in one execution

// uses counts, for each process and object, how often the one acted on the other, and how.
function uses(t) {
  const found = new Map();
  const note = (p, o, into) => {
    const key = p + ' ' + o;
    if (!found.has(key)) found.set(key, { p, o, into: 0, from: 0 });
    found.get(key)[into ? 'into' : 'from']++;
  };
  for (let i = 0; i < t.n; i++) {
    const o = t.e.Obj[i];
    if (o < 0 || ['log', 'end', 'join'].includes(t.kind[i])) continue;
    note(t.e.Proc[i], o, !FROM.has(t.kind[i]));
    if (t.e.Partner[i] >= 0) note(t.e.Partner[i], o, false);
  }
  return [...found.values()];
}

// FROM are the operations by which something comes from an object to the process.
const FROM = new Set(['recv', 'len', 'load', 'wgwait', 'condwait', 'poolget', 'rlock']);

const MAP_ROWS = 60; // processes, and objects, that are drawn

function showMap(r) {
  const index = Math.min(r.item, page.traces.length) - 1, t = trace(index);
  if (!t) return h('p', null, 'No execution was recorded.');
  const pick = h('select', { 'aria-label': 'Execution', onchange: () => { location.hash = '#map/' + (pick.selectedIndex + 1); } },
    page.traces.map((x, i) => h('option', { selected: i === index }, x.title)));
  const all = uses(t), objects = order(t, all).slice(0, MAP_ROWS), edges = all.filter((u) => u.p < MAP_ROWS && objects.includes(u.o));
  return h('div', null, h('section', null, h('div', { class: 'tools' }, pick),
    h('p', { class: 'hint' }, 'Who sends to, locks or changes what, and who receives or reads: how often, in this execution.'), picture(t, edges, objects)),
  section('The same as a table', h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Uses' }, h('table', null,
    h('thead', null, h('tr', null, ['goroutine', 'channel, lock or other', 'sends, locks, changes', 'receives, reads'].map((x) => h('th', { scope: 'col' }, x)))),
    h('tbody', null, edges.map((u) => h('tr', null, h('td', null, h('b', null, t.proc(u.p))), h('td', null, t.objects[u.o].Name, ' ', h('span', { class: 'soft' }, t.objects[u.o].About)),
      h('td', { class: 'no' }, u.into || ''), h('td', { class: 'no' }, u.from || ''))))))));
}

// order puts the objects where their users are, so that few lines cross.
function order(t, all) {
  const at = new Map();
  for (const u of all) at.set(u.o, [...(at.get(u.o) || []), u.p]);
  const middle = (o) => at.get(o).reduce((a, b) => a + b, 0) / at.get(o).length;
  return [...at.keys()].sort((a, b) => middle(a) - middle(b) || a - b);
}

// picture shows what goes from whom through what to whom: from the left to the right, the wider the
// more often.
function picture(t, edges, objects) {
  const givers = [...new Set(edges.filter((u) => u.into).map((u) => u.p))].sort((a, b) => a - b);
  const takers = [...new Set(edges.filter((u) => u.from).map((u) => u.p))].sort((a, b) => a - b);
  const step = 44, w = 1000, x = [250, 400, 600, 750];
  const height = Math.max(givers.length, takers.length, objects.length, 1) * step;
  const y = (list, i) => ((list.indexOf(i) + 0.5) * height) / list.length;
  const most = Math.max(1, ...edges.map((u) => Math.max(u.into, u.from)));
  const wide = (n) => (1 + 3 * Math.log(n) / Math.log(Math.max(2, most))).toFixed(1);
  const svg = h('svg', { class: 'map', viewBox: `0 0 ${w} ${height}`, role: 'img',
    'aria-label': `${plural(givers.length, 'goroutine')} at the left, ${plural(objects.length, 'object')}, ${plural(takers.length, 'goroutine')} at the right; the table below has them` });
  const line = (x1, y1, x2, y2, n) => {
    const mid = (x1 + x2) / 2;
    svg.append(h('path', { class: 'edge', 'stroke-width': wide(n), d: `M${x1 + 8} ${y1}C${mid} ${y1} ${mid} ${y2} ${x2 - 14} ${y2}` }), h('path', { class: 'tip', d: `M${x2 - 6} ${y2}l-9 -4.5v9z` }));
  };
  for (const u of edges) {
    if (u.into) line(x[0], y(givers, u.p), x[1], y(objects, u.o), u.into);
    if (u.from) line(x[2], y(objects, u.o), x[3], y(takers, u.p), u.from);
  }
  const text = (at, dx, anchor, kind, words) => svg.append(h('text', { x: dx, y: at, 'text-anchor': anchor, class: kind }, words));
  for (const p of givers) text(y(givers, p) + 4, x[0], 'end', 'name', t.proc(p));
  for (const p of takers) text(y(takers, p) + 4, x[3], 'start', 'name', t.proc(p));
  for (const o of objects) {
    text(y(objects, o) + 1, (x[1] + x[2]) / 2, 'middle', 'name', t.objects[o].Name);
    text(y(objects, o) + 15, (x[1] + x[2]) / 2, 'middle', 'about', t.objects[o].About.replace(/ (made|first used) at /, ', ').slice(0, 36));
  }
  return svg;
}


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
  actorsOf(t),
  section('Who used what, as a table', h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Uses' }, h('table', null,
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

// clip is a name as long as there is room for; the table has all of it.
function clip(name) { return name.length > 32 ? name.slice(0, 15) + '…' + name.slice(-16) : name; }

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
  for (const p of givers) text(y(givers, p) + 4, x[0], 'end', 'name', clip(t.proc(p)));
  for (const p of takers) text(y(takers, p) + 4, x[3], 'start', 'name', clip(t.proc(p)));
  for (const o of objects) {
    text(y(objects, o) + 1, (x[1] + x[2]) / 2, 'middle', 'name', t.objects[o].Name);
    text(y(objects, o) + 15, (x[1] + x[2]) / 2, 'middle', 'about', t.objects[o].About.replace(/ (made|first used) at /, ', ').slice(0, 36));
  }
  return svg;
}

// ---- Actors: what the analyses know, and how much of it has been seen

// near reports whether step i, which one of its parties did at a place, is what the code at a site
// does: a case of a select has the place of its select, and the channel tells it apart.
function near(t, place, wants, object, site, makes) {
  const s = t.site(place);
  if (!s || s.File !== site.File) return false;
  if (s.Line === site.Line) return true;
  return wants.startsWith('select') && s.Line < site.Line && site.Line - s.Line < 60 &&
    makes.some((m) => object >= 0 && t.objects[object].About.endsWith(' at ' + m.Place));
}

// channels are the objects of an execution that a mailbox stands for: those that its actor has
// received from, and those that nobody has.
function channels(t, mailbox) {
  const mine = new Set(), taken = new Set(), makes = mailbox.Makes || [], here = (s) => s && (mailbox.Receives || []).some((r) => r.File === s.File && r.Line === s.Line);
  const made = (o) => !makes.length || !/ made at /.test(t.objects[o].About) || makes.some((m) => t.objects[o].About.endsWith(' at ' + m.Place));
  for (let i = 0; i < t.n; i++) {
    const o = t.e.Obj[i], partner = t.e.Partner[i] >= 0;
    if (o < 0 || t.kind[i] !== 'recv' && !partner) continue;
    taken.add(o);
    if (made(o) && here(t.site((partner ? t.e.PartnerSite : t.e.Site)[i]))) mine.add(o);
  }
  t.objects.forEach((x, o) => { if (!taken.has(o) && made(o)) mine.add(o); });
  return mine;
}

// sent counts the steps of an execution by which a sender has sent to a mailbox, or closed it.
function sent(t, mailbox, sender) {
  let n = 0;
  const kind = sender.Close ? 'close' : 'send', mine = channels(t, mailbox);
  for (let i = 0; i < t.n; i++) {
    if (t.kind[i] === kind && mine.has(t.e.Obj[i]) && near(t, t.e.Site[i], t.raw.Texts[t.e.Wants[i]] || '', t.e.Obj[i], sender.Site, mailbox.Makes || [])) n++;
  }
  return n;
}

// ofPackage are the traces of the package that t is of.
function ofPackage(t) { return page.traces.map((x, i) => trace(i)).filter((x) => x.raw.Package === t.raw.Package); }

function actorsOf(t) {
  const p = (page.data.Packages || []).find((x) => x.Package === t.raw.Package), f = p && p.Facts;
  if (!f) return null;
  if (f.Reason) return section('Actors', h('p', { class: 'note' }, f.Reason));
  if (!(f.Actors || []).length) return section('Actors', h('p', { class: 'hint' }, 'No goroutine of this package is an actor: none loops over the messages of a mailbox that is its own.'));
  const others = ofPackage(t).filter((x) => x !== t);
  return h('section', null, h('h3', null, 'Actors'),
    h('p', { class: 'hint' }, 'Who may send to whom, by the code. Bold, with a count: in this execution; plain: in another one that is recorded; dashed: in none of these.'),
    f.Actors.map((a) => h('div', { class: 'actor' }, h('h4', null, a.Name, ' ', h('span', { class: 'soft' }, `${a.Family ? 'one of several, ' : ''}${a.Site.Place}`)),
      actorPicture(t, others, a), sendersOf(t, others, a), matrixOf(p, a))));
}

// ways are the edges into an actor: function, mailbox, and how often that was seen.
function ways(t, others, a) {
  const list = [];
  for (const m of a.Mailboxes) {
    for (const s of m.Senders || []) {
      const count = sent(t, m, s);
      list.push({ m, s, count, seen: count > 0 || others.some((x) => sent(x, m, s) > 0) });
    }
  }
  return list;
}

function actorPicture(t, others, a) {
  const all = ways(t, others, a), boxes = a.Mailboxes, places = all.length, step = 34, w = 1000, x = [330, 520, 690, 830];
  const height = Math.max(places, boxes.length, 1) * step, y = (i, n) => ((i + 0.5) * height) / n;
  const svg = h('svg', { class: 'map', viewBox: `0 0 ${w} ${height}`, role: 'img', 'aria-label': `${plural(places, 'place')} that may send to ${a.Name}; the table below has them` });
  const edge = (x1, y1, x2, y2, count, seen) => {
    const mid = (x1 + x2) / 2;
    svg.append(h('path', { class: 'edge' + (count ? ' now' : ''), 'stroke-width': count ? 2.5 : 1.2, 'stroke-dasharray': seen ? null : '4 4', d: `M${x1 + 8} ${y1}C${mid} ${y1} ${mid} ${y2} ${x2 - 12} ${y2}` }), h('path', { class: 'tip', d: `M${x2 - 4} ${y2}l-9 -4.5v9z` }));
  };
  const text = (dx, dy, anchor, kind, words) => svg.append(h('text', { x: dx, y: dy + 4, 'text-anchor': anchor, class: kind }, words));
  all.forEach((e, i) => {
    const from = y(i, places), to = y(boxes.indexOf(e.m), boxes.length);
    edge(x[0], from, x[1], to, e.count, e.seen);
    text(x[0], from, 'end', 'name', `${e.s.In}${e.s.Close ? ' closes' : ''}${e.count ? '  ' + e.count + '×' : ''}`);
  });
  boxes.forEach((m, i) => {
    const into = all.filter((e) => e.m === m), now = into.some((e) => e.count);
    edge(x[2], y(i, boxes.length), x[3], height / 2, now ? 1 : 0, into.some((e) => e.seen) || !into.length);
    text((x[1] + x[2]) / 2, y(i, boxes.length), 'middle', 'name', m.Name);
  });
  text(x[3] + 2, height / 2, 'start', 'name', a.Name);
  return svg;
}

function sendersOf(t, others, a) {
  return h('details', null, h('summary', null, 'Mailboxes and senders, as a table'), h('table', null,
    h('thead', null, h('tr', null, ['mailbox', 'sender', 'at', 'in this execution'].map((x) => h('th', { scope: 'col' }, x)))),
    h('tbody', null, ways(t, others, a).map((e) => h('tr', null,
      h('td', null, h('b', null, e.m.Name), ' ', h('span', { class: 'soft' }, `${e.m.Elem}, capacity ${e.m.Capacity}`)),
      h('td', null, `${e.s.In}${e.s.Close ? ' closes it' : ''}${(e.s.Kinds || []).length ? ': ' + e.s.Kinds.join(', ') : ''}`), h('td', null, e.s.Site.Place),
      h('td', { class: 'no' }, e.count || (e.seen ? 'not in this one' : 'in none')))))));
}

// The verdicts of a pair: a sign, a word, and what they mean.
const VERDICTS = {
  commute: ['=', 'commute', 'in either order, the same comes out'],
  when: ['≈', 'on a condition', 'they commute if the condition holds'],
  dependent: ['×', 'do not commute', 'their order may matter'],
  unknown: ['?', 'not known', 'one of them does what the analysis does not know'],
};

// matrixOf is the table of an actor's handlers; a cell opens its reason below.
function matrixOf(p, a) {
  if (!(a.Pairs || []).length) return null;
  const names = a.Handlers.map((x) => x.Name), reason = h('div', { class: 'reason', 'aria-live': 'polite' });
  const pair = (i, k) => a.Pairs.find((q) => q.First === Math.min(i, k) && q.Second === Math.max(i, k));
  const open = (q, button) => {
    for (const b of table.querySelectorAll('[aria-pressed=true]')) b.setAttribute('aria-pressed', 'false');
    button.setAttribute('aria-pressed', 'true');
    fill(reason, reasonOf(p, a, q));
  };
  const cellOf = (i, k) => {
    const q = pair(i, k);
    if (!q) return h('td', null);
    const [sign, word] = VERDICTS[q.Verdict];
    const button = h('button', { class: 'pair ' + q.Verdict, 'aria-pressed': 'false', 'aria-label': `${names[i]} and ${names[k]}: ${word}`, onclick: () => open(q, button) }, sign, ' ', h('span', null, word));
    return h('td', null, button);
  };
  const table = h('table', { class: 'matrix' },
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'handler'), names.map((n) => h('th', { scope: 'col' }, n)))),
    h('tbody', null, names.map((n, i) => h('tr', null, h('th', { scope: 'row' }, n), names.map((_, k) => cellOf(i, k))))));
  return h('div', null, h('h4', null, 'Which tasks commute'), h('p', { class: 'hint' }, 'Two messages, one right after the other. Open a cell for the reason.'),
    h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Handlers of ' + a.Name }, table), reason);
}

function reasonOf(p, a, q) {
  const [, word, means] = VERDICTS[q.Verdict], where = (s) => (s.Line > 0 ? s.Place : 'somewhere');
  return h('div', null,
    h('p', null, h('b', null, `${a.Handlers[q.First].Name} and ${a.Handlers[q.Second].Name}: ${word}`), h('span', { class: 'soft' }, ` (${means})`)),
    (q.Conflicts || []).map((c) => h('p', { class: 'note' }, `${c.What}: ${where(c.First)} and ${where(c.Second)}`, c.Unless ? `; not if ${c.Unless}` : '')),
    (q.Commuting || []).map((c) => h('p', { class: 'note' }, `both change ${c}, in any order`)),
    usedOf(p, a, q));
}

// usedOf says how often the search has used that a pair commutes, and what an audit has compared.
function usedOf(p, a, q) {
  const names = [a.Handlers[q.First].Name, a.Handlers[q.Second].Name].sort().join(), lines = [];
  for (const t of p.Tests || []) {
    for (const x of t.Pruned || []) {
      if (x.Actor === a.Package + '.' + a.Name && [x.First, x.Second].sort().join() === names) lines.push(`${t.Name}: ${plural(x.Count, 'order')} left out, as ${x.Fact}`);
    }
    if (t.Audited && !t.Audited.Steps) lines.push(`${t.Name}: ${plural(t.Audited.Pairs, 'pair')} of its tasks run in both orders and compared, of ${t.Audited.Met} that the facts say to commute${t.Audited.Wrong ? '; some did not' : ''}`);
  }
  return lines.length ? lines.map((l) => h('p', { class: 'note' }, l)) : h('p', { class: 'hint' }, 'The search has not used it: it takes Go\'s own operations for its steps (-independence commute).');
}

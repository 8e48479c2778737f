
// What people see. Everything is made by h, which makes text nodes: no text of the program is ever
// taken for markup.
const ROW = 22;        // height of a row, in px
const LANE = 13;       // width of a process's lane
const LANES = 112;     // of all of them
const MAX_LANES = 16;  // lanes that are drawn; who comes after them has none

// h makes an element.
function h(tag, props, ...kids) {
  const svg = tag === 'svg' || tag === 'path' || tag === 'text';
  const el = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) el.addEventListener(key.slice(2), value);
    else if (key === 'class' && !svg) el.className = value;
    else el.setAttribute(key, value === true ? '' : value);
  }
  add(el, kids);
  return el;
}

function add(el, kids) {
  for (const kid of kids.flat(9)) {
    if (kid === null || kid === undefined || kid === false) continue;
    el.append(kid.nodeType ? kid : document.createTextNode(String(kid)));
  }
}

// fill replaces what an element holds.
function fill(el, ...kids) { el.replaceChildren(); add(el, kids); }

function plural(n, what) { return n === 1 ? '1 ' + what : n + ' ' + what + 's'; }

// Page is what is shown: the data, the traces, and where in them we are.
const page = {
  data: null, findings: [], traces: [], tests: [], app: null,
  filter: { past: false, procs: new Set(), inside: false },
};

// start unpacks the data and shows the page in the place of the plain part.
async function start() {
  const text = document.getElementById('data').textContent.trim();
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  load(JSON.parse(await new Response(stream).text()));
  document.getElementById('plain').remove();
  page.app = document.getElementById('app');
  page.app.hidden = false;
  if (page.data.Follows) listen();
  window.addEventListener('hashchange', show);
  window.addEventListener('keydown', keys);
  window.addEventListener('beforeprint', () => page.rows && page.rows.printAll());
  window.addEventListener('afterprint', () => page.rows && page.rows.draw(true));
  show();
}

function load(data) {
  Object.assign(page, { data, findings: [], traces: [], tests: [], cone: null });
  for (const p of data.Packages || []) {
    for (const t of p.Tests || []) {
      page.tests.push({ p, t });
      for (const f of t.Found || []) {
        const entry = { p, t, f, number: page.findings.length + 1, failing: -1, passing: -1 };
        if (f.Failing) entry.failing = page.traces.push({ raw: f.Failing, title: `${t.Name}: ${f.Kind}`, entry }) - 1;
        if (f.Passing) entry.passing = page.traces.push({ raw: f.Passing, title: `${t.Name}: passing, beside ${f.Kind}`, entry }) - 1;
        page.findings.push(entry);
      }
      for (const x of t.Examples || []) {
        const number = page.traces.push({ raw: x, title: x.Outcome ? `${t.Name}: outcome ${x.Outcome}, ${x.Verdict}` : `${t.Name}: ${x.Verdict}`, entry: null });
        const outcome = x.Outcome && (t.Outcomes || []).find((o) => o.Number === x.Outcome);
        if (outcome) outcome.example = number;
      }
    }
  }
  for (const raw of data.Tried || []) page.traces.push({ raw, title: triedTitle(raw), entry: null });
}

// trace is number i, made when it is first asked for.
function trace(i) {
  const slot = page.traces[i];
  if (!slot) return null;
  slot.trace = slot.trace || new Trace(slot.raw, slot.title);
  return slot.trace;
}

// route reads the address: #finding/2/step/41, #schedule/1/step/7, #tests. Numbers count from 1.
function route() {
  const parts = decodeURIComponent(location.hash.slice(1)).split('/');
  const number = (at) => (/^[0-9]+$/.test(parts[at] || '') ? Number(parts[at]) : 0);
  const step = parts.indexOf('step');
  const fallback = page.findings.length ? 'finding' : 'tests';
  return { view: VIEWS[parts[0]] && VIEWS[parts[0]].has() ? parts[0] : fallback, item: number(1) || 1, step: step > 0 ? number(step + 1) : 0 };
}

function go(view, item, step) {
  const hash = '#' + [view, item, ...(step ? ['step', step] : [])].join('/');
  if (location.hash !== hash) history.replaceState(null, '', hash);
}

const VIEWS = {
  finding: { title: 'Findings', show: showFinding, has: () => page.findings.length },
  schedule: { title: 'Schedule', show: showSchedule, has: () => page.traces.length },
  map: { title: 'Map', show: showMap, has: () => page.traces.length },
  races: { title: 'Races', show: showRaces, has: () => races().length },
  tests: { title: 'Tests', show: showTests, has: () => true },
};

function show() {
  const r = route(), view = VIEWS[r.view];
  page.rows = null;
  page.onKey = null;
  page.app.replaceChildren(header(r), h('main', { id: 'main', tabindex: '-1' }, view.show(r)));
  if (page.rows) page.rows.draw(true);
}

function header(r) {
  const failed = page.tests.filter((x) => (x.t.Found || []).length).length;
  const open = page.tests.filter((x) => !x.t.Complete && x.t.Verdict === 'pass').length;
  const words = [plural(page.tests.length, 'test')];
  if (failed) words.push(failed + ' with findings');
  if (open) words.push(open + ' incomplete');
  for (const { t } of page.tests) if (t.Verdict === 'exploring') words.push(`exploring ${t.Name}: ${t.Summary || 'begun'}`);
  if (page.tests.some((x) => !x.p.Values)) words.push('values and source are left out (-values=off)');
  return h('header', null,
    h('h1', null, 'rehearse'),
    h('span', { class: 'verdict' }, words.join(', ')),
    h('nav', { 'aria-label': 'Views' }, Object.entries(VIEWS).map(([name, v]) => {
      if (!v.has()) return null;
      return h('a', { href: '#' + name + (name === 'tests' || name === 'races' ? '' : '/1'), 'aria-current': r.view === name ? 'page' : null }, v.title);
    })),
    h('button', { onclick: toggleScheme, 'aria-label': 'Light or dark' }, '◐'));
}

function toggleScheme() {
  const root = document.documentElement;
  const dark = root.dataset.scheme ? root.dataset.scheme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.scheme = dark ? 'light' : 'dark';
  if (page.overview) page.overview();
}

// ---- Findings

function showFinding(r) {
  const entry = page.findings[r.item - 1] || page.findings[0];
  if (!entry) return h('p', null, 'Nothing was found.');
  const body = h('article', null, headOf(entry));
  const failing = trace(entry.failing), passing = trace(entry.passing);
  if (failing) add(body, [decisionOf(failing), accessesOf(entry), schedules(entry, failing, passing, r.step)]);
  else add(body, [accessesOf(entry), entry.f.Chart && section('The order that fails', h('div', { class: 'scroll', tabindex: '0' }, h('pre', null, entry.f.Chart.join('\n'))))]);
  if (page.findings.length === 1) return h('div', { class: 'findings one' }, body);
  return h('div', { class: 'findings' }, listOf(entry), body);
}

function listOf(current) {
  const list = h('nav', { class: 'list', 'aria-label': 'Findings', tabindex: '0' });
  let before = null;
  for (const e of page.findings) {
    if (e.p !== before) add(list, [h('h2', null, e.p.Package)]);
    before = e.p;
    add(list, [h('a', { href: '#finding/' + e.number, 'aria-current': e === current ? 'true' : null },
      `${e.t.Name}: ${e.f.Kind}`, h('small', null, e.f.Kind === 'fail' ? e.f.Message : e.f.Sentence || e.f.Message))]);
  }
  return list;
}

function headOf({ p, t, f }) {
  const times = plural(f.Count || 1, 'execution');
  const replay = f.Schedule && `rehearse replay ${shell(below(p.Cwd, p.Dir + '/' + f.Schedule))}`;
  return h('div', null,
    h('h2', { class: 'sentence' }, f.Sentence || oneLine(f.Message) || f.Kind),
    h('p', { class: 'about' }, h('span', { class: 'kind' }, f.Kind), ' in ', h('b', null, t.Name), f.Pos ? ` at ${f.Pos}` : '',
      `, in ${times}${f.Count > t.Executions ? '' : ' of ' + t.Executions}`, f.Away > 0 ? `, ${plural(f.Away, 'step')} away from a passing order` : '', f.Delay ? `, if a goroutine is held up for ${f.Delay}` : ''),
    h('p', { class: 'about' }, t.Summary),
    f.Sentence && f.Message && !['race', 'deadlock', 'leak'].includes(f.Kind) ? h('pre', { class: 'message' }, f.Message) : null,
    replay ? command(replay) : null,
    f.Rough ? h('p', { class: 'note' }, 'not minimised to the end: ' + f.Rough) : null);
}

// below is a file as seen from a directory above it.
function below(dir, file) { return dir && file.startsWith(dir + '/') ? file.slice(dir.length + 1) : file; }

function oneLine(s) { return (s || '').replace(/\s+/g, ' ').trim(); }

function shell(s) { return /^[\w./@:+-]+$/.test(s) ? s : "'" + s.replace(/'/g, "'\\''") + "'"; }

function command(text) {
  const button = h('button', { onclick: () => copy(text, button) }, 'Copy');
  return h('div', { class: 'command' }, h('code', { tabindex: '0' }, text), button);
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', { 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
}

function section(title, ...kids) { return h('section', null, h('h3', null, title), kids); }

// decisionOf shows the two steps whose order decides, with their source.
function decisionOf(t) {
  const d = t.raw.Decision, k = d ? d.First : t.raw.Parting;
  if (k < 0 || k >= t.n) return null;
  const ends = [endOfStep(t, k, '')];
  if (d && d.Second >= 0) ends.push(endOfStep(t, d.Second, 'in the passing order this came first'));
  else if (d) ends.push(endOf(t, 'never', t.proc(d.Proc), t.procs[d.Proc].Waits, t.procs[d.Proc].WaitSite, '', 'in the passing order this came first'));
  return h('section', { class: 'decides', id: 'decides' }, h('h3', null, 'What decides'),
    d && d.Rule ? h('p', { class: 'hint' }, d.Object ? `a race over ${d.Object}: ${d.Rule}` : d.Rule) : null,
    h('div', { class: 'ends' }, ends));
}

// endOfStep shows step k with its source, and both places of a rendezvous.
function endOfStep(t, k, remark) {
  const q = t.site(t.e.PartnerSite[k]);
  return endOf(t, `step ${k + 1}`, t.proc(t.e.Proc[k]), t.text(k), codeSite(t, k), t.place(k) + (q ? ' to ' + local(q.Place) : ''), remark);
}

// codeSite is the place whose source says most about step k: the line that is no select.
function codeSite(t, k) {
  const s = t.e.Site[k], q = t.e.PartnerSite[k];
  const isSelect = (at) => { const x = t.site(at); return !x || /^\s*select\b/.test(((t.raw.Sources || {})[x.File] || {})[x.Line] || ''); };
  return isSelect(s) && q >= 0 && !isSelect(q) ? q : s;
}

function endOf(t, when, who, what, site, places, remark) {
  const s = t.site(site);
  return h('div', { class: 'end' },
    h('h4', null, h('span', { class: 'no' }, when), ' ', who, ' ', h('span', { class: 'soft' }, what || '')),
    h('p', { class: 'places' }, h('span', { class: 'code' }, places || (s ? local(s.Place) : '')), remark ? ' · ' + remark : ''),
    sourceOf(t, s));
}

// sourceOf shows the code around a place.
function sourceOf(t, s) {
  if (!s) return null;
  const lines = (t.raw.Sources || {})[s.File];
  if (!lines) return null;
  const box = h('div', { class: 'source code', tabindex: '0', role: 'group', 'aria-label': s.Place });
  for (let n = s.Line - 6; n <= s.Line + 6; n++) {
    if (lines[n] === undefined) continue;
    add(box, [h('div', { class: n === s.Line ? 'at' : '' }, h('span', { class: 'no' }, n), lines[n] || ' ')]);
  }
  return box;
}

// accessesOf shows the two accesses of a race, or the stack of a panic.
function accessesOf(entry) {
  const f = entry.f;
  if ((f.Accesses || []).length) return section('The two accesses', accessPair(entry));
  return (f.Stack || []).length ? section('Stack', stackOf(f.Stack)) : null;
}

function stackOf(lines) { return h('ol', { class: 'stack code' }, (lines || []).map((l) => h('li', null, `${l.Text}   ${l.Pos}`))); }

// schedules shows the failing order beside the passing one, and the state at the chosen step.
function schedules(entry, failing, passing, step) {
  const box = h('div'), state = h('div', { class: 'state' });
  const chosen = { k: step ? Math.min(step, failing.n) - 1 : Math.max(isBrief(failing) ? failing.raw.Brief.Parting : failing.raw.Parting, 0) };
  const redraw = () => {
    const rows = rowsOf(failing, passing), brief = isBrief(failing), at = rows.findIndex((r) => r.f >= chosen.k);
    if (at >= 0 && !step) chosen.k = rows[at].f;
    page.rows = new Rows({
      rows, two: !!passing, chosen: at,
      cells: (r) => [cell(failing, r.f, passing && r.p >= 0 && r.f >= 0 && outOfOrder(rows, r), brief), passing && cell(passing, r.p, false, brief)],
      label: (r) => (r.f >= 0 ? failing.label(r.f, brief) : 'only in the passing order: ' + passing.label(r.p, brief)),
      parts: (r) => r.f >= 0 && failing.deviates(r.f, brief),
      far: (r, at) => far(failing, r, at),
      choose: (r) => { if (r.f >= 0) { chosen.k = r.f; go('finding', entry.number, r.f + 1); describe(); } },
    });
    fill(box,
      tools(entry, failing, passing, redraw),
      h('div', { class: 'heads' + (passing ? ' two' : '') },
        h('div', null, 'The order that fails ', h('span', null, plural(failing.n, 'step') + (failing.raw.End ? ', ' + failing.raw.End : ''))),
        passing && h('div', null, 'An order that passes ', h('span', null, plural(passing.n, 'step')))),
      page.rows.el);
    page.rows.draw(true);
    describe();
  };
  const describe = () => fill(state, stateOf(failing, chosen.k + 1, `After step ${chosen.k + 1}`, isBrief(failing)));
  redraw();
  const why = failing.raw.Detail ? null : h('p', { class: 'note' }, failing.raw.Why);
  return h('section', null, h('h3', null, passing ? 'The two orders' : 'The order'), why, box, state);
}

// isBrief reports whether only those steps of an execution are shown that are not a library's.
function isBrief(t) { return t.brief && !page.filter.inside; }

// rowsOf are the rows after the filters.
function rowsOf(failing, passing) {
  let rows = passing ? align(failing, passing) : [];
  if (!passing) for (let i = 0; i < failing.n; i++) rows.push({ f: i, p: -1 });
  const { past, procs } = page.filter;
  const told = (t, i) => i >= 0 && t.brief.has(i);
  if (isBrief(failing)) rows = rows.filter((r) => told(failing, r.f) || passing?.brief && told(passing, r.p));
  if (past) {
    const set = failing.past(failing.failure());
    rows = rows.filter((r) => r.f >= 0 && set.has(r.f));
  }
  const mine = (t, i) => t.parties(i).some((q) => procs.has(t.procs[q].Path));
  if (procs.size) rows = rows.filter((r) => (r.f >= 0 ? mine(failing, r.f) : mine(passing, r.p)));
  return rows;
}

// outOfOrder reports whether the passing execution does a row's step before or after another row's
// that is on the other side here.
function outOfOrder(rows, r) {
  const at = rows.indexOf(r);
  for (let d = 1; d <= 3; d++) {
    const a = rows[at - d], b = rows[at + d];
    if (a && a.p > r.p || b && b.p >= 0 && b.p < r.p) return true;
  }
  return false;
}

// far reports whether a row's step neither happens before nor after the step that is pointed at.
function far(t, r, at) {
  if (!at || at.f < 0 || r.f < 0) return false;
  if (page.cone?.of !== t || page.cone.at !== at.f) page.cone = { of: t, at: at.f, past: t.past([at.f]), future: t.future(at.f) };
  return !page.cone.past.has(r.f) && !page.cone.future.has(r.f);
}

function tools(entry, failing, passing, redraw) {
  const press = (name, on, flip) => h('button', { 'aria-pressed': String(on), onclick: () => { flip(); redraw(); } }, name);
  const { procs } = page.filter, shown = isBrief(failing) ? failing.inBrief : failing.procs.map((_, p) => p);
  return h('div', { class: 'tools' },
    h('div', { class: 'chips', role: 'group', 'aria-label': 'Only steps of' }, shown.slice(0, 40).map((p) => failing.procs[p]).map((q, i) =>
      h('button', { 'aria-pressed': String(procs.has(q.Path)), onclick: () => { procs.has(q.Path) ? procs.delete(q.Path) : procs.add(q.Path); redraw(); } },
        h('span', { class: 'no' }, i + 1), q.Name))),
    failing.brief ? press('steps inside the library, too', page.filter.inside, () => { page.filter.inside = !page.filter.inside; }) : null,
    press('only what led to the failure', page.filter.past, () => { page.filter.past = !page.filter.past; }),
    h('a', { href: '#schedule/' + (entry.failing + 1) }, 'step through it'),
    save('save the failing order', failing), passing && save('save the passing order', passing));
}

// save is a link by which the browser saves a schedule.
function save(name, t) {
  if (!t.raw.Schedule) return null;
  if (page.data.Live) {
    const button = h('button', { onclick: () => keep(t, button) }, name);
    return button;
  }
  const file = `${t.raw.Test.replace(/[^\w.-]/g, '_')}-${t.raw.Role}.sched`;
  return h('a', { href: 'data:text/plain;charset=utf-8,' + encodeURIComponent(t.raw.Schedule), download: file }, name);
}

// ---- Rows: a list that draws only what is seen

class Rows {
  constructor(options) {
    Object.assign(this, options);
    this.chosen = Math.max(0, this.chosen);
    this.drawn = new Map();
    this.spacer = h('div', { class: 'spacer', role: 'presentation' });
    this.spacer.style.height = this.rows.length * ROW + 'px';
    this.el = h('div', { class: 'rows', role: 'grid', 'aria-label': this.title || 'Steps', 'aria-rowcount': this.rows.length, onscroll: () => this.draw(), onkeydown: (e) => this.key(e) }, this.spacer);
  }

  draw(anew) {
    if (anew) {
      for (const el of this.drawn.values()) el.remove();
      this.drawn.clear();
      if (!this.shown && this.el.isConnected) { this.shown = true; this.reveal(); }
    }
    const height = this.el.clientHeight || 600, from = Math.max(0, Math.floor(this.el.scrollTop / ROW) - 8);
    const to = Math.min(this.rows.length, from + Math.ceil(height / ROW) + 16);
    for (const [i, el] of this.drawn) if ((i < from || i >= to) && el !== document.activeElement) { el.remove(); this.drawn.delete(i); }
    for (let i = from; i < to; i++) if (!this.drawn.has(i)) this.put(i);
    if (!this.drawn.has(this.chosen) && this.rows.length) this.put(this.chosen); // what the Tab key leads to
  }

  put(i) {
    const el = this.row(i);
    this.drawn.set(i, el);
    this.spacer.append(el);
  }

  row(i) {
    const r = this.rows[i];
    const el = h('div', {
      class: 'row' + (this.two ? ' two' : '') + (this.parts(r) ? ' parts' : '') + (this.far && this.far(r, this.pointed) ? ' far' : ''), role: 'row', 'aria-rowindex': i + 1, 'aria-label': this.label(r),
      'aria-selected': String(i === this.chosen), tabindex: i === this.chosen ? '0' : '-1',
      onclick: () => this.pick(i, true),
    }, this.cells(r));
    el.style.top = i * ROW + 'px';
    return el;
  }

  pick(i, focus) {
    if (!this.rows.length) return;
    this.chosen = Math.max(0, Math.min(this.rows.length - 1, i));
    this.pointed = this.far ? this.rows[this.chosen] : null;
    this.reveal();
    this.draw(true);
    if (focus) this.drawn.get(this.chosen).focus({ preventScroll: true });
    this.choose(this.rows[this.chosen]);
  }

  // reveal scrolls so that the chosen row is seen.
  reveal() {
    const top = this.chosen * ROW, height = this.el.clientHeight;
    if (top < this.el.scrollTop) this.el.scrollTop = Math.max(0, top - 3 * ROW);
    else if (top + ROW > this.el.scrollTop + height) this.el.scrollTop = top - height + 4 * ROW;
  }

  key(e) {
    const many = Math.max(1, Math.floor(this.el.clientHeight / ROW) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: many, PageUp: -many, Home: -Infinity, End: Infinity }[e.key];
    if (by === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    this.pick(by === Infinity ? this.rows.length - 1 : by === -Infinity ? 0 : this.chosen + by, true);
  }

  // printAll puts rows into the page as paper has them: all, up to 200.
  printAll() {
    for (const el of this.drawn.values()) el.remove();
    this.drawn.clear();
    for (let i = 0; i < Math.min(200, this.rows.length); i++) { const el = this.row(i); this.drawn.set(i, el); this.el.append(el); }
  }
}

// cell is one step of one execution; brief: as it is told without a library's steps.
function cell(t, i, moved, brief) {
  if (i < 0 || i === undefined || brief && t.brief && !t.brief.has(i)) return h('div', { class: 'cell none', role: 'gridcell' }, h('span', { class: 'no' }, '–'));
  const told = brief && t.brief?.get(i), v = told ? '' : t.received(i), who = t.proc(told ? told.from : t.e.Proc[i]), place = told ? t.site(told.site)?.Place || '' : t.place(i);
  return h('div', { class: 'cell', role: 'gridcell' },
    h('span', { class: 'no' + (moved ? ' moved' : '') }, i + 1), lanes(t, i, told),
    h('span', { class: 'what' }, h('b', { title: who }, short(t, who)), ' ', h('span', { class: 'act', title: told ? told.text : t.text(i) }, told ? told.text : t.text(i), v ? h('span', { class: 'value' }, '  ', v) : null)),
    t.deviates(i, brief) ? h('span', { class: 'flag' }, '◆ parts') : null,
    h('span', { class: 'place', title: local(place) }, h('bdi', null, place.replace(/.*\//, ''))));
}

// short is the name of a goroutine where there is little room: without its test's.
function short(t, name) {
  const test = t.raw.Test + '.';
  return name.startsWith(test) ? name.slice(test.length) : name;
}

// lanes draws the processes of a step: a line for each that lives, a dot for who moves, an arrow for
// a message. Of a step that is told without a library, those that are told of have lanes.
function lanes(t, i, told) {
  const all = told ? t.inBrief : t.procs.map((_, p) => p), n = Math.min(MAX_LANES, all.length), wide = Math.min(LANE, LANES / n);
  const x = (p) => { const at = told ? all.indexOf(p) : p; return (at < 0 ? MAX_LANES : Math.min(at, MAX_LANES)) * wide + 7; };
  const parties = told ? [told.from, told.to] : t.parties(i);
  let life = '';
  for (const p of all.slice(0, n)) if (t.alive(p, i) || parties.includes(p)) life += `M${x(p)} 0V${ROW}`;
  const p = parties[0], q = parties.length > 1 ? parties[1] : -1, from = told ? -1 : t.e.From[i], mid = ROW / 2;
  let act = dot(x(p), mid);
  if (q >= 0) act = arrow(x(p), x(q), mid);
  else if (from >= 0 && t.e.Proc[from] !== p) act = arrow(x(t.e.Proc[from]), x(p), mid) + dot(x(p), mid);
  return h('svg', { width: n * wide + (all.length > n ? wide : 0) + 6, height: ROW, 'aria-hidden': 'true' }, h('path', { class: 'life', d: life }), h('path', { class: 'act', d: act }));
}

function dot(x, y) { return `M${x - 2.5} ${y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`; }

function arrow(from, to, y) {
  const d = to > from ? 1 : -1;
  return `M${from} ${y}H${to - d * 3}M${to} ${y}l${-d * 6} -3.5v7z`;
}

// ---- Schedule: one execution, step by step

function showSchedule(r) {
  const index = Math.min(r.item, page.traces.length) - 1, t = trace(index);
  if (!t) return h('p', null, 'No execution was recorded.');
  const start = r.step ? Math.min(r.step, t.n) : Math.max(t.raw.Parting + 1, 1);
  const state = h('div', { class: 'panel', 'aria-live': 'off' });
  const slider = h('input', { class: 'slider', type: 'range', min: 1, max: Math.max(1, t.n), step: 1, 'aria-label': 'Step', oninput: () => move(Number(slider.value)) });
  const where = h('output', { 'aria-live': 'polite' });
  const overview = h('canvas', { class: 'overview', role: 'img', 'aria-label': 'All steps: a row for each process', onclick: (e) => move(1 + Math.floor((e.offsetX / overview.clientWidth) * t.n)) });
  const rows = [];
  for (let i = 0; i < t.n; i++) rows.push({ f: i });
  page.rows = new Rows({
    rows, chosen: start - 1, cells: (x) => cell(t, x.f), label: (x) => t.label(x.f), parts: (x) => t.deviates(x.f),
    choose: (x) => { if (x.f + 1 !== now.k) move(x.f + 1, true); },
  });
  const now = { k: 0 };
  const move = (k, fromRows) => {
    now.k = Math.max(1, Math.min(t.n, k));
    slider.value = now.k;
    where.textContent = `step ${now.k} of ${t.n}`;
    go('schedule', index + 1, now.k);
    if (!fromRows) page.rows.pick(now.k - 1);
    fill(state, h('div', null, h('h3', null, 'This step'), endOfStep(t, now.k - 1)),
      alternativesOf(t, now.k - 1), stateOf(t, now.k, 'After it'));
    paint(overview, t, now.k - 1);
  };
  page.overview = () => paint(overview, t, now.k - 1);
  page.onKey = (e) => scheduleKey(e, t, now, move);
  requestAnimationFrame(() => move(start));
  const pick = h('select', { 'aria-label': 'Execution', onchange: () => { location.hash = '#schedule/' + (pick.selectedIndex + 1); } },
    page.traces.map((x, i) => h('option', { selected: i === index }, x.title)));
  const step = (name, k) => h('button', { onclick: () => move(k()) }, name);
  return h('div', null,
    h('section', null, h('div', { class: 'tools' }, pick, where, step('◂ step', () => now.k - 1), step('step ▸', () => now.k + 1),
      t.raw.Parting >= 0 ? step('◆ where it parts', () => t.raw.Parting + 1) : null,
      h('button', { onclick: () => ask(t, now, move, 'g') }, 'go to…'), h('button', { onclick: () => ask(t, now, move, '/') }, 'find…'), save('save this order', t)),
    overview, slider,
    h('p', { class: 'hint' }, '← → step · Shift: of the same goroutine · Ctrl: to where it parts · g go to · / find')),
    h('div', { class: 'time' }, page.rows.el, state));
}

function scheduleKey(e, t, now, move) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (by && e.shiftKey) {
    const p = t.e.Proc[now.k - 1], i = by > 0 ? t.next(p, now.k) : t.last(p, now.k - 1);
    if (i >= 0) move(i + 1);
  } else if (by && e.ctrlKey) {
    if (t.raw.Parting >= 0) move(t.raw.Parting + 1);
  } else if (by) move(now.k + by);
  else if (e.key === 'g' || e.key === '/') ask(t, now, move, e.key);
  else return;
  e.preventDefault();
}

// ask reads a step's number, or a text to look for from here on, in a line above the rows.
function ask(t, now, move, key) {
  document.getElementById('ask')?.remove();
  const word = key === 'g' ? 'Go to step' : 'Find a place, goroutine, channel or value';
  const field = h('input', { id: 'ask', 'aria-label': word, placeholder: word, size: 36 });
  field.addEventListener('keydown', (e) => {
    e.stopPropagation();
    if (e.key === 'Escape') { field.remove(); return; }
    if (e.key !== 'Enter') return;
    const k = key === 'g' ? Number(field.value) || now.k : find(t, now.k, field.value) + 1;
    if (k > 0) move(k); else field.setAttribute('aria-invalid', 'true');
    if (key === 'g') { field.remove(); page.rows.drawn.get(page.rows.chosen)?.focus(); }
  });
  document.querySelector('.tools').append(field);
  field.focus();
}

// find is the next step from k on whose row has a text, round the end; -1: none.
function find(t, k, text) {
  const want = text.toLowerCase();
  for (let d = 0; d < t.n; d++) {
    const i = (k + d) % t.n;
    if (want && t.label(i).toLowerCase().replace(/^step \d+ of \d+, /, '').includes(want)) return i;
  }
  return -1;
}

// alternativesOf lists what was possible before step k. In the live page, a click takes it.
function alternativesOf(t, k) {
  const list = t.alternatives(k);
  if (list.length < 2) return null;
  const taken = t.raw.Took[k];
  const item = (a, i) => {
    if (i === taken) return h('li', null, h('b', null, a), ' · taken');
    if (!page.data.Live || !t.raw.Schedule) return h('li', null, a);
    const button = h('button', { onclick: () => tryAlternative(t, k, i, button), 'aria-label': 'take this: ' + a }, 'take this');
    return h('li', null, a, ' ', button);
  };
  return h('div', null, h('h3', null, 'What was possible here'), h('ul', { class: 'soft could' }, list.map(item)));
}

// paint draws all steps, and where among them step k is. The steps are drawn once for a size and a
// scheme, as there may be many.
function paint(canvas, t, k) {
  const w = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio)), height = Math.round(56 * devicePixelRatio);
  const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--ink'), key = `${w} ${height} ${ink}`;
  if (t.overview?.key !== key) t.overview = { key, image: overviewOf(t, w, height, style) };
  if (canvas.width !== w || canvas.height !== height) Object.assign(canvas, { width: w, height });
  const c = canvas.getContext('2d');
  c.clearRect(0, 0, w, height);
  c.drawImage(t.overview.image, 0, 0);
  c.fillStyle = ink;
  c.fillRect((k / Math.max(1, t.n)) * w, 0, Math.max(devicePixelRatio, 2), height);
}

// overviewOf is a picture of all steps: time runs to the right, a row for each process; what parts,
// and what fails, comes last.
function overviewOf(t, w, height, style) {
  const image = h('canvas', { width: w, height }), c = image.getContext('2d');
  const rows = Math.min(t.procs.length, 24), lane = height / Math.max(1, rows), x = (i) => (i / Math.max(1, t.n)) * w, wide = Math.max(devicePixelRatio, w / Math.max(1, t.n) - 1);
  const last = new Int32Array(rows).fill(-1); // the column in which a row was drawn
  c.fillStyle = style.getPropertyValue('--soft');
  for (let i = 0; i < t.n; i++) {
    for (const p of t.parties(i)) {
      const column = Math.floor(x(i));
      if (p >= rows || last[p] === column) continue;
      last[p] = column;
      c.fillRect(x(i), p * lane + lane * 0.25, wide, Math.max(1, lane * 0.5));
    }
  }
  c.fillStyle = style.getPropertyValue('--accent');
  const marks = [t.raw.Parting, t.raw.Decision ? t.raw.Decision.Second : -1, ...(t.raw.Verdict === 'fail' ? t.failure() : [])];
  for (const i of marks) if (i >= 0) for (const p of t.parties(i)) if (p < rows) c.fillRect(x(i), p * lane, Math.max(wide, 3 * devicePixelRatio), lane);
  return image;
}

// ---- State

function stateOf(t, k, title, brief) {
  const s = t.state(k);
  return h('div', null,
    h('div', null, h('h3', null, title), h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Goroutines' }, h('table', null,
      h('thead', null, h('tr', null, ['goroutine', 'has last', 'and now'].map((x) => h('th', { scope: 'col' }, x)))),
      h('tbody', null, processRows(t, k, brief))))),
    objectsOf(t, s, brief), logOf(t, s));
}

// processRows are the goroutines that are there at step k, those that have not ended first.
function processRows(t, k, brief) {
  const most = 60, there = (brief ? t.inBrief : t.procs.map((q, p) => p)).filter((p) => t.procs[p].Born <= k);
  const ended = (p) => t.procs[p].Ends >= 0 && k > t.procs[p].Ends;
  const shown = there.length <= most ? there : [...there.filter((p) => !ended(p)), ...there.filter(ended)].slice(0, most);
  const rows = shown.map((p) => processRow(t, p, k));
  if (there.length > shown.length) rows.push(h('tr', null, h('td', { colspan: 3, class: 'soft' }, `and ${there.length - shown.length} more`)));
  return rows;
}

function processRow(t, p, k) {
  const q = t.procs[p], last = t.last(p, k);
  return h('tr', null,
    h('td', null, h('b', null, q.Name)),
    h('td', null, last >= 0 ? [t.did(p, last), h('span', { class: 'soft' }, ` (step ${last + 1})`)] : h('span', { class: 'soft' }, 'not moved')),
    h('td', null, nowOf(t, p, k)));
}

// nowOf says what process p is about at step k.
function nowOf(t, p, k) {
  const q = t.procs[p];
  if (q.Ends >= 0 && k > q.Ends) return h('span', { class: 'soft' }, 'has ended');
  const w = t.wanted(p, k), can = t.possible(p, k), s = t.site(w.site);
  if (!w.text) return h('span', { class: 'soft' }, 'has ended');
  const word = w.event < 0 && q.WaitSite >= 0 ? '■ for ever: ' : can === true ? '▸ can ' : can === false ? '▪ waits: ' : '';
  const stack = w.stack >= 0 ? t.raw.Stacks[w.stack] : [];
  return [word + local(w.text), ' ', s ? h('span', { class: 'soft place' }, local(s.Place)) : null,
    stack.length > 1 ? h('details', null, h('summary', null, 'stack'), h('ol', { class: 'stack code' }, stack.map((c) => h('li', null, `${c.Func.replace(/^.*\//, '')}   ${local((t.site(c.Site) || {}).Place || '')}`)))) : null];
}

// objectsOf lists the channels, locks and counters that are in use.
function objectsOf(t, s, brief) {
  const rows = [], used = brief && new Set([...t.brief.keys()].map((i) => t.e.Obj[i]));
  t.objects.forEach((o, i) => {
    const text = !used || used.has(i) ? objectNow(t, s, i, o) : '';
    if (text) rows.push(h('tr', null, h('td', null, h('b', null, o.Name), ' ', h('span', { class: 'soft' }, local(o.About))), h('td', null, text)));
  });
  if (!rows.length) return null;
  return h('div', null, h('h3', null, 'Channels, locks and counters'), h('table', null, h('tbody', null, rows)));
}

function objectNow(t, s, i, o) {
  const inside = s.inside.get(i) || [], holder = s.holder.get(i), readers = s.readers.get(i) || [];
  const words = [];
  if (o.Cap !== 0 && o.Family === 'ch') {
    words.push(inside.length ? `${inside.length}${o.Cap > 0 ? ' of ' + o.Cap : ''} inside: ` + inside.slice(0, 12).map((e) => t.value(e) || 'from ' + t.proc(t.e.Proc[e])).join(', ') + (inside.length > 12 ? ', …' : '') : 'empty');
  }
  if (s.closed.has(i)) words.push('closed');
  if (holder) words.push(`held by ${t.proc(holder[0])} since step ${holder[1] + 1}`);
  if (readers.length) words.push('read by ' + readers.map((p) => t.proc(p)).join(', '));
  if (s.count.has(i)) words.push('counter ' + s.count.get(i));
  return words.join('; ');
}

function logOf(t, s) {
  if (!s.log.length) return null;
  return h('div', null, h('h3', null, 'Log'), h('pre', null, s.log.slice(-12).map((i) => t.text(i).slice(4)).join('\n')));
}

// ---- Tests

function showTests() {
  return h('div', null, (page.data.Packages || []).map((p) => h('section', null,
    h('h2', null, p.Package), p.Reason ? h('p', { class: 'note' }, p.Reason) : null,
    (p.Tests || []).map((t) => testOf(p, t)))));
}

function testOf(p, t) {
  const found = page.findings.filter((e) => e.t === t);
  return h('div', { class: 'test' },
    h('h3', null, h('span', { class: /^(pass|exploring)$/.test(t.Verdict) ? '' : 'fail' }, t.Verdict), ' ', t.Name),
    h('p', { class: 'about' }, t.Summary),
    found.map((e) => h('p', null, h('a', { href: '#finding/' + e.number }, e.f.Kind), ' ', e.f.Sentence || oneLine(e.f.Message))),
    (t.Notes || []).map((n) => h('p', { class: 'note' }, n)),
    limitsOf('fixed', t.Fixed), limitsOf('cut short', t.Cut), outcomesOf(t), treeOf(t));
}

// treeOf draws where the executions of a search part: below each way those that go on from it, as
// wide as they are many. Narrow ways are put together.
function treeOf(t) {
  if (!t.Tree || !(t.Tree.Kids || []).length) return null;
  const all = weight(t.Tree);
  let left = 400; // nodes that are drawn
  const words = (k) => `${plural(k.Executions, 'execution')}${k.Redundant ? ` and ${k.Redundant} redundant` : ''}${k.Failing ? `, ${k.Failing} ${k.Failing === 1 ? 'fails' : 'fail'}` : ''}`;
  const box = (k, name) => {
    left--;
    const kids = (k.Kids || []).filter((kid) => weight(kid) / all >= 0.02).sort((a, b) => weight(b) - weight(a)).slice(0, Math.max(0, left));
    const rest = weight(k) - kids.reduce((sum, kid) => sum + weight(kid), 0);
    const el = h('div', { class: 'node', role: 'treeitem' },
      h('div', { class: 'bar' + (k.Failing ? k.Failing === k.Executions ? ' all' : ' some' : ''), title: `${name}: ${words(k)}` },
        h('span', null, k.Failing ? '■ ' : '', name), h('small', null, words(k))),
      kids.length ? h('div', { class: 'kids', role: 'group' }, kids.map((kid) => box(kid, way(kid, k.Kids))), rest > 0 ? gap(rest) : null) : null);
    el.style.flexGrow = weight(k);
    return el;
  };
  const gap = (n) => { const el = h('div', { class: 'node', 'aria-hidden': 'true' }); el.style.flexGrow = n; return el; };
  return h('details', { open: true }, h('summary', null, 'Where the executions part'),
    h('div', { class: 'tree', role: 'tree', 'aria-label': 'Where the executions part', tabindex: '0' }, box(t.Tree, 'all')));
}

function weight(k) { return k.Executions + k.Redundant; }

// way names a node; of goroutines with one name, their paths tell them apart.
function way(k, siblings) {
  const twins = siblings.some((s) => s.Process === k.Process && s.Path !== k.Path);
  return `step ${k.Step + 1}: ${k.Process}${twins ? ' ' + k.Path : ''} ${k.Does}${k.Partner ? ' to ' + k.Partner : ''}`;
}

function limitsOf(word, list) {
  return (list || []).map((l) => h('p', { class: 'note' }, `${word}: ${l.What}`, (l.Places || []).length ? ` (${l.Places.join(', ')})` : ''));
}

function stepsOf(o) { return plural((page.traces[o.example - 1].raw.Events.Kind || []).length, 'step'); }

const OUTCOMES = 20; // that are shown at once

function outcomesOf(t) {
  const all = t.Outcomes || [];
  if (!all.length) return null;
  const table = (list) => h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Outcomes' }, h('table', null,
    h('thead', null, h('tr', null, ['executions', 'outcome', 'log', 'example'].map((x) => h('th', { scope: 'col' }, x)))),
    h('tbody', null, list.map((o) => h('tr', null, h('td', { class: 'no' }, o.Count), h('td', null, o.Verdict + (o.Kind && o.Kind !== o.Verdict ? ` (${o.Kind})` : '')), h('td', { class: 'code' }, o.Log),
      h('td', null, o.example ? h('a', { href: '#schedule/' + o.example + '/step/1', 'aria-label': `${stepsOf(o)}, an example of ${o.Log || o.Verdict}` }, stepsOf(o)) : ''))))));
  return [table(all.slice(0, OUTCOMES)),
    all.length > OUTCOMES ? h('details', null, h('summary', null, plural(all.length - OUTCOMES, 'more outcome')), table(all.slice(OUTCOMES))) : null,
    t.Others ? h('p', { class: 'note' }, `${plural(t.Unlisted, 'execution')} had other outcomes: rehearse test -json lists ${t.Others} of these`) : null];
}

// keys are those that the views have, but for fields that are written in.
function keys(e) {
  if (page.onKey && !/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && !e.metaKey && !e.altKey) page.onKey(e);
  else if (page.onKey && e.target.type === 'range' && (e.key === 'g' || e.key === '/')) page.onKey(e);
}

if (typeof document !== 'undefined') {
  start().catch((e) => {
    const plain = document.getElementById('plain');
    if (plain) plain.prepend(h('p', null, 'This browser cannot show the page: ' + e.message));
    else throw e;
  });
}

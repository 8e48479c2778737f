'use strict';

// A Trace is one execution of the record, with what the views ask of it. Step numbers count from 0
// here and from 1 on the page. The state at step k is the one before event k: k events are done.
class Trace {
  constructor(raw, name) {
    this.raw = raw;
    this.name = name;
    this.e = raw.Events;
    this.n = (this.e.Kind || []).length;
    this.procs = raw.Procs || [];
    this.objects = raw.Objects || [];
    this.kind = (this.e.Kind || []).map((k) => raw.Kinds[k]);
    this.eventsOf = this.procs.map(() => []);
    for (let i = 0; i < this.n; i++) for (const p of this.parties(i)) this.eventsOf[p].push(i);
    this.ordinal = this.procs.map(() => new Map());
    this.eventsOf.forEach((list, p) => list.forEach((i, k) => this.ordinal[p].set(i, k)));
    this.snapshots = [];
    // where processes talk through a library: the row of each event that has one, and who is in them
    const b = raw.Brief;
    this.brief = b ? new Map(b.Event.map((i, k) => [i, { from: b.From[k], to: b.To[k], text: raw.Texts[b.Text[k]], site: b.Site[k] }])) : null;
    this.inBrief = b ? [...new Set([...b.From, ...b.To.filter((p) => p >= 0)])].sort((x, y) => x - y) : null;
  }

  parties(i) {
    const p = this.e.Proc[i], q = this.e.Partner[i];
    return q >= 0 ? [p, q] : [p];
  }

  proc(p) { return this.procs[p].Name; }
  text(i) { return this.raw.Texts[this.e.Text[i]]; }
  value(i) { const v = this.e.Value[i]; return v >= 0 ? this.raw.Values[v] : ''; }
  site(s) { return s >= 0 ? this.raw.Sites[s] : null; }
  place(i) { const s = this.site(this.e.Site[i]); return s ? local(s.Place) : ''; }
  deviates(i, brief) { return (brief ? this.raw.Brief.Parting : this.raw.Parting) === i; }

  // received is the value of what event i received: from a partner, or out of a buffer.
  received(i) { return this.value(this.e.From[i] >= 0 ? this.e.From[i] : i); }

  // label is the name of a row, for those who hear it; brief: as it is told without a library's steps.
  label(i, brief) {
    const told = brief && this.brief.get(i), v = told ? '' : this.received(i);
    return `step ${i + 1} of ${this.n}, ${this.proc(told ? told.from : this.e.Proc[i])}: ${told ? told.text : this.text(i)}${told && told.to >= 0 ? ' to ' + this.proc(told.to) : ''}${v ? ', value ' + v : ''}` +
      `${this.place(i) ? ', at ' + this.place(i) : ''}${this.deviates(i, brief) ? ', parts from the passing order' : ''}`;
  }

  // did says what process p did in event i.
  did(p, i) {
    const v = this.received(i), over = this.e.Obj[i] >= 0 ? this.objects[this.e.Obj[i]].Name : '';
    if (this.e.Partner[i] === p) return `received ${v ? v + ' ' : ''}from ${this.proc(this.e.Proc[i])} over ${over}`;
    if (this.kind[i] === 'recv' && v) return `received ${v} over ${over}`;
    return this.text(i) + (v ? ': ' + v : '');
  }

  // next is the first event of process p from step k on, or -1; last the latest before it.
  next(p, k) { const list = this.eventsOf[p]; const i = lowerBound(list, k); return i < list.length ? list[i] : -1; }
  last(p, k) { const list = this.eventsOf[p]; const i = lowerBound(list, k); return i > 0 ? list[i - 1] : -1; }

  alive(p, k) {
    const q = this.procs[p];
    return q.Born <= k && (q.Ends < 0 || this.eventsOf[p].length > 0 && k <= q.Ends);
  }

  // wanted is what process p has declared at step k, and where.
  wanted(p, k) {
    const i = this.next(p, k), q = this.procs[p];
    if (i < 0) return { text: q.Waits || '', site: q.WaitSite, stack: q.WaitStack, event: -1 };
    const side = this.e.Proc[i] !== p;
    return {
      text: this.raw.Texts[(side ? this.e.PartnerWants : this.e.Wants)[i]],
      site: (side ? this.e.PartnerSite : this.e.Site)[i],
      stack: (side ? this.e.PartnerStack : this.e.Stack)[i],
      event: i,
    };
  }

  alternatives(k) { return ((this.raw.Alts || [])[k] || []).map((a) => this.raw.AltTexts[a]); }

  // possible reports whether process p could move at step k; null: it was not recorded.
  possible(p, k) {
    if (k >= this.n) return false;
    if (this.parties(k).includes(p)) return true;
    const count = (this.raw.AltCount || [])[k];
    if (count === undefined) return null;
    if (count === 1) return false;
    const list = this.alternatives(k), name = this.proc(p);
    return list.length === 0 ? null : list.some((a) => a.startsWith(name + ': ') || a.endsWith(' to ' + name));
  }

  // past is the set of events that happen before those given, with them.
  past(list) {
    const seen = new Set(list), todo = [...list];
    while (todo.length) for (const p of (this.raw.Preds || [])[todo.pop()] || []) if (!seen.has(p)) { seen.add(p); todo.push(p); }
    return seen;
  }

  // future is the set of events that happen after event i, with it.
  future(i) {
    const seen = new Set([i]);
    for (let k = i + 1; k < this.n; k++) if (((this.raw.Preds || [])[k] || []).some((p) => seen.has(p))) seen.add(k);
    return seen;
  }

  // failure lists the events with which the execution fails: what was logged last, a panic, the last
  // steps of those who wait for ever.
  failure() {
    const blocked = this.procs.map((q, p) => q.WaitSite >= 0 ? this.last(p, this.n) : -1).filter((i) => i >= 0);
    if (blocked.length) return blocked;
    for (let i = this.n - 1; i >= 0; i--) if (this.text(i).startsWith('log ') || this.kind[i] === 'stop') return [i];
    return this.n ? [this.n - 1] : [];
  }

  // state is what channels, locks and counters are at step k.
  state(k) {
    const every = 256, slot = Math.floor(k / every);
    if (!this.snapshots.length) this.snapshots.push(new State());
    for (let s = this.snapshots.length; s <= slot; s++) {
      const next = this.snapshots[s - 1].copy();
      for (let i = (s - 1) * every; i < s * every; i++) next.apply(this, i);
      this.snapshots.push(next);
    }
    const at = this.snapshots[slot].copy();
    for (let i = slot * every; i < k; i++) at.apply(this, i);
    return at;
  }
}

// State is what the objects of an execution are between two events.
class State {
  constructor() {
    this.inside = new Map();  // channel: the events that sent what is in it, oldest first
    this.closed = new Set();  // channels
    this.holder = new Map();  // mutex: who holds it, [process, event]
    this.readers = new Map(); // RWMutex: processes that read
    this.count = new Map();   // WaitGroup
    this.log = [];            // events
  }

  copy() {
    const s = new State();
    for (const [o, list] of this.inside) s.inside.set(o, [...list]);
    for (const [o, list] of this.readers) s.readers.set(o, [...list]);
    s.closed = new Set(this.closed);
    s.holder = new Map(this.holder);
    s.count = new Map(this.count);
    s.log = [...this.log];
    return s;
  }

  apply(t, i) {
    const o = t.e.Obj[i], p = t.e.Proc[i], ok = (t.e.Flags[i] & 1) !== 0, closed = (t.e.Flags[i] & 2) !== 0;
    switch (t.kind[i]) {
      case 'send':
        if (t.e.Partner[i] < 0 && !closed) listIn(this.inside, o).push(i);
        break;
      case 'recv': {
        const list = listIn(this.inside, o), at = list.indexOf(t.e.From[i]);
        if (at >= 0) list.splice(at, 1);
        break;
      }
      case 'close': this.closed.add(o); break;
      case 'lock': case 'wwait': this.holder.set(o, [p, i]); break;
      case 'trylock': case 'wtrylock': case 'wlock': if (ok) this.holder.set(o, [p, i]); break;
      case 'unlock': case 'wunlock': this.holder.delete(o); break;
      case 'rlock': listIn(this.readers, o).push(p); break;
      case 'rtrylock': if (ok) listIn(this.readers, o).push(p); break;
      case 'runlock': {
        const list = listIn(this.readers, o), at = list.indexOf(p);
        list.splice(at >= 0 ? at : 0, 1);
        break;
      }
      case 'wgadd': this.count.set(o, (this.count.get(o) || 0) + t.e.N[i]); break;
      case 'log': if (t.text(i).startsWith('log ')) this.log.push(i); break;
    }
  }
}

function listIn(map, key) {
  if (!map.has(key)) map.set(key, []);
  return map.get(key);
}

// local is a text with places, of which those in GOROOT and in modules are as imports name them.
function local(text) { return text.replace(/\/[^\s:]*?\/(?:go[\w.]*\/src|pkg\/mod)\//g, ''); }

// lowerBound is the first index of an ascending list whose entry is at least k.
function lowerBound(list, k) {
  let lo = 0, hi = list.length;
  while (lo < hi) { const mid = (lo + hi) >> 1; if (list[mid] < k) lo = mid + 1; else hi = mid; }
  return lo;
}

// align puts two executions side by side: rows {f, p} of a step of each, or -1. The rows are in the
// order of the failing one; a step is the same in both if it is the n-th of a process in both, with
// the same parties. What only the passing one does stands behind what came before it there.
function align(f, p) {
  const rows = [], rowOfPassing = new Map(), same = sameSteps(f, p);
  for (let i = 0; i < f.n; i++) rows.push({ f: i, p: same[i] });
  const behind = new Map(); // step of the passing one: those that stand behind it
  const taken = new Set(same);
  let anchor = -1;
  for (let j = 0; j < p.n; j++) {
    if (taken.has(j)) { anchor = j; continue; }
    listIn(behind, anchor).push(j);
  }
  const out = [];
  for (const j of behind.get(-1) || []) out.push({ f: -1, p: j });
  for (const row of rows) {
    out.push(row);
    if (row.p >= 0) for (const j of behind.get(row.p) || []) out.push({ f: -1, p: j });
  }
  return out;
}

// sameSteps has, for each step of f, the same one of p, or -1.
function sameSteps(f, p) {
  const paths = new Map(p.procs.map((q, i) => [q.Path, i])), used = new Set(), same = [];
  const parties = (t, i) => t.parties(i).map((q) => t.procs[q].Path).join(' > ');
  for (let i = 0; i < f.n; i++) {
    let found = -1;
    for (const q of f.parties(i)) {
      const r = paths.get(f.procs[q].Path);
      const j = r === undefined ? undefined : p.eventsOf[r][f.ordinal[q].get(i)];
      if (j !== undefined && !used.has(j) && f.kind[i] === p.kind[j] && parties(f, i) === parties(p, j)) { found = j; break; }
    }
    if (found >= 0) used.add(found);
    same.push(found);
  }
  return same;
}

if (typeof module !== 'undefined') module.exports = { Trace, State, align, sameSteps };

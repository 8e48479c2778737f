
// ---- Races: two accesses that nothing orders

function races() { return page.findings.filter((e) => (e.f.Accesses || []).length === 2); }

function showRaces() {
  return h('div', null, h('p', { class: 'hint first' }, 'Each pair of accesses that nothing orders: who makes them, what each one holds, and what would order them.'),
    races().map((entry) => h('section', { class: 'race' },
      h('h2', { class: 'title' }, h('a', { href: '#finding/' + entry.number }, entry.f.Sentence || entry.f.Message)),
      h('p', { class: 'about' }, `in ${entry.t.Name}, in ${plural(entry.f.Count || 1, 'execution')} of ${entry.t.Executions}`),
      accessPair(entry))));
}

// accessPair shows the two accesses side by side, and below them what would order them.
function accessPair(entry) {
  const t = trace(entry.failing);
  return [h('div', { class: 'ends' }, entry.f.Accesses.map((a) => accessOf(t, entry, a))),
    h('p', { class: 'advice' }, h('b', null, 'What would order them: '), advice(entry.f.Accesses)),
    t ? apart(t, entry) : null];
}

function accessOf(t, entry, a) {
  const at = t && (a.Stack || []).length ? t.raw.Sites.find((s) => s.Place === a.Stack[0].Pos) : null;
  const held = (a.Holds || []).map((l) => `${nameOfLock(l)}${l.Read ? ' for reading' : ''}, since ${l.Pos}`);
  return h('div', { class: 'end' },
    h('h4', null, a.Process, ' ', h('span', { class: 'soft' }, a.What)),
    h('p', { class: 'places' }, held.length ? 'holds ' + held.join('; ') : 'holds no lock',
      t && a.Step > 0 && a.Step <= t.n ? [' · ', h('a', { href: `#schedule/${entry.failing + 1}/step/${a.Step}` }, `after step ${a.Step}`)] : null),
    sourceOf(t, at), stackOf(a.Stack));
}

function nameOfLock(l) { return l.Code ? `${l.Code} (${l.Name})` : l.Name; }

// advice says what would order two accesses, from the locks that are held.
function advice([a, b]) {
  const has = (x) => (x.Holds || []).length > 0, both = (a.Holds || []).filter((l) => (b.Holds || []).some((m) => m.Name === l.Name));
  if (both.length) return `whoever writes under ${nameOfLock(both[0])} must lock it for writing: readers do not keep each other out.`;
  if (has(a) && has(b)) return 'one lock that both hold. They hold different ones, and these know nothing of each other.';
  if (has(a) || has(b)) {
    const [one, other] = has(a) ? [a, b] : [b, a];
    return `${nameOfLock(one.Holds[0])} around the ${other.What.replace(/ of .*/, '')} by ${other.Process}, too, or a message that has the one wait for the other.`;
  }
  return 'a lock that both hold, or a message, a WaitGroup or the like that has the one wait for the other.';
}

// apart says from where on the two accesses are on their own: the last step that is before both.
function apart(t, entry) {
  const of = (a) => {
    const p = t.procs.findIndex((q) => q.Name === a.Process), i = p < 0 ? -1 : t.last(p, a.Step);
    return p < 0 ? null : t.past(i >= 0 ? [i] : t.procs[p].Born > 0 ? [t.procs[p].Born - 1] : []);
  };
  const [x, y] = entry.f.Accesses.map(of);
  if (!x || !y) return null;
  const last = Math.max(-1, ...[...x].filter((i) => y.has(i)));
  if (last < 0) return null;
  return h('p', { class: 'hint' }, 'The last step that is before both: ', h('a', { href: `#schedule/${entry.failing + 1}/step/${last + 1}` }, `step ${last + 1}`),
    `, ${t.proc(t.e.Proc[last])} ${t.text(last)}${t.place(last) ? ', ' + t.place(last) : ''}.`);
}

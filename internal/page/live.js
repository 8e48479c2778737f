
// ---- Live: what a page can do that rehearse view serves

// ask asks the server, and returns its answer; what went wrong is an error.
async function askServer(what, question) {
  const reply = await fetch(what, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question) });
  const text = await reply.text();
  let answer;
  try { answer = JSON.parse(text); } catch { throw new Error(text.trim() || reply.statusText); }
  if (answer.Failure) throw new Error(answer.Failure);
  return answer;
}

// say shows a message to who has clicked, and to who listens.
function say(words, wrong) {
  let box = document.getElementById('said');
  if (!box) { box = h('div', { id: 'said', role: 'status' }); document.body.append(box); }
  box.className = wrong ? 'wrong' : '';
  fill(box, words, ' ', h('button', { onclick: () => box.remove(), 'aria-label': 'Close' }, '×'));
}

// tryAlternative runs the beginning of a trace up to step k, and then another alternative.
async function tryAlternative(t, k, number, button) {
  button.disabled = true;
  try {
    const { Trace: raw } = await askServer('step', { Schedule: t.raw.Schedule, Step: k, Alternative: number });
    page.traces.push({ raw, title: triedTitle(raw), entry: null });
    location.hash = `#schedule/${page.traces.length}/step/${k + 1}`;
    say(`It ${raw.Verdict === 'fail' ? 'fails' : 'passes'}${raw.End ? ': ' + raw.End : ''}, after ${plural((raw.Events.Kind || []).length, 'step')}.`);
  } catch (e) { say(e.message, true); } finally { button.disabled = false; }
}

function triedTitle(raw) { return `${raw.Test}: tried at step ${raw.Parting + 1}, ${raw.Verdict}`; }

// keep saves a trace below testdata/rehearse of its package.
async function keep(t, button) {
  button.disabled = true;
  try {
    const { File: file } = await askServer('save', { Schedule: t.raw.Schedule });
    const p = (page.data.Packages || []).find((x) => x.Package === t.raw.Package);
    say(['saved: ', h('code', null, `rehearse replay ${shell(p ? below(p.Cwd, p.Dir + '/' + file) : file)}`)]);
  } catch (e) { say(e.message, true); } finally { button.disabled = false; }
}

// listen follows an exploration that goes on.
function listen() {
  const events = new EventSource('events');
  const tell = (words) => {
    const where = document.querySelector('header .verdict');
    if (where) where.textContent = words;
  };
  events.addEventListener('progress', (e) => tell(progressOf(JSON.parse(e.data))));
  events.addEventListener('renew', async () => {
    const reply = await fetch('record');
    load(await reply.json());
    show();
  });
  events.addEventListener('end', (e) => {
    events.close();
    load(JSON.parse(e.data));
    show();
    say('The exploration is over. This is all of it.');
  });
}

// progressOf is how far an exploration has come, in words.
function progressOf(p) {
  if (p.Action === 'run') return `exploring ${p.Test}`;
  return `exploring ${p.Test}: ` + [plural(p.Executions, 'execution'),
    p.Workers && plural(p.Workers, 'worker'), p.Items && plural(p.Items, 'item'),
    p.Rate && p.Rate.toFixed(0) + '/s', p.Findings && plural(p.Findings, 'finding'),
    p.Seconds.toFixed(0) + ' s',
    p.Total && `about ${p.Total.toPrecision(3)} in all (within a factor of ${p.Spread.toPrecision(2)}), ${p.Left.toFixed(0)} s left`,
  ].filter(Boolean).join(', ');
}

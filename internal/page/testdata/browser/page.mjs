// Does with pages what people do with them, in one browser. Usage: node page.mjs MODULES CHROMIUM
// Each line of standard input is a list in JSON: the name of a script, which is a function below, and
// the pages for it. For each thing that it has done, "ok NAME" or "not ok NAME: why" is printed, and
// "done" in the end.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [modules, executablePath] = process.argv.slice(2);
const require = createRequire(modules + '/');
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

// it does one thing, and says whether that went well.
async function it(name, f) {
  try {
    await f();
    console.log('ok ' + name);
  } catch (e) {
    console.log(`not ok ${name}: ${String(e.message || e).split('\n').slice(0, 6).join(' | ')}`);
  }
}

function want(ok, what) { if (!ok) throw new Error(what); }

// open opens a page with the network cut, and notes what it asks for and complains about.
async function open(file, options = {}, hash = '') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.asked = [];
  page.errors = [];
  page.dialogs = 0;
  page.on('request', (r) => { if (!r.url().startsWith('data:') && !r.url().startsWith('blob:')) page.asked.push(r.url()); });
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') page.errors.push(m.text()); });
  page.on('pageerror', (e) => page.errors.push(e.message));
  page.on('dialog', (d) => { page.dialogs++; d.dismiss(); });
  await page.goto('file://' + file + hash);
  if (options.javaScriptEnabled !== false) await page.locator('#app:not([hidden]) main').waitFor();
  return page;
}

// audit runs axe; serious findings are errors. The page's own policy forbids scripts that are put
// into it, so axe comes by evaluation.
async function audit(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  want(serious.length === 0, serious.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(', ')}`).join('; '));
}

function clean(page) {
  want(page.asked.length === 1, 'requests: ' + page.asked.join(', '));
  want(page.errors.length === 0, 'console: ' + page.errors.join(', '));
  want(page.dialogs === 0, 'a dialog was opened');
}

// costs says what a page's own thread takes to open it, to jump to a step and to scroll, in
// milliseconds of processor time, of a number of times each.
async function costs(file, times) {
  const page = await open(file, {}, '#schedule/1');
  await page.locator('.row[aria-selected=true]').waitFor();
  const session = await page.context().newCDPSession(page);
  const measured = async () => Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map((m) => [m.name, m.value]));
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.reload();
  await page.locator('.row[aria-selected=true]').waitFor();
  const steps = Number((await page.locator('output').innerText()).replace(/.*of (\d+)/, '$1'));
  const opened = (await measured()).TaskDuration;
  await page.evaluate(async ([n, times]) => {
    const slider = document.querySelector('.slider');
    for (let i = 0; i < times; i++) {
      slider.value = 1 + (i * 7919) % n;
      slider.dispatchEvent(new Event('input'));
      await new Promise(requestAnimationFrame);
    }
  }, [steps, times]);
  const jumped = (await measured()).TaskDuration;
  await it(`few nodes, and little memory, with ${steps} steps`, async () => {
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length), heap = (await measured()).JSHeapUsedSize / 1e6;
    console.log(`# ${steps} steps, ${readFileSync(file).length} bytes, ${nodes} nodes, ${heap.toFixed(0)} MB`);
    want(nodes < 2500 && heap < 150, `${nodes} nodes, ${heap} MB`);
  });
  const looked = (await measured()).TaskDuration;
  await page.evaluate(async (times) => {
    const rows = document.querySelector('.rows');
    for (let i = 0; i < times; i++) { rows.scrollTop += 400; await new Promise(requestAnimationFrame); }
  }, times);
  const scrolled = (await measured()).TaskDuration;
  await it(`the finding, with ${steps} steps`, async () => {
    await page.goto('file://' + file + '#finding/1');
    await page.locator('.sentence, .findings').first().waitFor();
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    want(nodes < 2500, nodes + ' nodes');
    want(page.errors.length === 0, page.errors.join(', '));
  });
  const ms = (from, to) => 1000 * (to - from) / times;
  return { steps, open: 1000 * opened, jump: ms(opened, jumped), scroll: ms(looked, scrolled) };
}

// rowsTwice runs in a page: it says of which two executions a step is not in just one row, or the
// rows are not in the order of the first.
function rowsTwice() {
  for (let i = 0; i < page.traces.length; i++) {
    for (let j = 0; j < page.traces.length; j++) {
      const rows = align(trace(i), trace(j)), f = rows.map((r) => r.f).filter((k) => k >= 0), p = rows.map((r) => r.p).filter((k) => k >= 0);
      if (f.length !== trace(i).n || f.some((k, at) => k !== at)) return `steps of execution ${i} beside ${j}`;
      if (p.length !== trace(j).n || new Set(p).size !== p.length) return `steps of execution ${j}, beside ${i}`;
    }
  }
  return '';
}

const SCRIPTS = {
  // The theatre that sells its last seat twice.
  async theatre(file, saved) {
    let page = await open(file);
    await it('asks for nothing, says no error', () => clean(page));
    await it('the sentence comes first', async () => {
      const text = await page.locator('.sentence').innerText();
      want(/received from free \(theatre\.go:23\) before theatre received TestTheatre's book; in the passing order after\. Then: -1 seats left\./.test(text), text);
    });
    await it('task 1: the deciding step', async () => {
      const ends = await page.locator('#decides .end').allInnerTexts();
      want(ends.length === 2, ends.length + ' ends');
      want(/step 3/.test(ends[0]) && /theatre\.go:14/.test(ends[0]) && /ch1/.test(ends[0]), ends[0]);
      want(/theatre\.go:24/.test(ends[1]) && /in the passing order this came first/.test(ends[1]), ends[1]);
      want((await page.locator('#decides .end').nth(1).locator('.at').innerText()).includes('book <- true'), 'source');
    });
    await it('both buyers have read 1', async () => {
      const rows = await page.locator('.state tbody tr').allInnerTexts();
      want(rows.filter((r) => r.includes('received 1 from theatre over ch1')).length === 2, rows.join(' / '));
    });
    await it('the orders stand side by side', async () => {
      const rows = await page.locator('.rows .row').count();
      want(rows >= 13 && await page.locator('.row.parts .flag').count() >= 1, rows + ' rows');
    });
    for (const scheme of ['light', 'dark']) {
      for (const hash of ['', '#schedule/1/step/3', '#map/1', '#tests']) {
        const other = await open(file, { colorScheme: scheme }, hash);
        await it(`axe, ${scheme} ${hash || '#finding'}`, () => audit(other));
        await it(`nothing is wider than the window, ${scheme} ${hash || '#finding'}`, async () => {
          want(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it scrolls sideways');
        });
        await other.context().close();
      }
    }
    await it('task 2: what a goroutine waits for at step 7', async () => {
      await page.goto('file://' + file + '#schedule/1/step/6');
      await page.locator('.panel table').first().waitFor();
      const row = await page.locator('.panel tbody tr', { hasText: 'theatre' }).filter({ hasText: 'select' }).first().innerText();
      want(/waits: select send ch1, recv ch2/.test(row), row);
    });
    await it('task 3: who else touched ch2', async () => {
      await page.keyboard.press('/');
      await page.keyboard.type('ch2');
      const seen = new Set();
      for (let i = 0; i < 6; i++) { await page.keyboard.press('Enter'); seen.add(await page.locator('.row[aria-selected=true] b').innerText()); }
      want(seen.size === 3, [...seen].join(', '));
      await page.keyboard.press('Escape');
    });
    await it('task 4: an execution of an outcome', async () => {
      await page.locator('nav a', { hasText: 'Tests' }).click();
      want((await page.locator('.test').innerText()).includes('-1 seats left'), 'outcomes');
      const passing = page.locator('.test tr', { hasText: 'pass' });
      want((await passing.innerText()).startsWith('2'), await passing.innerText());
      await passing.locator('a').click();
      await page.locator('option:checked', { hasText: 'outcome 1, pass' }).waitFor({ state: 'attached' });
      await page.locator('output', { hasText: 'of 10' }).waitFor();
      await page.locator('nav a', { hasText: 'Findings' }).click();
      await page.locator('.sentence').waitFor();
    });
    await it('each step of two executions is in one row', async () => want(!(await page.evaluate(rowsTwice)), await page.evaluate(rowsTwice)));
    await it('the tree has all executions', async () => {
      const tree = await open(file, {}, '#tests');
      const bars = await tree.locator('.tree .bar').allInnerTexts();
      want(/^. all\s+6 executions, 4 fail$/.test(bars[0].trim()) && bars.length > 3, bars.join(' / '));
      want(bars.some((b) => /step 3: theatre send to TestTheatre\.func@11\s+\d executions/.test(b)), bars.join(' / '));
      await tree.context().close();
    });
    await it('the map says who sends through what to whom', async () => {
      const map = await open(file, {}, '#map/1');
      want((await map.locator('.map .name').allTextContents()).join(' ').startsWith('TestTheatre theatre func@11 TestTheatre theatre'), 'names');
      want(await map.locator('tr', { hasText: 'ch1' }).filter({ hasText: '3' }).count() === 1, 'the test has received three times');
      await map.context().close();
    });
    await it('the map says why tasks do not commute', async () => {
      const map = await open(file, {}, '#map/1');
      want((await map.locator('.actor .map .name').allTextContents()).join(' ') === 'buy  2× TestTheatre closes  1× book theatre', (await map.locator('.actor .map .name').allTextContents()).join(' '));
      await map.locator('.matrix .pair').click();
      want(/book and book: do not commute.*the first may end the loop: theatre\.go:12/s.test(await map.locator('.reason').innerText()), await map.locator('.reason').innerText());
      await audit(map);
      await map.context().close();
    });
    await it('task 5: save the passing order', async () => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('save the passing order').click()]);
      const from = await download.path();
      writeFileSync(saved, readFileSync(from));
      want(readFileSync(saved, 'utf8').startsWith('rehearse schedule v'), 'no schedule');
    });
    await it('all by keyboard', async () => {
      await page.goto('file://' + file + '#schedule/1');
      await page.reload();
      await page.locator('.row[aria-selected=true]').waitFor();
      const step = async () => (await page.locator('output').innerText()).replace(/\D+(\d+) of.*/, '$1');
      want(await step() === '3', 'it begins at step ' + await step());
      await page.keyboard.press('ArrowRight');
      want(await step() === '4', 'right: ' + await step());
      await page.keyboard.press('Shift+ArrowLeft');
      want(await step() === '2', 'shift left: ' + await step());
      await page.keyboard.press('Control+ArrowRight');
      want(await step() === '3', 'ctrl: ' + await step());
      await page.keyboard.press('g');
      await page.keyboard.type('9');
      await page.keyboard.press('Enter');
      want(await step() === '9', 'g: ' + await step());
      await page.keyboard.press('ArrowDown');
      want(await step() === '10', 'down: ' + await step());
      for (let i = 0; i < 30 && !(await page.evaluate(() => document.activeElement?.textContent === 'Tests')); i++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
    });
    await it('only what led to the failure', async () => {
      await page.goto('file://' + file + '#finding/1');
      await page.getByText('only what led to the failure').click();
      want(await page.locator('.rows').getAttribute('aria-rowcount') === '9', await page.locator('.rows').getAttribute('aria-rowcount'));
      await page.getByText('only what led to the failure').click();
    });
    await it('copies the command', async () => {
      await page.getByText('Copy', { exact: true }).click();
      await page.getByText('Copied').waitFor();
    });
    await it('prints', async () => {
      const pdf = await page.pdf({ format: 'A4' });
      want(pdf.length > 10_000, pdf.length + ' bytes');
    });
    page = await open(file, { javaScriptEnabled: false });
    await it('without a script, the chart is there', async () => {
      want((await page.locator('pre').first().innerText()).includes('------- ch1 ------->'), 'no chart');
      want((await page.locator('strong').first().innerText()).includes('before theatre received'), 'no sentence');
    });
    page = await open(file, { viewport: { width: 390, height: 800 } });
    await it('fits a narrow window', async () => want(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it scrolls sideways'));
  },

  // A program that logs and sends what might become markup.
  async hostile(file) {
    for (const hash of ['', '#schedule/1', '#tests', '#races', '#map/1']) {
      const page = await open(file, {}, hash);
      await it('hostile texts stay texts ' + hash, async () => {
        await page.waitForTimeout(100);
        clean(page);
        want(await page.locator('img').count() === 0, 'an image was made');
        if (!['#races', '#map/1'].includes(hash)) want((await page.locator('body').innerText()).includes('</script><img src=x onerror=alert(1)>'), 'the text is not there');
      });
      if (hash !== '#races') continue;
      await it('axe, races', () => audit(page));
      await it('who holds what in a race, and what would help', async () => {
        const race = await page.locator('.race').first().innerText();
        want(/holds no lock/.test(race) && /holds mu \(mu1\), since m_test\.go:\d+/.test(race), race);
        want(/What would order them: mu \(mu1\) around the (read|write) by \S+, too/.test(race), race);
        want(await page.locator('.race .source .at').count() === 2, 'source');
      });
    }
  },

  // Pages of one program's executions, of some 10,000 steps and of ten times as many: what costs
  // anything shows a part of the steps, so it costs as much in both. Costs are processor time of the
  // page's own thread, and one is compared with the other: machines differ.
  async large(some, many) {
    const small = await costs(some, 40), huge = await costs(many, 40);
    for (const what of ['jump', 'scroll', 'open'])
      console.log(`# to ${what} takes ${small[what].toFixed(1)} and ${huge[what].toFixed(1)} ms of processor time`);
    const steps = huge.steps / small.steps;
    await it('opens', () => want(huge.open < 2 * steps * small.open, `${small.open} ms, ${huge.open} ms`));
    await it('jumps to any step', () => want(huge.jump < steps / 2 * small.jump, `${small.jump} ms, ${huge.jump} ms`));
    await it('scrolls', () => want(huge.scroll < steps / 2 * small.scroll, `${small.scroll} ms, ${huge.scroll} ms`));
  },

  // The pictures of the documents.
  async pictures(example, large, philosophers, dir) {
    for (const colorScheme of ['light', 'dark']) {
      for (const [name, file, hash, height] of [['finding', example, '', 1010], ['schedule', large, '#schedule/1/step/4210', 840], ['map', philosophers, '#map/2', 700]]) {
        await it(`${name}-${colorScheme}`, async () => {
          const page = await open(file, { colorScheme, viewport: { width: 1140, height } }, hash);
          await page.waitForTimeout(300);
          const picture = await page.screenshot({ path: `${dir}/${name}-${colorScheme}.png` });
          want(picture.length <= 200_000, picture.length + ' bytes');
          await page.context().close();
        });
      }
    }
  },

  // A service that is asked over net/http.
  async requests(file) {
    const page = await open(file);
    const rows = async () => page.locator('.rows .row .cell:first-child').allInnerTexts();
    await it('a request is one arrow', async () => {
      const asks = (await rows()).filter((r) => /-> \d{3}/.test(r));
      want(asks.length === 2 && await page.locator('.rows .row').count() < 45, (await rows()).join(' / '));
      want(await page.locator('.row.parts').count() === 1, 'where it parts');
    });
    await it('nothing is cut off that tells what was done', async () => {
      const cut = await page.evaluate(() => [...document.querySelectorAll('.rows .what .act')].filter((x) => x.clientWidth < 30).map((x) => x.textContent));
      want(cut.length === 0, cut.join(', '));
    });
    await it('the state leaves the library out', async () => want(!/persistConn/.test(await page.locator('.state').innerText()), 'persistConn'));
    await it('the library is there if asked for', async () => {
      await page.getByText('steps inside the library, too').click();
      want(/persistConn/.test(await page.locator('.state').innerText()) && Number(await page.locator('.rows').getAttribute('aria-rowcount')) > 100, 'steps');
      want(await page.locator('.row[aria-selected=true]').evaluate((x) => { const r = x.getBoundingClientRect(), of = x.closest('.rows').getBoundingClientRect(); return r.top >= of.top && r.bottom <= of.bottom; }), 'the chosen step is not seen');
    });
    await it('axe, no errors', async () => { await audit(page); clean(page); });
    const narrow = await open(file, { viewport: { width: 400, height: 800 } });
    await it('one order in a narrow window', async () => {
      want(await narrow.locator('.row.parts .cell:visible').count() === 1, 'cells');
      want(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it scrolls sideways');
    });
  },

  // Executions beside each other, and what the page says of their channels. The program logs how many
  // values a channel has, and what it has received. The functions run in the page, and use its names.
  async traces(file) {
    const shown = await open(file);
    await it('each step of two executions is in one row', async () => want(!(await shown.evaluate(rowsTwice)), await shown.evaluate(rowsTwice)));
    await it('channels have what the program sees in them', async () => {
      const [checked, wrong] = await shown.evaluate(() => {
        let checked = 0;
        for (let x = 0; x < page.traces.length; x++) {
          const t = trace(x);
          for (let i = 0; i < t.n; i++) {
            const p = t.e.Proc[i], next = t.next(p, i + 1), said = next < 0 ? '' : t.text(next);
            if (!/^log (len|got) /.test(said) || !['len', 'recv'].includes(t.kind[i])) continue;
            const inside = t.state(i).inside.get(t.e.Obj[i]) || [];
            const seen = t.kind[i] === 'len' ? `log len ${inside.length}` : `log got ${t.value(inside[0]).slice(1, -1)}`;
            checked++;
            if (said !== seen) return [checked, `execution ${x}, step ${i}: the program saw "${said}", the page has "${seen}"`];
          }
        }
        return [checked, ''];
      });
      console.log(`# ${checked} states of channels compared`);
      want(!wrong && checked > 1000, wrong || checked + ' comparisons: too few');
    });
  },

  // The live page of the theatre: another alternative, and what it comes to, saved.
  async live(url) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const errors = [];
    page.on('pageerror', (e) => errors.push(e.message));
    page.on('console', (m) => { if (m.type() === 'error') errors.push(m.text()); });
    await it('live: take another alternative', async () => {
      await page.goto(url + '#schedule/1/step/3');
      await page.locator('.could button').first().click();
      await page.locator('#said', { hasText: 'It passes, after 10 steps.' }).waitFor();
      want(/#schedule\/\d+\/step\/3$/.test(page.url()), page.url());
      want((await page.locator('.row.parts').innerText()).includes('send ch2 to theatre'), 'the step');
      want((await page.locator('.could b').innerText()) === 'TestTheatre: send ch2 to theatre', 'what was taken');
    });
    await it('live: save it', async () => {
      await page.getByText('save this order').click();
      await page.locator('#said code', { hasText: /rehearse replay .*testdata\/rehearse\/TestTheatre\/.*\.sched/ }).waitFor();
    });
    await it('live: axe, no errors', async () => {
      await audit(page);
      want(errors.length === 0, errors.join(', '));
    });
  },

  // All pages: valid for axe, no errors.
  async all(...pages) {
    for (const file of pages) {
      const page = await open(file);
      await it('axe ' + file.replace(/.*\//, ''), () => audit(page));
      await it('clean ' + file.replace(/.*\//, ''), () => clean(page));
      await page.context().close();
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [script, ...pages] = JSON.parse(line);
  await it(script, () => SCRIPTS[script](...pages));
  for (const context of browser.contexts()) await context.close();
  console.log('done');
}
await browser.close();

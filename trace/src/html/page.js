// The page: what pointer, wheel and keys do.

const facts = JSON.parse(document.getElementById('facts').textContent);
const source = document.getElementById('columns');
const whole = new Whole(facts, readColumns(unpacked(bytesOf(source.textContent)), facts.kernels));
source.remove();

const byId = (id) => document.getElementById(id);
const canvas = byId('lanes');
const painter = new Painter(canvas, whole);
const view = { from: whole.start, to: whole.end, top: 0 };
const curves = new Curves(whole, new Plot(byId('plot'), whole), redraw);
let selected, isAsked = false, dragged, gone, pointed, opened;

function redraw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(drawNow);
}

function drawNow() {
  isAsked = false;
  painter.draw(view, selected, curves.isOpen ? curves.cursors : {});
  curves.draw(view);
  if (opened === showText) opened();
  const times = new Times(facts.tick);
  const [from, to, length] = times.range(view.from, view.to);
  const { missing: left, events } = whole.facts, missing = left.length ? ` · ${left.join(', ')}` : '';
  byId('range').textContent = `${from} to ${to} (${length}) · ${events.toLocaleString('en')} events${missing}`;
  clearTimeout(drawNow.later);
  drawNow.later = setTimeout(keepInAddress, 300);
}

// Shows a window in time, as far as there is one.
function show(from, to) {
  const length = Math.min(Math.max(to - from, 20), whole.end - whole.start);
  const begin = Math.min(Math.max(from, whole.start), whole.end - length);
  Object.assign(view, { from: begin, to: begin + length });
  redraw();
}

function zoom(factor, x = (NAMES + painter.width) / 2) {
  painter.look(view.from, view.to);
  const instant = painter.instant(Math.max(x, NAMES));
  show(instant - (instant - view.from) * factor, instant + (view.to - instant) * factor);
}

function pan(pixels) {
  const ticks = pixels * (view.to - view.from) / (painter.width - NAMES);
  show(view.from + ticks, view.to + ticks);
}

function scroll(pixels) {
  view.top = Math.min(Math.max(0, view.top + pixels), Math.max(0, whole.height - (painter.height - TOP)));
  redraw();
}

function showLane(lane) {
  if (lane.top < view.top || lane.top + lane.height > view.top + painter.height - TOP) scroll(lane.top - view.top - 60);
}

// Shows the lanes that are meant by some words; all if there are none.
function keepLanes(words) {
  byId('kept').value = words;
  whole.placeLanes(words);
  resize();
}

// Folds the lanes of a kernel, or shows them; of all of them, if none is named.
function foldLanes(model) {
  const all = whole.isSeveral ? whole.kernels : [], isFolded = whole.folded.size > 0;
  if (model) whole.fold(model);
  else { whole.folded = new Set(isFolded ? [] : all); whole.placeLanes(whole.words); }
  resize();
}

// The first lane that is meant. If it is folded away or among those that are left out, it is shown again.
function laneThat(isMeant) {
  const having = whole.kernels.find((model) => model.facts.lanes.some((lane) => isMeant({ ...lane, model })));
  if (!whole.lanes.some(isMeant) && whole.folded.has(having)) whole.fold(having);
  if (!whole.lanes.some(isMeant) && having) keepLanes('');
  return whole.lanes.find(isMeant);
}

function showThread(model, thread) {
  const lane = laneThat((lane) => lane.model === model && lane.thread === thread);
  if (lane) showLane(lane);
}

function select(job, model = whole.kernels[0]) {
  opened = undefined;
  selected = job >= 0 && job < model.columns.jobs.count ? { model, ...chain(model, job) } : undefined;
  byId('panel').hidden = !selected;
  if (selected) showChain(byId('panel'), model, selected, (step) => { const margin = (step.to - step.from) * 2; show(step.from - margin, step.to + margin); }, () => select(-1));
  resize();
}

// Shows a job with some room around it.
function goToJob(job, model) {
  const { jobs } = model.columns;
  const end = Math.max(jobs.end[job] === Infinity ? model.facts.span[1] : jobs.end[job], jobs.deadline[job]);
  const margin = (end - jobs.release[job]) * 0.25;
  select(job, model);
  show(jobs.release[job] - margin, end + margin);
  showThread(model, jobs.thread[job]);
}

// Shows a mode, or how long a lock was held, with some room around it.
function goToSpan(lane, instant) {
  const { track } = lane.model.spans.get(lane.span);
  const span = track.at(instant, 2 / painter.scale);
  if (span < 0) return;
  const margin = (track.to[span] - track.from[span]) * 0.1;
  show(track.from[span] - margin, track.to[span] + margin);
}

// Goes to what went wrong next, or before, and opens its reason: counted from the last one that was gone to, as long as that is shown,
// else from the border of what is.
function goToTrouble(isNext) {
  const { at, all } = whole.troubles;
  const isShown = gone !== undefined && view.from <= at[gone] && at[gone] <= view.to;
  const index = isShown ? gone + (isNext ? 1 : -1) : isNext ? notBelow(at, view.from) : above(at, view.to) - 1;
  const trouble = all[index];
  if (!trouble) return;
  gone = index;
  const { model } = trouble, job = model.jobInTrouble(trouble);
  if (job >= 0) goToJob(job, model);
  else {
    select(-1);
    const half = (view.to - view.from) / 2;
    show(trouble.at - half, trouble.at + half);
    showTrouble(byId('panel'), model, trouble, () => select(-1));
    resize();
  }
  showThread(model, trouble.thread);
}

// `20ms`, `navigate`, `navigate@20ms`; answers whether there is such a thing.
function search(text) {
  const [, name, time, unit] = /^\s*(.*?)\s*@?\s*(?:([\d.]+)\s*(ns|us|ms|s))?\s*$/.exec(text) ?? [];
  const instant = time === undefined ? undefined : parseFloat(time) * { ns: 1e-6, us: 1e-3, ms: 1, s: 1e3 }[unit] * whole.kernels[0].ticksInMillisecond;
  if (!name) {
    if (instant === undefined || !(instant <= whole.end)) return false;
    const half = (view.to - view.from) / 2;
    show(instant - half, instant + half);
    return true;
  }
  const lane = laneThat((lane) => lane.name === name) ?? laneThat((lane) => lane.name?.includes(name));
  if (!lane) return false;
  if (instant > whole.facts.span[1]) return false;
  showLane(lane);
  const job = instant === undefined || lane.kind !== 'thread' ? -1 : lane.model.jobBefore(lane.thread, instant);
  if (job >= 0) goToJob(job, lane.model);
  return instant === undefined || job >= 0;
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  painter.colours = curves.plot.colours = COLOURS[name];
  curves.list();
  opened?.();
  redraw();
}

function toggleCurves(isOpen = !curves.isOpen) {
  curves.isOpen = isOpen && curves.isThere;
  byId('curves').hidden = !curves.isOpen;
  resize();
}

// Puts a cursor where the pointer is, or else in the middle of what can be seen.
function putCursor(name) {
  if (!curves.isOpen) return;
  const isSeen = pointed !== undefined && view.from <= pointed && pointed <= view.to;
  curves.put(name, isSeen ? pointed : (view.from + view.to) / 2);
}

// Moves a cursor from value to value, and the view after it.
function goCursor(isNext) {
  const at = curves.isOpen ? curves.go(isNext) : undefined;
  const half = (view.to - view.from) / 2;
  if (at !== undefined && (at < view.from || at > view.to)) show(at - half, at + half);
}

function resize() {
  placeNames();
  painter.resize();
  curves.plot.resize();
  scroll(0);
}

// The address tells what is shown, so that it can be sent to somebody.
function keepInAddress() {
  const parts = { from: Math.round(view.from), to: Math.round(view.to), top: Math.round(view.top), theme: document.documentElement.dataset.theme };
  if (selected) parts.job = selected.job;
  if (selected?.model.place) parts.of = selected.model.place;
  if (whole.isSeveral) parts.folded = [...whole.folded].map(({ place }) => place).join(',');
  if (!painter.hasArrows) parts.arrows = 'none';
  if (byId('kept').value) parts.lanes = byId('kept').value;
  if (curves.isThere) parts.curves = curves.isOpen ? curves.shown.map((entry) => entry.key).join(',') : 'none';
  for (const [name, at] of Object.entries(curves.cursors)) parts[name] = at;
  try { history.replaceState(null, '', `#${new URLSearchParams(parts)}`); } catch { /* Some browsers refuse it for files. */ }
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = (name) => { const value = parseFloat(parts.get(name)); return Number.isFinite(value) ? value : undefined; };
  theme(parts.get('theme') in COLOURS ? parts.get('theme') : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  painter.hasArrows = parts.get('arrows') !== 'none';
  const folded = parts.get('folded')?.split(',').filter(Boolean).map((number) => whole.kernels[number]);
  if (folded) whole.folded = new Set(folded.filter(Boolean));
  keepLanes(parts.get('lanes') ?? '');
  const chosen = parts.get('curves');
  if (chosen !== null) toggleCurves(chosen !== 'none');
  if (chosen !== null && chosen !== 'none') curves.choose(chosen.split(','));
  for (const name of ['A', 'B']) curves.put(name, number(name));
  const job = number('job');
  if (job >= 0) select(Math.floor(job), whole.kernels[number('of') ?? 0]);
  show(number('from') ?? whole.start, number('to') ?? whole.end);
  scroll(number('top') ?? 0);
}

function place(event) {
  painter.look(view.from, view.to);
  const { left, top } = canvas.getBoundingClientRect();
  const x = event.clientX - left, y = event.clientY - top;
  const under = y > TOP ? whole.laneAt(y - TOP + view.top) : undefined;
  const lane = x > NAMES || under?.kind === 'kernel' ? under : undefined;
  return { x, y, lane, instant: painter.instant(x) };
}

function hover(event) {
  const { x, lane, instant } = place(event);
  const isPlot = event.target === curves.plot.canvas;
  pointed = x >= NAMES ? instant : undefined;
  const told = () => (isPlot ? x >= NAMES && curves.at(instant) : tellPlace(painter, lane, instant));
  const words = dragged ? undefined : told();
  const tip = byId('tip');
  canvas.classList.toggle('over', !isPlot && Boolean(words) && lane.kind !== 'signal');
  tip.hidden = !words;
  if (!words) return;
  tip.textContent = words;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - width - 8)}px`;
  tip.style.top = `${event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18}px`;
}

function overviewTo(x) {
  painter.look(whole.start, whole.end);
  const half = (view.to - view.from) / 2, middle = painter.instant(x);
  show(middle - half, middle + half);
}

function wheel(event) {
  event.preventDefault();
  const { x } = place(event);
  if (event.shiftKey || x < NAMES) scroll(event.deltaY);
  else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX);
  else zoom(2 ** (event.deltaY / 240), x);
}

function press(event) {
  const { x, y } = place(event);
  event.target.setPointerCapture(event.pointerId);
  dragged = { x: event.clientX, y: event.clientY, moved: 0, isOverview: event.target === canvas && y < OVERVIEW };
  if (dragged.isOverview) overviewTo(x);
}

function move(event) {
  if (!dragged) return hover(event);
  const [dx, dy] = [event.clientX - dragged.x, event.clientY - dragged.y];
  dragged.moved += Math.abs(dx) + Math.abs(dy);
  if (dragged.isOverview) return overviewTo(place(event).x);
  if (dragged.moved < 4) return;
  canvas.classList.add('dragging');
  byId('tip').hidden = true;
  Object.assign(dragged, { x: event.clientX, y: event.clientY });
  pan(-dx);
  if (event.target === canvas) scroll(-dy);
}

function release(event) {
  const wasClick = dragged && !dragged.isOverview && dragged.moved < 4;
  dragged = undefined;
  canvas.classList.remove('dragging');
  if (!wasClick) return;
  const { x, lane, instant } = place(event);
  if (event.target === curves.plot.canvas) return x >= NAMES ? curves.put(event.shiftKey ? 'B' : 'A', instant) : undefined;
  if (lane?.kind === 'kernel') return foldLanes(lane.model);
  if (lane?.kind === 'span' || lane?.kind === 'band') return goToSpan(lane, instant);
  if (lane?.kind === 'thread') select(lane.model.jobUnder(lane.thread, instant), lane.model);
  else select(-1);
}

for (const target of [canvas, curves.plot.canvas]) {
  target.addEventListener('wheel', wheel, { passive: false });
  target.addEventListener('pointerdown', press);
  target.addEventListener('pointermove', move);
  target.addEventListener('pointerup', release);
  target.addEventListener('pointerleave', () => { byId('tip').hidden = true; pointed = undefined; });
}

const KEYS = {
  ArrowLeft: () => pan(-painter.width / 8), ArrowRight: () => pan(painter.width / 8), ArrowUp: () => scroll(-76), ArrowDown: () => scroll(76),
  '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), 0: () => show(whole.start, whole.end), k: () => foldLanes(),
  n: () => goToTrouble(true), p: () => goToTrouble(false), '/': () => byId('search').focus(), l: () => byId('kept').focus(),
  t: () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'), Escape: () => select(-1), '?': () => toggle(showKeys), v: () => toggle(showText), e: exportCurves,
  w: () => { painter.hasArrows = !painter.hasArrows; redraw(); }, c: () => toggleCurves(), a: () => putCursor('A'), b: () => putCursor('B'), '[': () => goCursor(false), ']': () => goCursor(true),
  x: () => { curves.put('B'); curves.put('A'); }, y: () => { curves.plot.isFitted = !curves.plot.isFitted; redraw(); },
};

// What the panel can have besides a job: it is filled anew when what it tells has changed.
const showKeys = () => showHelp(byId('panel'), whole, painter.colours, () => select(-1));
const showText = () => showSeen(byId('panel'), whole, view, () => select(-1));

function toggle(fill) {
  const isOpen = opened === fill;
  select(-1);
  if (isOpen) return;
  opened = fill;
  opened();
  resize();
}

function exportCurves() {
  if (curves.isOpen) keepAsFile(linesOf(curves.shown, Math.max(view.from, whole.start), view.to, whole), `${facts.system}.csv`);
}

addEventListener('keydown', (event) => {
  if (event.target.matches?.('input[type=search]') || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
byId('search').addEventListener('keydown', (event) => {
  if (event.key === 'Enter') {
    const isFound = search(byId('search').value);
    byId('search').classList.toggle('wrong', !isFound);
    byId('search').title = isFound ? '' : `nothing is called so, or the trace ends before: at ${new Times(facts.tick).at(whole.facts.span[1])}`;
  }
  if (event.key === 'Escape') canvas.focus();
});
byId('kept').addEventListener('input', () => keepLanes(byId('kept').value));
byId('kept').addEventListener('keydown', (event) => {
  if (event.key === 'Escape') keepLanes('');
  if (event.key === 'Escape' || event.key === 'Enter') canvas.focus();
});
const PRESSED = { previous: 'p', next: 'n', out: '-', in: '+', all: '0', graph: 'c', theme: 't', help: '?', text: 'v', export: 'e' };
for (const [button, key] of Object.entries(PRESSED)) byId(button).onclick = () => KEYS[key]();
byId('previous').disabled = byId('next').disabled = whole.troubles.all.length === 0;
byId('graph').disabled = byId('export').disabled = !curves.isThere;
byId('curves').hidden = !curves.isOpen;
// A canvas that changes its size is empty: it is drawn before anybody sees that.
const observer = new ResizeObserver(() => { resize(); drawNow(); });
for (const target of [canvas, curves.plot.canvas]) observer.observe(target);
resize();
readAddress();
drawNow();

globalThis.beryl = { whole, model: whole.kernels[0], painter, curves, view, work, show, zoom, pan, select, search, chain, drawNow };

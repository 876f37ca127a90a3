// Telling: what lies under the pointer, and the panel that says why.

// What is under a place of the canvas, in words; nothing where there is nothing.
function tellPlace(painter, lane, instant) {
  const near = 5 / painter.scale;
  if (!lane || lane.kind === 'heading') return undefined;
  const { model } = lane;
  if (lane.kind === 'kernel') return `click: ${lane.isUnfolded ? 'folds its lanes away' : 'shows its lanes'}`;
  if (lane.kind === 'span' || lane.kind === 'band') return tellSpan(model, lane, instant, near / 3);
  return lane.kind === 'signal' ? tellSignal(model, lane, instant, near) : tellThread(model, lane, instant, near);
}

function tellSpan(model, lane, instant, near) {
  const spans = model.spans.get(lane.span);
  const span = spans ? spans.track.at(instant, near) : -1;
  if (span < 0) return undefined;
  const times = new Times(model.facts.tick);
  const [from, to] = [spans.track.from[span], spans.track.to[span]];
  return `${lane.name}: ${model.facts.spans[spans.words[span]][1]}\n${times.at(from)} to ${times.at(to)} (${times.length(to - from)})\nclick: all of it`;
}

function nearest(sorted, instant, near) {
  const index = notBelow(sorted, instant);
  const candidates = [index - 1, index].filter((index) => Math.abs(sorted[index] - instant) <= near);
  return candidates.sort((one, other) => Math.abs(sorted[one] - instant) - Math.abs(sorted[other] - instant))[0];
}

function tellSignal(model, lane, instant, near) {
  const signal = model.columns.samples[lane.signal];
  const index = nearest(signal.at, instant, near);
  if (index === undefined) return undefined;
  const times = new Times(model.facts.tick);
  const value = textOf(model, signal, index) ?? 'value left out of this page';
  const delay = Math.max(0, signal.done[index] - signal.at[index]);
  if (lane.origin === 'state') return `${lane.name} = ${value}\nfound there at ${times.at(signal.at[index])}`;
  return `${lane.name} = ${value}\nat ${times.at(signal.at[index])}, ${lane.origin ? 'published' : 'carried out'} ${times.length(delay)} after`;
}

function tellThread(model, lane, instant, near) {
  const times = new Times(model.facts.tick);
  const lines = [];
  const troubles = model.troubles.by.get(lane.thread);
  const trouble = troubles && nearest(troubles.at, instant, near);
  if (trouble !== undefined) lines.push(`✕ ${times.at(troubles.list[trouble].at)}: ${troubles.list[trouble].words}`);
  const thread = model.threads.get(lane.thread);
  const run = thread ? thread.running.at(instant, near / 3) : -1;
  if (run >= 0) {
    const [from, to] = [thread.running.from[run], thread.running.to[run]];
    lines.push(`${lane.name} has the processor\n${times.at(from)} to ${times.at(to)} (${times.length(to - from)})`);
    const wake = model.wakes.of(lane.thread, from);
    if (wake && !model.idle.has(wake.by)) lines.push(`woken by ${model.name(wake.by)} at ${times.at(wake.at)}`);
  }
  const job = model.jobUnder(lane.thread, instant);
  if (job >= 0) lines.push(tellJob(model, job, instant, run < 0, times));
  return lines.join('\n') || undefined;
}

function tellJob(model, job, instant, isWaiting, times) {
  const { jobs } = model.columns;
  const end = jobs.end[job];
  const state = isWaiting && instant < end ? `${model.name(jobs.thread[job])} is released and hasn't the processor\n` : '';
  const ended = end === Infinity ? 'not done' : `${ENDINGS[jobs.outcome[job]]} at ${times.at(end)}`;
  const sent = model.whole.messages.tell(model, job, times).map((line) => `${line}\n`).join('');
  return `${state}${sent}job ${model.number(job)}: released at ${times.at(jobs.release[job])}, due at ${times.at(jobs.deadline[job])}\n${ended}; had the processor for ${times.length(jobs.executed[job])}\nclick: why`;
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  Object.assign(made, attributes);
  return made;
}

// Fills the panel with a job's chain; `go` is called with a step that was clicked.
function showChain(panel, model, found, go, close) {
  const times = new Times(model.facts.tick);
  const rows = element('table');
  const row = (at, length, what, step) => {
    const made = element('tr', undefined, { className: step ? 'step' : '', onclick: step ? () => go(step) : null });
    made.append(element('td', at, { className: 'number' }), element('td', length, { className: 'number' }), element('td', what));
    rows.append(made);
  };
  row(times.at(found.release), '', `released, to be done by ${times.at(found.deadline)}`);
  const told = found.steps.length <= 400 ? found.steps : [...found.steps.slice(0, 200), undefined, ...found.steps.slice(-200)];
  for (const step of told) {
    if (step) row(times.at(step.from), times.length(step.to - step.from), step.reason, step);
    else row('...', '', `${found.steps.length - 400} more steps`);
  }
  row(times.at(found.end === Infinity ? model.facts.span[1] : found.end), '', found.ending);
  const sums = element('table');
  const sum = (...cells) => {
    const made = element('tr');
    made.append(...cells.map((cell, column) => element('td', cell, { className: column ? 'number' : '' })));
    sums.append(made);
  };
  sum('', 'here', 'usually', 'difference');
  for (const { called, here, usual } of [...found.parts].sort((one, other) => other.here - one.here)) {
    const difference = here === usual ? '=' : `${here > usual ? '+' : '−'}${times.length(Math.abs(here - usual))}`;
    sum(called, times.length(here), times.length(usual), difference);
  }
  const declared = model.facts.threads[model.columns.jobs.thread[found.job]]?.worst;
  const isLate = model.columns.jobs.outcome[found.job] > 1;
  panel.replaceChildren(
    element('button', '×', { className: 'close', title: 'close (Escape)', onclick: close }),
    element('h2', `${found.task}, job ${found.number}`),
    element('div', found.verdict, { className: isLate ? 'late' : '' }), ...found.modes.map((line) => element('div', line)),
    element('h3', 'From release to end'), rows,
    element('h3', 'What the time was used for'), sums,
    element('p', `${declared ? `Its execution time is declared as at most ${declared}. ` : ''}What a job waited for is told where the trace has notes of it; of locks that are taken without the kernel it has none.`, { className: 'note' }),
  );
  panel.hidden = false;
}

// Fills the panel with what went wrong where no job is to blame.
function showTrouble(panel, model, trouble, close) {
  const times = new Times(model.facts.tick);
  const who = trouble.thread >= 0 ? model.name(trouble.thread) : model.facts.system;
  panel.replaceChildren(
    element('button', '×', { className: 'close', title: 'close (Escape)', onclick: close }),
    element('h2', `${who}, at ${times.at(trouble.at)}`),
    element('div', trouble.words, { className: 'late' }),
  );
  panel.hidden = false;
}

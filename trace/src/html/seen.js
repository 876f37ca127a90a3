// What can be seen, as text: a row for each lane that is shown, of the time that is; and the shown curves as comma-separated values.

// More rows than this say nothing to anybody.
const MOST_ROWS = 300;

// From the release of each job of a thread to its end, if it ended by itself, in the order of their releases.
function responsesOf(model, thread) {
  const known = model.threads.get(thread);
  if (!known.responses) {
    const { jobs } = model.columns, values = new Float64Array(known.sorted.length).fill(NaN);
    known.sorted.forEach((job, index) => { if ((jobs.outcome[job] === 1 || jobs.outcome[job] === 2) && jobs.end[job] !== Infinity) values[index] = Math.max(0, jobs.end[job] - jobs.release[job]); });
    known.responses = new Curve({ end: model.end, at: known.releases, values });
  }
  return known.responses;
}

// How many of some intervals are somewhere between two instants, and how much of the time they cover, in percent.
function coverage(track, from, to) {
  const count = track ? Math.max(0, notBelow(track.from, to) - above(track.to, from)) : 0;
  return { count, percent: to > from ? Math.round((track ? track.covered(from, to) : 0) / (to - from) * 1e4) / 100 : 0 };
}

// What a lane has between two instants.
function seenOf(lane, from, to) {
  const { model } = lane, told = { name: lane.name };
  if (lane.kind === 'signal') {
    const { at } = model.columns.samples[lane.signal];
    return { ...told, count: above(at, to) - notBelow(at, from) };
  }
  if (lane.kind !== 'thread') return { ...told, ...coverage(model.spans.get(lane.span)?.track, from, to) };
  const known = model.threads.get(lane.thread), troubles = model.troubles.by.get(lane.thread)?.at ?? [];
  Object.assign(told, coverage(known?.running, from, to), { troubles: above(troubles, to) - notBelow(troubles, from) });
  if (!known?.releases.length) return told;
  const [first, last] = [notBelow(known.releases, from), above(known.releases, to)];
  const [, longest] = responsesOf(model, lane.thread).extremes(first, last);
  return { ...told, jobs: last - first, longest: longest >= 0 ? longest : undefined };
}

// Fills the panel with the rows of a window; instants outside of the run don't count.
function showSeen(panel, whole, view, close) {
  const times = new Times(whole.facts.tick), [start, end] = whole.facts.span;
  const from = Math.max(view.from, start), to = Math.min(view.to, end);
  const made = element('table'), heads = element('tr');
  heads.append(...['', '% of the time', 'times', 'jobs', 'longest response', 'troubles'].map((head) => element('th', head, { scope: 'col' })));
  made.append(heads);
  for (const lane of whole.lanes.slice(0, MOST_ROWS)) {
    const row = element('tr');
    if (lane.kind === 'heading' || lane.kind === 'kernel') row.append(element('th', lane.heading ?? lane.name, { scope: 'rowgroup', colSpan: 6, className: 'group' }));
    else {
      const { name, percent, count, jobs, longest, troubles } = seenOf(lane, from, to);
      const cells = [percent, count, jobs, longest === undefined ? undefined : times.length(longest), troubles];
      row.append(element('th', name, { scope: 'row' }), ...cells.map((cell) => element('td', cell === undefined ? '' : cell.toLocaleString('en'), { className: 'number' })));
    }
    made.append(row);
  }
  const left = whole.lanes.length - MOST_ROWS;
  const [begin, last] = times.range(from, to);
  panel.replaceChildren(
    element('button', '×', { className: 'close', title: 'close (Escape)', onclick: close }), element('h2', 'What can be seen'),
    element('div', `${begin} to ${last}`), made,
    ...(left > 0 ? [element('p', `and ${left} more lanes: l leaves some out`, { className: 'note' })] : []),
    element('p', 'Times: runs of a thread, holds of a lock, interrupts, stretches of a mode, values. A job counts where it was released; its response is to its end.', { className: 'note' }),
  );
  panel.hidden = false;
}

// The shown curves as `beryl trace csv` writes them: a line for each instant at which any has a new value, and what counted at the first.
function linesOf(entries, from, to, { facts }) {
  const times = new Times(facts.tick);
  const quoted = (text) => (/[,"\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const curves = entries.flatMap((entry) => entry.curves.map((curve) => ({ curve, kind: entry.kind, title: `${entry.name}${facts.runs.length > 1 ? `, ${facts.runs[curve.run].title}` : ''}${entry.unit ? ` (${entry.unit})` : ''}` })));
  const instants = new Set();
  for (const { curve: { at, end } } of curves) {
    if (from > end) continue;
    const first = notBelow(at, from), last = above(at, to);
    for (let index = at[first] === from ? first : Math.max(first - 1, 0); index < last; index++) instants.add(Math.max(at[index], from));
  }
  const cell = (value, kind) => (value === undefined || Number.isNaN(value) ? '' : kind === 'boolean' ? String(value) : numberText(value, kind));
  const line = (at) => [times.nanoseconds(at), ...curves.map(({ curve, kind }) => cell(curve.value(at), kind))].join(',');
  const heads = ['instant_ns', ...curves.map(({ title }) => quoted(title))].join(',');
  return [heads, ...[...instants].sort((one, other) => one - other).map(line)].join('\n') + '\n';
}

// Has the browser keep a text as a file.
function keepAsFile(text, name) {
  const link = element('a', undefined, { href: URL.createObjectURL(new Blob([text], { type: 'text/csv' })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

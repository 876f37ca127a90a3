// Measuring: which curves are shown, two cursors, and the table that tells all of it as text.

// More curves than this are found by the filter only.
const MOST_ENTRIES = 300;

class Curves {
  constructor(model, plot, redraw) {
    Object.assign(this, { model, plot, redraw, cursors: {}, latest: 'A' });
    this.isThere = model.curves.length > 0;
    // Load is everywhere: who wants only that opens it.
    this.isOpen = model.curves.some((entry) => !entry.isLoad);
    const first = model.curves.filter((entry) => Boolean(entry.isLoad) !== this.isOpen).slice(0, this.isOpen ? 4 : 1);
    first.forEach((entry) => this.mark(entry, true));
    byId('filter').addEventListener('input', () => this.list());
    this.list();
  }

  get shown() { return this.model.curves.filter((entry) => entry.isShown); }

  // Shows a curve in a colour that no other has, as long as there is one; or doesn't show it any more.
  mark(entry, isShown) {
    entry.isShown = isShown;
    if (!isShown) return;
    const taken = new Set(this.shown.filter((other) => other !== entry).map((other) => other.colour));
    entry.colour = 0;
    while (taken.has(entry.colour)) entry.colour++;
  }

  swatch(entry) {
    const made = element('span', undefined, { className: 'swatch' });
    if (entry.isShown) made.style.background = this.plot.colour(entry);
    return made;
  }

  // The list: a box to tick for each curve whose name has the filter's text.
  list() {
    const wanted = byId('filter').value.trim().toLowerCase();
    const found = this.model.curves.filter((entry) => entry.name.toLowerCase().includes(wanted));
    const rows = found.slice(0, MOST_ENTRIES).map((entry) => {
      const box = element('input', undefined, { type: 'checkbox', checked: entry.isShown, onchange: () => { this.mark(entry, box.checked); swatch.replaceWith(swatch = this.swatch(entry)); this.redraw(); } });
      const row = element('label', undefined, { title: entry.name });
      let swatch = this.swatch(entry);
      row.append(box, swatch, element('span', entry.name, { className: 'name' }), element('span', entry.unit ?? '', { className: 'unit' }));
      return row;
    });
    if (found.length > MOST_ENTRIES) rows.push(element('p', `and ${found.length - MOST_ENTRIES} more: write a part of a name above`));
    byId('entries').replaceChildren(...rows);
  }

  // Shows these curves, by their keys, and no others.
  choose(keys) {
    this.shown.forEach((entry) => this.mark(entry, false));
    for (const key of keys) this.model.curves.filter((entry) => entry.key === key).forEach((entry) => this.mark(entry, true));
    this.list();
    this.redraw();
  }

  // Puts a cursor at an instant of the run, or takes it away.
  put(name, instant) {
    if (instant === undefined) delete this.cursors[name];
    else this.cursors[name] = Math.round(Math.min(Math.max(instant, this.model.start), this.model.end));
    this.latest = name;
    this.redraw();
  }

  // Moves the cursor that was put last to where a shown curve next has a value, or had one before.
  go(isNext) {
    const from = this.cursors[this.latest];
    if (from === undefined) return undefined;
    const curves = this.shown.flatMap((entry) => entry.curves);
    const found = curves.map(({ at }) => (isNext ? at[above(at, from)] : at[notBelow(at, from) - 1])).filter((at) => at !== undefined);
    if (!found.length) return undefined;
    this.put(this.latest, isNext ? Math.min(...found) : Math.max(...found));
    return this.cursors[this.latest];
  }

  draw(view) {
    byId('curves').hidden = !this.isOpen;
    if (!this.isOpen) return;
    this.every = windowOf(this.plot, view.from, view.to);
    for (const { curves } of this.shown.filter((entry) => entry.isLoad)) curves[0].look(view.from, view.to, this.every);
    this.plot.draw(view, this.shown, this.cursors);
    this.tell(view);
  }

  // The table: what each shown curve is at the cursors, and what it was over the time that can be seen.
  tell({ from, to }) {
    const { runs } = this.model.facts;
    const times = new Times(this.model.facts.tick), { A, B } = this.cursors;
    const [begin, end] = times.range(from, to);
    const put = Object.entries({ A, B }).filter(([, at]) => at !== undefined).map(([name, at]) => `${name} at ${times.at(at)}`);
    if (put.length === 2) put.push(`B − A = ${B < A ? '−' : ''}${times.length(Math.abs(B - A))}`);
    const cursors = put.length ? put.join(', ') : 'a and b put cursors to measure between';
    const windows = this.shown.some((entry) => entry.isLoad) ? ` · load: of each ${nanosecondsText(this.every)}` : '';
    byId('caption').textContent = `${cursors} · least, greatest, mean and values: of ${begin} to ${end}${windows}`;
    const heads = ['curve', 'unit', 'at A', 'at B', 'B − A', 'least', 'greatest', 'mean', 'values', ...(runs.length > 1 ? ['run', 'against the first run'] : [])];
    byId('heads').replaceChildren(...heads.map((head) => element('th', head, { scope: 'col' })));
    const rows = this.shown.flatMap((entry) => entry.curves.map((curve) => this.row(entry, curve, from, to, times)));
    byId('rows').replaceChildren(...rows);
  }

  row(entry, curve, from, to, times) {
    const { runs } = this.model.facts;
    const { least, most, mean, count } = curve.seen(from, to);
    const exact = (value) => (value === undefined ? '' : numberText(value, curve.kind));
    const limit = (value) => (Number.isFinite(value) ? exact(value) : '');
    const [a, b] = [this.cursors.A, this.cursors.B].map((at) => (at === undefined ? undefined : curve.value(at)));
    const difference = a === undefined || b === undefined ? '' : roundedText(b - a);
    const cells = [entry.unit ?? '', exact(a), exact(b), difference, limit(least), limit(most), roundedText(mean), count.toLocaleString('en')];
    const made = element('tr');
    const head = element('th', undefined, { scope: 'row' });
    head.append(this.swatch(entry), entry.name);
    made.append(head, ...cells.map((cell, place) => element('td', cell, { className: place ? 'number' : '' })));
    if (runs.length > 1) made.append(element('td', runs[curve.run].title), element('td', this.against(entry, curve, times)));
    return made;
  }

  // Whether a run's values are those of the first, bit by bit.
  against(entry, curve, times) {
    const first = entry.curves.find(({ run }) => run === 0);
    if (!first || first === curve) return '';
    if (!('differs' in curve)) curve.differs = first.differsFrom(curve);
    return curve.differs === undefined ? 'the same' : `differs from ${times.at(curve.differs)} on`;
  }

  // What the shown curves are at an instant.
  at(instant) {
    const times = new Times(this.model.facts.tick);
    const told = this.shown.flatMap((entry) => entry.curves.map((curve) => {
      const value = curve.value(instant);
      const run = this.model.facts.runs.length > 1 ? `, ${this.model.facts.runs[curve.run].title}` : '';
      return `${entry.name} = ${value === undefined ? 'no value' : numberText(value, curve.kind)}${value !== undefined && entry.unit ? ` ${entry.unit}` : ''}${run}`;
    }));
    return [`at ${times.at(Math.round(instant))}`, ...told].join('\n');
  }
}

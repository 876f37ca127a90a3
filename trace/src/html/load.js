// Load: how much of the processor's time was used, in percent of windows that follow each other, as `load.rs` reckons it. They are
// as long as the plot has room for, so it is reckoned anew for whatever can be seen.

// No window is narrower, in pixels.
const WINDOW = 4;

class LoadCurve extends Curve {
  constructor(name, track, model) {
    super({ name, unit: '%', kind: 'double', run: 0, end: model.facts.runs[0].end, at: new Float64Array(0), values: new Float64Array(0) });
    Object.assign(this, { track, span: model.facts.span, tick: model.facts.tick, limits: { least: 0, most: 100 } });
  }

  // Reckons it between two instants, in windows of so many nanoseconds.
  look(from, to, every) {
    if (this.from === from && this.to === to && this.every === every) return;
    Object.assign(this, { from, to, every, tree: undefined });
    const at = [], values = [], last = Math.min(to, this.span[1]);
    for (let window = this.number(Math.max(from, this.span[0])); this.begin(window) < last; window++) {
      const [begin, end] = this.window(window);
      if (!(begin < end)) continue;
      at.push(begin);
      values.push(this.percent(begin, end));
    }
    this.at = Float64Array.from(at);
    this.values = Float64Array.from(values);
  }

  // Which window an instant is in, and where one begins.
  number(instant) { return Math.floor(instant * this.tick.nanoseconds / this.tick.ticks / this.every); }

  begin(window) { return Math.floor(window * this.every * this.tick.ticks / this.tick.nanoseconds); }

  // A window, as far as the run has it.
  window(number) { return [number, number + 1].map((number) => Math.min(Math.max(this.begin(number), this.span[0]), this.span[1])); }

  percent(from, to) { return Math.round(this.track.covered(from, to) / (to - from) * 1e4) / 100; }

  // The value at an instant, also where it can't be seen.
  value(instant) {
    if (instant < this.span[0] || instant > this.span[1]) return undefined;
    // At the end of the run, the last window counts.
    const [begin, end] = this.window(this.number(instant));
    return begin < end ? this.percent(begin, end) : this.percent(...this.window(this.number(instant) - 1));
  }
}

// The load of all threads together, and of each, beside the curves of values: if one of these is called as the first, that has
// its longer name.
function loadsOf(model, values) {
  if (!model.columns.runs.count) return [];
  const entry = (key, name, track) => ({ key, name, unit: '%', kind: 'double', isLoad: true, curves: [new LoadCurve(name, track, model)] });
  const own = [...model.threads].filter(([thread, { running }]) => running.count && !model.idle.has(thread)).sort(([one], [other]) => one - other);
  const isTaken = values.some(({ name }) => /^load($|[.[])/.test(name));
  return [entry('load', isTaken ? 'load of *' : 'load', model.load), ...own.map(([thread, { running }]) => entry(`load of ${thread}`, `load of ${model.name(thread)}`, running))];
}

// How long windows are that the plot has room for, in nanoseconds.
function windowOf(plot, from, to) {
  const { ticks, nanoseconds } = plot.model.facts.tick;
  return roundStep((to - from) * nanoseconds / ticks / Math.max(1, Math.floor((plot.width - NAMES) / WINDOW)));
}

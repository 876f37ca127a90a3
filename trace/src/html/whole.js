// The whole run: a model for each kernel, on one axis. Where there are several, each has a row of its own above its lanes, by which these
// are folded away.

// Of more kernels than this, all are folded at first.
const MOST_UNFOLDED = 6;
const HEIGHTS = { kernel: 30, heading: 26, thread: 38, signal: 22, span: 22, band: 26 };

class Whole {
  constructor(facts, columns) {
    this.kernels = facts.kernels.map((own, number) => new Model({ ...own, tick: facts.tick }, columns.kernels[number]));
    const { kernels } = this;
    this.isSeveral = kernels.length > 1;
    const spans = kernels.map((model) => model.facts.span);
    const missing = kernels.flatMap(({ facts: { missing, name } }) => missing.map((words) => (this.isSeveral ? `${name}: ${words}` : words)));
    this.facts = {
      title: facts.title, system: facts.system, tick: facts.tick, runs: kernels[0].facts.runs, missing,
      span: [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to))],
      events: kernels.reduce((sum, model) => sum + model.facts.events, 0),
    };
    this.start = Math.min(...kernels.map((model) => model.start));
    this.end = Math.max(...kernels.map((model) => model.end));
    const all = kernels.flatMap((model) => model.troubles.all.map((trouble) => ({ ...trouble, model })));
    all.sort((one, other) => one.at - other.at);
    this.troubles = { all, at: Float64Array.from(all, ({ at }) => at) };
    this.curves = kernels.flatMap((model) => model.curves.map((entry) => (this.isSeveral ? this.named(entry, model) : entry)));
    this.messages = new Messages(columns.messages, kernels);
    kernels.forEach((model, number) => Object.assign(model, { place: number, whole: this }));
    this.folded = new Set(kernels.length > MOST_UNFOLDED ? kernels : []);
    this.placeLanes();
  }

  named(entry, { facts: { name } }) {
    return Object.assign(entry, { key: `${name}: ${entry.key}`, name: `${name}: ${entry.name}` });
  }

  // What a thread of one of its kernels is called.
  name(model, thread) { return this.isSeveral ? `${model.name(thread)} on ${model.facts.name}` : model.name(thread); }

  // Folds a kernel's lanes away, or shows them again.
  fold(model) {
    if (!this.folded.delete(model)) this.folded.add(model);
    this.placeLanes(this.words);
  }

  // Places the lanes whose name, or that of the heading or the kernel above, has one of these words; all if there are none. A heading
  // stays if something below it does, and colours stay whatever is left out.
  placeLanes(words = '') {
    this.words = words;
    const parts = words.toLowerCase().split(',').map((part) => part.trim()).filter(Boolean);
    const isMeant = (name) => parts.some((part) => name.toLowerCase().includes(part));
    let top = 0;
    this.lanes = [];
    const place = (lane) => {
      this.lanes.push({ ...lane, top, height: HEIGHTS[lane.kind] });
      top += HEIGHTS[lane.kind];
    };
    for (const model of this.kernels) {
      const { title = '' } = model.facts, isWhole = !parts.length || (this.isSeveral && isMeant(title));
      const isUnfolded = !this.folded.has(model);
      const meant = this.meant(model, isWhole ? undefined : isMeant);
      if (this.isSeveral && (isWhole || meant.length)) place({ kind: 'kernel', name: title, model, isUnfolded, runs: model.load });
      if (isUnfolded) meant.forEach(place);
    }
    this.tops = Float64Array.from(this.lanes, (lane) => lane.top);
    this.height = top;
  }

  // A kernel's lanes of which something is meant; all of them if nothing is said.
  meant(model, isMeant) {
    const found = [];
    let colour = -1, isBelowMeant = false, heading;
    const take = (lane) => {
      const kind = lane.heading !== undefined ? 'heading' : lane.thread !== undefined ? 'thread' : lane.span !== undefined ? (lane.band ? 'band' : 'span') : 'signal';
      const runs = kind === 'heading' ? model.processes.get(lane) : undefined;
      found.push({ ...lane, kind, model, runs, colour: kind === 'thread' ? colour : undefined });
    };
    for (const lane of model.facts.lanes) {
      if (lane.thread !== undefined) colour++;
      if (lane.heading !== undefined) [heading, isBelowMeant] = [lane, isMeant?.(lane.heading)];
      else if (!isMeant || isBelowMeant || isMeant(lane.name)) {
        if (heading) take(heading);
        heading = undefined;
        take(lane);
      }
      if (!isMeant && heading) { take(heading); heading = undefined; }
    }
    return found;
  }

  // The lane at a height, counted from the first lane's top.
  laneAt(y) {
    const lane = this.lanes[above(this.tops, y) - 1];
    return lane && y < lane.top + lane.height ? lane : undefined;
  }

  // From where to where a kernel has its lanes.
  extent(model) {
    const own = this.lanes.filter((lane) => lane.model === model);
    return own.length ? [own[0].top, own[own.length - 1].top + own[own.length - 1].height] : undefined;
  }
}

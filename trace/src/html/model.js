// What is drawn: a track of intervals with sums for each thread, so that no drawing looks at more than its pixels.

// The first position from `low` on whose value is greater than `value`, or not less: in growing steps, since it is near. This is
// what drawing does most, so both are written out.
function above(values, value, low = 0) {
  let [high, step] = [low, 1];
  while (high < values.length && !(values[high] > value)) {
    work.searches++;
    low = high + 1;
    high = Math.min(values.length, high + step);
    step *= 2;
  }
  while (low < high) {
    work.searches++;
    const middle = (low + high) >>> 1;
    if (values[middle] > value) high = middle; else low = middle + 1;
  }
  return low;
}

function notBelow(values, value, low = 0) {
  let [high, step] = [low, 1];
  while (high < values.length && !(values[high] >= value)) {
    work.searches++;
    low = high + 1;
    high = Math.min(values.length, high + step);
    step *= 2;
  }
  while (low < high) {
    work.searches++;
    const middle = (low + high) >>> 1;
    if (values[middle] >= value) high = middle; else low = middle + 1;
  }
  return low;
}

// The same as `above`, from a guess on: so many positions behind `low`. Runs are mostly periodic, so a pixel has about as many as the
// one before it, and most guesses are next to what is looked for.
function aboveNear(values, value, low, stride) {
  const guess = low + stride;
  if (guess < values.length && !(values[guess] > value)) { work.searches++; return above(values, value, guess + 1); }
  let [high, step] = [Math.min(guess, values.length), 1];
  while (high - step >= low && values[high - step] > value) {
    work.searches++;
    high -= step;
    step *= 2;
  }
  for (low = Math.max(low, high - step + 1); low < high;) {
    work.searches++;
    const middle = (low + high) >>> 1;
    if (values[middle] > value) high = middle; else low = middle + 1;
  }
  return high;
}

function isSorted(values) {
  for (let index = 1; index < values.length; index++) if (values[index] < values[index - 1]) return false;
  return true;
}

// What a table has for each of some rows, without the arrays in between that `map` and `from` make of long ones.
function pick(rows, values) {
  const picked = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) picked[index] = values[rows[index]];
  return picked;
}

// The rows of a table by a small number that `keys` has for each, in their order; none for those of which it is -1.
function rowsBy(keys) {
  const counts = [], rows = new Map(), used = [];
  for (let row = 0; row < keys.length; row++) if (keys[row] >= 0) counts[keys[row]] = (counts[keys[row]] ?? 0) + 1;
  counts.forEach((count, key) => { rows.set(key, new Uint32Array(count)); used[key] = 0; });
  const lists = counts.map((_, key) => rows.get(key));
  for (let row = 0; row < keys.length; row++) if (keys[row] >= 0) lists[keys[row]][used[keys[row]]++] = row;
  return rows;
}

// Intervals in order that don't overlap. `sum[i]` is what those before the i-th cover together.
class Track {
  constructor(from, to) {
    this.from = from instanceof Float64Array ? from : Float64Array.from(from);
    this.to = to instanceof Float64Array ? to : Float64Array.from(to);
    this.sum = new Float64Array(this.from.length + 1);
    for (let index = 0; index < this.from.length; index++) this.sum[index + 1] = this.sum[index] + this.to[index] - this.from[index];
  }

  get count() { return this.from.length; }

  // How much of the time from one instant to another is covered.
  covered(from, to) { return this.coveredBefore(Math.max(from, to)) - this.coveredBefore(from); }

  coveredBefore(instant) {
    const last = notBelow(this.from, instant) - 1;
    return last < 0 ? 0 : this.sum[last] + Math.min(instant, this.to[last]) - this.from[last];
  }

  // The interval that holds an instant, or comes within `near` of it; -1 for none.
  at(instant, near) {
    const index = notBelow(this.to, instant - near);
    return index < this.count && this.from[index] <= instant + near ? index : -1;
  }
}

// Overlapping intervals in the order of their beginnings, as a track of what they cover together.
function union(from, to) {
  const froms = new Float64Array(from.length), tos = new Float64Array(from.length);
  let last = -1;
  for (let index = 0; index < from.length; index++) {
    if (!(from[index] < to[index])) continue;
    if (last >= 0 && from[index] <= tos[last]) tos[last] = Math.max(tos[last], to[index]);
    else { last++; froms[last] = from[index]; tos[last] = to[index]; }
  }
  return new Track(froms.slice(0, last + 1), tos.slice(0, last + 1));
}

class Model {
  constructor(facts, columns) {
    Object.assign(this, { facts, columns });
    this.ticksInMillisecond = 1e6 * facts.tick.ticks / facts.tick.nanoseconds;
    [this.start, this.end] = facts.span;
    const { jobs } = columns;
    for (let index = 0; index < jobs.count; index++) this.end = Math.max(this.end, Math.min(jobs.deadline[index], facts.span[1] + 10 * (facts.span[1] - facts.span[0])));
    this.end = Math.max(this.end, this.start + 1);
    this.idle = new Set(facts.threads.flatMap((thread, number) => thread.kind === 'idle' ? [number] : []));
    this.threads = this.followThreads();
    this.troubles = this.followTroubles();
    this.load = this.followLoad();
    this.waits = this.followWaits();
    this.wakes = new Wakes(columns);
    this.spans = this.followSpans();
    this.lost = this.spans.get(facts.lanes.find((lane) => lane.lost)?.span)?.track;
    const values = curvesOf(this);
    this.curves = [...values, ...loadsOf(this, values)];
    this.processes = this.gatherProcesses();
  }

  followThreads() {
    const { runs, jobs } = this.columns;
    const ran = rowsBy(runs.thread), had = rowsBy(jobs.thread);
    const none = new Uint32Array(0);
    const threads = new Map();
    for (const thread of new Set([...ran.keys(), ...had.keys()])) threads.set(thread, this.finishThread(ran.get(thread) ?? none, had.get(thread) ?? none));
    return threads;
  }

  // `jobs` stay in the order in which they were told and ended; what is drawn is in the order of releases.
  finishThread(runs, own) {
    const { jobs } = this.columns, last = this.facts.span[1];
    let sorted = own, releases = pick(own, jobs.release);
    if (!isSorted(releases)) {
      sorted = own.slice().sort((one, other) => jobs.release[one] - jobs.release[other] || one - other);
      releases = pick(sorted, jobs.release);
    }
    const due = pick(sorted, jobs.deadline), ends = pick(sorted, jobs.end);
    const open = new Float64Array(sorted.length);
    for (let index = 0; index < sorted.length; index++) open[index] = ends[index] === Infinity ? Math.max(releases[index], Math.min(last, due[index])) : ends[index];
    return {
      jobs: own, sorted, releases, ends: sorted === own ? ends : pick(own, jobs.end),
      running: new Track(pick(runs, this.columns.runs.from), pick(runs, this.columns.runs.to)),
      deadlines: isSorted(due) ? due : due.slice().sort(),
      open: union(releases, open), logical: union(releases, due),
    };
  }

  followTroubles() {
    const { troubles } = this.columns;
    const all = Array.from({ length: troubles.count }, (_, index) => ({ at: troubles.at[index], thread: troubles.thread[index], isTrouble: troubles.isTrouble[index] === 1, words: this.facts.troubles[troubles.words[index]] }));
    all.sort((one, other) => one.at - other.at);
    const by = new Map();
    for (const trouble of all) {
      if (!by.has(trouble.thread)) by.set(trouble.thread, []);
      by.get(trouble.thread).push(trouble);
    }
    for (const [thread, list] of by) by.set(thread, { list, at: Float64Array.from(list, (trouble) => trouble.at) });
    // What is only news is shown where it is, and nobody is led to it.
    const real = all.filter((trouble) => trouble.isTrouble);
    return { all: real, at: Float64Array.from(real, (trouble) => trouble.at), by };
  }

  // The job that is in trouble: the one that missed what was due then, else the one that was open; -1 for none.
  jobInTrouble({ thread, at }) {
    const { jobs } = this.columns;
    const known = this.threads.get(thread);
    if (!known) return -1;
    const failed = known.sorted.find((job) => jobs.outcome[job] > 1 && (jobs.deadline[job] === at || jobs.end[job] === at));
    return failed ?? (this.jobAt(thread, at) >= 0 ? this.jobAt(thread, at) : this.jobBefore(thread, at));
  }

  // Waits of each thread, in the order of their ends; none overlaps another.
  followWaits() {
    const { waits } = this.columns;
    const by = new Map();
    for (let index = 0; index < waits.count; index++) {
      const thread = waits.thread[index];
      if (!by.has(thread)) by.set(thread, []);
      by.get(thread).push(index);
    }
    for (const [thread, list] of by) by.set(thread, { list, ends: Float64Array.from(list, (wait) => waits.to[wait]) });
    return by;
  }

  // What a thread waits for at an instant; -1 for nothing.
  waitAt(thread, instant) {
    const known = this.waits.get(thread);
    const wait = known?.list[above(known.ends, instant)] ?? -1;
    return wait >= 0 && this.columns.waits.from[wait] <= instant ? wait : -1;
  }

  // The last of its waits that was over at an instant; -1 for none.
  waitBefore(thread, instant) {
    const known = this.waits.get(thread);
    return known?.list[above(known.ends, instant) - 1] ?? -1;
  }

  // Modes, when locks were held, and when interrupts were served, by their lanes.
  followSpans() {
    const { spans } = this.columns;
    const by = new Map();
    for (let index = 0; index < spans.count; index++) {
      const lane = spans.lane[index];
      if (!by.has(lane)) by.set(lane, { from: [], to: [], words: [] });
      const own = by.get(lane);
      own.from.push(spans.from[index]);
      own.to.push(spans.to[index]);
      own.words.push(spans.words[index]);
    }
    for (const [lane, { from, to, words }] of by) by.set(lane, { track: new Track(from, to), words, kinds: [...new Set(words)] });
    return by;
  }

  // The mode in which a job was released, and which modules went over to another until it ended, as `modes.rs` tells them.
  modesAround(thread, release, end, times) {
    const MOST = 5, name = (own, index) => this.facts.spans[own.words[index]][0];
    const lines = [], switches = [];
    for (const lane of this.facts.lanes.filter((lane) => lane.band)) {
      const own = this.spans.get(lane.span), { from, to } = own.track;
      const index = above(to, release);
      if (lane.band.includes(thread) && index < from.length && from[index] <= release) lines.push(`released in mode ${name(own, index)} of ${lane.name}, which began at ${times.at(from[index])}`);
      for (let next = Math.max(1, above(from, release)); next < from.length && from[next] <= end; next++) {
        if (to[next - 1] === from[next]) switches.push({ at: from[next], words: `at ${times.at(from[next])} ${lane.name} went from ${name(own, next - 1)} to ${name(own, next)}` });
      }
    }
    switches.sort((one, other) => one.at - other.at);
    lines.push(...switches.slice(0, MOST).map(({ words }) => words));
    if (switches.length > MOST) lines.push(`and ${switches.length - MOST} more changes of modes`);
    return lines;
  }

  // When the processor wasn't idle.
  followLoad() {
    const groups = new Int16Array(256);
    for (const thread of this.idle) groups[thread] = -1;
    return this.together(groups).get(0) ?? new Track([], []);
  }

  // For each group of threads: when any of these had the processor.
  together(groups) {
    const { runs } = this.columns;
    const tracks = new Map();
    const keys = new Int16Array(runs.count);
    for (let run = 0; run < runs.count; run++) keys[run] = groups[runs.thread[run]];
    for (const [own, rows] of rowsBy(keys)) {
      let from = pick(rows, runs.from);
      if (!isSorted(from)) from = pick(rows.sort((one, other) => runs.from[one] - runs.from[other]), runs.from);
      tracks.set(own, union(from, pick(rows, runs.to)));
    }
    return tracks;
  }

  // A heading shows when any thread of its process had the processor, whatever of them is shown.
  gatherProcesses() {
    const heading = new Int16Array(256).fill(-1);
    let last = -1;
    this.facts.lanes.forEach((lane, index) => {
      if (lane.heading !== undefined) last = index;
      if (lane.thread !== undefined) heading[lane.thread] = last;
    });
    const tracks = this.together(heading);
    return new Map(this.facts.lanes.map((lane, index) => [lane, tracks.get(index) ?? new Track([], [])]));
  }

  name(thread) { return this.facts.threads[thread]?.name ?? `thread ${thread}`; }

  // The job of a thread that was released last at an instant or before; -1 for none.
  jobBefore(thread, instant) {
    const known = this.threads.get(thread);
    const position = known ? above(known.releases, instant) - 1 : -1;
    return position < 0 ? -1 : known.sorted[position];
  }

  // The open job of a thread at an instant: the one that its time was spent on; -1 for none.
  jobAt(thread, instant) {
    const known = this.threads.get(thread);
    if (!known) return -1;
    const job = known.jobs[above(known.ends, instant)];
    return job !== undefined && this.columns.jobs.told[job] <= instant ? job : -1;
  }

  // The job that a click on a thread's lane means.
  jobUnder(thread, instant) {
    const known = this.threads.get(thread);
    if (!known) return -1;
    const run = known.running.at(instant, 0);
    const open = run < 0 ? -1 : this.jobAt(thread, Math.max(known.running.from[run], Math.min(instant, known.running.to[run])));
    return open >= 0 ? open : this.jobBefore(thread, instant);
  }

  number(job) {
    return this.threads.get(this.columns.jobs.thread[job]).jobs.indexOf(job) + 1;
  }
}

// Why a job was late or early: the same chain as `beryl trace why`, of which `why.rs` is the original.

const OUTCOMES = ["its end isn't in the trace", 'in time', 'late', 'stopped', 'stopped by a fault'];
const ENDINGS = ['no end is told', 'done', 'done, too late', 'stopped: its result was needed', 'stopped by a fault'];

// An exact decimal number of nanoseconds in a unit.
function decimal(nanoseconds, unit) {
  const digits = String(unit).length - 1;
  const whole = Math.floor(nanoseconds / unit), rest = Math.floor(nanoseconds % unit);
  return rest ? `${whole}.${String(rest).padStart(digits, '0').replace(/0+$/, '')}` : String(whole);
}

// In what the instants of an axis are told, with so many nanoseconds from label to label: as `ruler.rs` says.
function unitOf(step, to) {
  const [size, name] = to <= 1e3 ? [1, 'ns'] : step >= 1e8 ? [1e9, 's'] : step < 1e5 && to <= 1e7 ? [1e3, 'us'] : [1e6, 'ms'];
  return { name, label: (nanoseconds) => `${decimal(nanoseconds, size)} ${name}` };
}

class Times {
  constructor(tick) { this.tick = tick; }

  nanoseconds(ticks) { return Math.floor(ticks * this.tick.nanoseconds / this.tick.ticks); }

  // An instant in milliseconds.
  at(ticks) { return `${decimal(this.nanoseconds(ticks), 1e6)} ms`; }

  // The ends of a window and its length, in the unit in which they are round.
  range(from, to) {
    const unit = unitOf((this.nanoseconds(to) - this.nanoseconds(from)) / 4, this.nanoseconds(to));
    return [from, to, to - from].map((ticks) => unit.label(this.nanoseconds(ticks)));
  }

  length(ticks) { return nanosecondsText(this.nanoseconds(ticks)); }
}

// A length in the largest unit that leaves a whole part.
function nanosecondsText(nanoseconds) {
  if (nanoseconds === 0 || nanoseconds >= 1e6) return `${decimal(nanoseconds, 1e6)} ms`;
  return nanoseconds >= 1e3 ? `${decimal(nanoseconds, 1e3)} us` : `${nanoseconds} ns`;
}

// The chain of a job: steps from its release to its end, and what each cause took.
function chain(model, job) {
  const { jobs } = model.columns;
  const times = new Times(model.facts.tick);
  const steps = stepsOf(model, job);
  steps.forEach((step, position) => { step.reason = reasonOf(model, job, step, position, times); });
  const usual = usualOf(model, jobs.thread[job]);
  const here = partsOf(steps);
  const parts = [...here].map(([called, length]) => ({ called, here: length, usual: usual.parts.get(called) ?? 0 }));
  for (const [called, length] of usual.parts) if (length > 0 && !here.has(called)) parts.push({ called, here: 0, usual: length });
  const [release, deadline, end] = [jobs.release[job], jobs.deadline[job], jobs.end[job]];
  return {
    job, steps, release, deadline, end, parts,
    modes: model.modesAround(jobs.thread[job], release, end === Infinity ? Math.max(model.facts.span[1], release) : end, times),
    task: model.name(jobs.thread[job]), number: model.number(job),
    verdict: verdictOf(jobs.outcome[job], release, deadline, end, times, usual), ending: ENDINGS[jobs.outcome[job]],
  };
}

// Steps, summed up by cause.
function partsOf(steps) {
  const parts = new Map();
  for (const step of steps) parts.set(step.called, (parts.get(step.called) ?? 0) + step.to - step.from);
  return parts;
}

function median(lengths) {
  return Float64Array.from(lengths).sort()[(lengths.length - 1) >> 1];
}

// What jobs of a task usually meet: medians over all that completed, as `usual.rs` finds them.
function usualOf(model, thread) {
  const known = model.threads.get(thread);
  if (known.usual) return known.usual;
  const { jobs } = model.columns;
  const completed = Array.from(known.jobs).filter((job) => (jobs.outcome[job] === 1 || jobs.outcome[job] === 2) && jobs.end[job] !== Infinity);
  const causes = new Map();
  for (const job of completed) {
    for (const [called, length] of sumsOf(model, job)) {
      if (!causes.has(called)) causes.set(called, []);
      causes.get(called).push(length);
    }
  }
  const parts = new Map();
  for (const [called, lengths] of causes) {
    // Where a cause didn't appear in a job, it took nothing.
    while (lengths.length < completed.length) lengths.push(0);
    parts.set(called, median(lengths));
  }
  known.usual = { jobs: completed.length, response: median(completed.map((job) => Math.max(0, jobs.end[job] - jobs.release[job]))), parts };
  return known.usual;
}

// What a job's time from release to end was made of, by cause. Before it has begun any number of jobs may wait at a time: where
// that is many runs, what threads had of it is a difference of sums. `usual.rs` says why this is enough.
function sumsOf(model, job) {
  const { runs, jobs } = model.columns;
  const sums = new Map();
  const add = (called, length) => { if (length > 0) sums.set(called, (sums.get(called) ?? 0) + length); };
  const release = jobs.release[job], end = endOf(model, job);
  const first = above(runs.to, release);
  const waited = above(runs.to, Math.min(jobs.start[job], end), first);
  const isLong = waited - first > 2 * model.threads.size;
  const reached = isLong ? runs.to[waited - 1] : release;
  if (isLong) addBefore(model, job, reached, add);
  walk(model, job, isLong ? waited : first, reached, (from, to, cause, thread, wait) => {
    add(calledOf(model, cause, thread, wait < 0 ? -1 : model.columns.waits.words[wait]), to - from);
  });
  return sums;
}

function addBefore(model, job, until, add) {
  const { jobs } = model.columns;
  const release = jobs.release[job];
  let told = 0;
  for (const [thread, { running }] of model.threads) {
    const had = running.covered(release, until);
    told += had;
    if (thread === jobs.thread[job]) add('its earlier job', had);
    else if (model.idle.has(thread)) {
      const kernel = running.covered(release, Math.min(Math.max(jobs.told[job], release), until));
      add('the kernel', kernel);
      add('idle', had - kernel);
    } else add(model.name(thread), had);
  }
  add('not told', until - release - told);
}

function endOf(model, job) {
  const { jobs } = model.columns;
  return Math.max(jobs.end[job] === Infinity ? model.facts.span[1] : jobs.end[job], jobs.release[job]);
}

function stepsOf(model, job) {
  const { runs, jobs, waits } = model.columns;
  const steps = [];
  walk(model, job, above(runs.to, jobs.release[job]), jobs.release[job], (from, to, cause, thread, wait) => {
    const last = steps[steps.length - 1], what = wait < 0 ? -1 : waits.words[wait];
    const isSame = last && last.cause === cause && last.thread === thread && last.what === what;
    if (isSame && (cause !== 'lock' || waits.owner[last.wait] === waits.owner[wait])) last.to = to;
    else steps.push({ from, to, cause, thread, wait, what, called: calledOf(model, cause, thread, what) });
  });
  return steps;
}

// Tells what time was used for, stretch by stretch, from an instant at which a job was open, and the run that reaches over it, until
// its end or the end of the trace.
function walk(model, job, first, begin, tell) {
  const { runs, jobs, waits } = model.columns;
  const release = jobs.release[job], task = jobs.thread[job], end = endOf(model, job);
  const push = (from, to, cause, thread = -1, wait = -1) => { if (from < to) tell(from, to, cause, thread, wait); };
  let reached = begin;
  for (let index = first; index < runs.count && runs.from[index] < end; index++) {
    const thread = runs.thread[index];
    push(reached, runs.from[index], 'unknown');
    const from = Math.max(runs.from[index], release), to = Math.min(runs.to[index], end);
    const wait = jobs.start[job] <= from ? model.waitAt(task, from) : -1;
    if (thread === task) {
      const start = Math.min(Math.max(jobs.start[job], from), Math.max(to, from));
      push(from, start, 'earlier');
      push(start, to, 'own');
    } else if (wait >= 0) {
      if (waits.owner[wait] < 0) push(from, to, 'wait', -1, wait);
      else push(from, to, 'lock', thread, wait);
    } else if (model.idle.has(thread)) {
      const told = Math.min(Math.max(jobs.told[job], from), Math.max(to, from));
      push(from, told, 'kernel');
      push(told, to, 'idle');
    } else push(from, to, 'other', thread);
    reached = to;
  }
  push(reached, end, 'unknown');
}

function calledOf(model, cause, thread, what) {
  if (what >= 0) return model.facts.waits[what][0];
  return { own: 'itself', earlier: 'its earlier job', kernel: 'the kernel', idle: 'idle', unknown: 'not told', other: model.name(thread) }[cause];
}

function reasonOf(model, job, step, position, times) {
  const { jobs } = model.columns;
  const hasRun = jobs.start[job] < step.from;
  switch (step.cause) {
    case 'own':
      if (hasRun) return 'goes on';
      return position === 0 ? 'has the processor at once' : 'gets the processor for the first time';
    case 'earlier': return "its task's earlier job isn't done yet";
    case 'kernel': return 'the kernel comes first: it has not told of the release yet';
    case 'idle': return "the processor is idle: it waits for something else, which the trace doesn't tell";
    case 'unknown': return "the trace doesn't tell who had the processor";
    case 'wait': return `waits for ${step.called}`;
    case 'lock': return lockOf(model, step);
  }
  return `${hasRun ? 'preempted by' : 'waits for'} ${model.name(step.thread)}: ${urgencyOf(model, job, step, times)}`;
}

function lockOf(model, step) {
  const owner = model.columns.waits.owner[step.wait];
  const held = `waits for ${step.called}, which ${model.name(owner)} ${model.facts.waits[step.what][1]}`;
  return step.thread === owner ? `${held}: it runs in its place` : `${held}; ${model.name(step.thread)} has the processor`;
}

function urgencyOf(model, job, step, times) {
  const { jobs } = model.columns;
  const kind = model.facts.threads[step.thread]?.kind;
  if (kind === 'driver') return 'native drivers come before all tasks';
  const other = model.jobAt(step.thread, step.from);
  if (other < 0) return kind === 'free' ? callOf(model, step, times) : 'no job of it is open';
  const [due, own] = [jobs.deadline[other], jobs.deadline[job]];
  const relation = due < own ? 'due earlier' : due > own ? 'first by band, priority or lock, though due later' : 'due at the same time';
  return `released at ${times.at(jobs.release[other])}, ${relation}, at ${times.at(due)}`;
}

// What brought a thread without jobs.
function callOf(model, step, times) {
  const { waits } = model.columns;
  const wait = model.waitBefore(step.thread, step.from);
  return wait < 0 ? 'it has no jobs' : `it had waited for ${model.facts.waits[waits.words[wait]][0]}, which came at ${times.at(waits.to[wait])}`;
}

function verdictOf(outcome, release, deadline, end, times, known) {
  const usual = known.jobs > 1 ? `; usual are ${times.length(known.response)}` : '';
  const took = `done after ${times.length(Math.max(0, end - release))}`;
  switch (outcome) {
    case 1: return `in time: ${took}, ${times.length(Math.max(0, deadline - end))} before its deadline${usual}`;
    case 2:
      if (end === Infinity) return `late: it missed its deadline and wasn't done when the trace ended${usual}`;
      return `late: ${took}, ${times.length(Math.max(0, end - deadline))} after its deadline${usual}`;
    case 3: return `stopped: the program needed its result at ${times.at(deadline)}, and it wasn't done${usual}`;
    case 4: return `stopped by a fault at ${times.at(end)}`;
  }
  return OUTCOMES[0];
}

// Curves: what a number was over time. It keeps each value until the next, so it goes in steps.

const FAN = 16;

// A number as the program writes it: without exponents, and a `float` with no more digits than tell it from others.
function numberText(value, kind) {
  if (kind === 'boolean') return value === 0 ? 'false' : value === 1 ? 'true' : `true (${value})`;
  return plain(kind === 'float' && value !== 0 ? shortest(value) : value);
}

function shortest(value) {
  for (let digits = 1; digits < 10; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function plain(value) {
  const text = Object.is(value, -0) ? '-0' : String(value).replace('Infinity', 'inf');
  const [, sign, whole, part = '', power] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (power === undefined) return text;
  const digits = whole + part, places = whole.length + Number(power);
  if (places <= 0) return `${sign}0.${'0'.repeat(-places)}${digits}`;
  return `${sign}${digits.slice(0, places).padEnd(places, '0')}${places < digits.length ? `.${digits.slice(places)}` : ''}`;
}

// What is reckoned from values has no more digits than it deserves.
function roundedText(value) {
  return value === undefined || Number.isNaN(value) ? '' : plain(Number(value.toPrecision(6)));
}

// A value as a text; nothing where the page doesn't have it.
function textOf(model, samples, index) {
  const { form, parts } = samples;
  if (form === null) return model.facts.values[samples.texts[index]];
  const isThere = (part) => !part.isThere || part.isThere[index] === 1;
  if (!parts.some(isThere)) return undefined;
  let place = 0;
  return form.replace(/#/g, () => {
    const part = parts[place++];
    return isThere(part) ? numberText(part.values[index], part.kind) : '?';
  });
}

// One number of one run. `tree` has the least and the greatest of every 16 values, of every 256, and so on; `area` and `weight`
// what the values before one are, times how long they were, and how long that was: so no question looks at all values.
class Curve {
  constructor({ name, unit, kind, run, end, at, values }) {
    Object.assign(this, { name, unit, kind, run, at, values });
    this.end = Math.max(end, at[at.length - 1] ?? end);
  }

  get count() { return this.at.length; }

  prepare() {
    if (this.tree) return;
    const { at, values, count } = this;
    this.area = new Float64Array(count + 1);
    this.weight = new Float64Array(count + 1);
    for (let index = 0; index < count; index++) {
      const length = (index + 1 < count ? at[index + 1] : this.end) - at[index];
      const isNumber = Number.isFinite(values[index]);
      this.area[index + 1] = this.area[index] + (isNumber ? values[index] * length : 0);
      this.weight[index + 1] = this.weight[index] + (isNumber ? length : 0);
    }
    this.tree = [];
    for (let [least, most] = [values, values]; least.length > FAN;) {
      const length = Math.ceil(least.length / FAN);
      const [lower, upper] = [new Float64Array(length).fill(Infinity), new Float64Array(length).fill(-Infinity)];
      for (let index = 0; index < least.length; index++) {
        const place = Math.floor(index / FAN);
        if (least[index] < lower[place]) lower[place] = least[index];
        if (most[index] > upper[place]) upper[place] = most[index];
      }
      this.tree.push({ least: lower, most: upper });
      [least, most] = [lower, upper];
    }
  }

  // The position of the value that counts at an instant; -1 if there is none yet.
  position(instant) { return above(this.at, instant) - 1; }

  // The value at an instant; nothing before the first and after the end of the run.
  value(instant) {
    const position = instant > this.end ? -1 : this.position(instant);
    return position < 0 ? undefined : this.values[position];
  }

  // The least and the greatest of the values from one position to before another: Infinity and -Infinity if there are none.
  extremes(first, last) {
    this.prepare();
    let [least, most] = [Infinity, -Infinity];
    const take = (low, high) => { if (low < least) least = low; if (high > most) most = high; };
    for (let level = -1; first < last; level++) {
      const of = level < 0 ? { least: this.values, most: this.values } : this.tree[level];
      const isTop = level + 1 >= this.tree.length;
      while (first < last && (isTop || first % FAN)) { take(of.least[first], of.most[first]); first++; work.searches++; }
      while (first < last && last % FAN) { last--; take(of.least[last], of.most[last]); work.searches++; }
      first /= FAN;
      last /= FAN;
    }
    return [least, most];
  }

  // Over a window: the least, the greatest, the mean over time, and how many values came.
  seen(from, to) {
    this.prepare();
    const until = Math.min(to, this.end);
    const begin = notBelow(this.at, from), last = this.position(until);
    if (last < 0 || until < from) return { count: 0 };
    // What counts when the window begins is part of it.
    const [least, most] = this.extremes(Math.max(this.at[begin] === from ? begin : begin - 1, 0), last + 1);
    const [area, weight] = ['area', 'weight'].map((name) => this.before(name, until) - this.before(name, from));
    const mean = weight > 0 ? area / weight : this.values[last];
    return { least, most, mean, count: Math.max(last + 1 - begin, 0) };
  }

  before(name, instant) {
    const position = this.position(instant);
    if (position < 0) return 0;
    const value = this.values[position], length = instant - this.at[position];
    return this[name][position] + (Number.isFinite(value) ? (name === 'area' ? value : 1) * length : 0);
  }

  // The first instant at which another run's values aren't these; nothing if there is none as long as both last.
  differsFrom(other) {
    const end = Math.min(this.end, other.end);
    for (let [own, its] = [0, 0]; own < this.count || its < other.count;) {
      const at = Math.min(this.at[own] ?? Infinity, other.at[its] ?? Infinity);
      if (at > end) return undefined;
      const isSame = this.at[own] === other.at[its] && Object.is(this.values[own], other.values[its]);
      if (!isSame) return at;
      own++;
      its++;
    }
    return undefined;
  }
}

// All curves, by their names: each has one for every run that has it.
function curvesOf(model) {
  const { facts, columns } = model;
  const entries = new Map();
  facts.sampled.forEach(({ name, run, parts, origin }, index) => {
    const { at, parts: read } = columns.samples[index];
    parts.forEach(({ path, unit }, place) => {
      const { kind, isThere, values } = read[place];
      const kept = isThere ? Array.from(isThere.keys()).filter((sample) => isThere[sample]) : undefined;
      const own = kept ? [Float64Array.from(kept, (sample) => at[sample]), Float64Array.from(kept, (sample) => values[sample])] : [at, values];
      if (own[0].length === 0) return;
      const key = `${name}${path} ${origin}`;
      if (!entries.has(key)) entries.set(key, { key, name: name + path, unit: unit ?? undefined, kind, curves: [] });
      const { end } = facts.runs[run];
      entries.get(key).curves.push(new Curve({ name: name + path, unit, kind, run, end, at: own[0], values: own[1] }));
    });
  });
  return [...entries.values()];
}

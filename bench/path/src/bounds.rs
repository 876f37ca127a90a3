//! Which loop of the source a loop of the machine code is, and so how often it runs.
//!
//! Every instruction has a chain of source loops around it, through all functions that were inlined,
//! outermost first. A loop of the machine code is the innermost source loop that holds all its own
//! instructions (those of loops inside it belong to these). Four things blur this, and each is decided to
//! the safe side:
//!
//! - An instruction may carry the line of a neighbour. So instructions outside the loop around this one count
//!   for nothing, and where nearly all lie deeper than the rest says, the largest of the bounds in question
//!   is taken.
//! - A loop without a keyword, inlined from a library, has only the chain of the code around it. So a loop is
//!   never the same source loop as the one around it, and has to contain a piece of its head (`for ..`,
//!   `while ..`).
//! - Loops that begin at the same instruction are one loop of the machine code. So where control comes back
//!   from several places, the rounds of all source loops in question are added up.
//! - The test may run once more than the body: see `tests_behind_body`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use crate::annotation::{Mark, Region, regions};
use crate::{PathError, Request};
use beryl_code::{Frame, Lines};

/// How a loop enters the longest path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Going back happens at most this often.
    Bound(u64),
    /// Going back is a step boundary.
    Boundary,
}

/// A loop of the machine code.
#[derive(Debug)]
pub struct MachineLoop {
    /// The function that it lies in.
    pub function: String,
    /// Whether several loops of the source may have become this one.
    pub has_several_ways_back: bool,
    /// Its instructions, without those of loops inside it.
    pub addresses: Vec<u32>,
    /// The stores and calls that every round carries out, also the last one.
    pub certain: Vec<u32>,
}

/// What an instruction lies in: a loop, and the line inside it.
type Inside = (Source, u32);

/// A loop of the source, as the file and the position in its list of regions.
pub type Source = (Rc<str>, usize);

/// The source loops around an instruction, outermost first.
pub type Chain = Vec<Source>;

/// The bounds that sources and request state.
pub struct Bounds<'a> {
    lines: &'a Lines<'a>,
    request: &'a Request,
    roots: Vec<PathBuf>,
    files: BTreeMap<Rc<str>, Arc<[Region]>>,
}

impl<'a> Bounds<'a> {
    /// Nothing is read yet.
    pub fn new(lines: &'a Lines<'a>, request: &'a Request) -> Self {
        let root = |root: &PathBuf| std::fs::canonicalize(root).unwrap_or_else(|_| root.clone());
        let roots = request.source_roots.iter().map(root).collect();
        Bounds { lines, request, roots, files: BTreeMap::new() }
    }

    /// The rule for `machine`, and the source loops around its body; `outer` are those around the loop that
    /// it lies in.
    pub fn rule(&mut self, machine: &MachineLoop, outer: &[Source]) -> Result<(Rule, Chain), PathError> {
        let chains: Vec<Chain> =
            machine.addresses.iter().filter_map(|address| self.chain(*address)).collect();
        let deeper = |chain: &Chain| chain.len() > outer.len() && chain.starts_with(outer);
        let chains: Vec<Chain> = chains.into_iter().filter(deeper).collect();
        let innermost = prevailing(&chains);
        let outermost = common(&chains).max(outer.len() + 1);
        if innermost.len() < outermost {
            return Err(self.no_bound(machine));
        }
        let around = innermost[..outermost].to_vec();
        if machine.has_several_ways_back
            && let Some(rule) = self.rule_of_several(machine, &around, &chains)?
        {
            return Ok((rule, around));
        }
        let mut rules = Vec::new();
        for source in &innermost[outermost - 1..] {
            rules.push(self.stated(source)?);
        }
        let rule = match rules.as_slice() {
            [_] if !self.has_head(machine, &around) => return Err(self.no_bound(machine)),
            [Some(Rule::Bound(bound))] if self.tests_behind_body(machine, &around) => {
                Some(Rule::Bound(bound.saturating_sub(1)))
            }
            [None] => return Err(self.no_bound(machine)),
            [rule] => *rule,
            several => largest(several),
        };
        Ok((rule.ok_or_else(|| self.ambiguous(machine))?, around))
    }

    /// The rule for a loop that may be several of the source: `around` and what lies inside it. `None` if it
    /// is one.
    fn rule_of_several(
        &mut self,
        machine: &MachineLoop,
        around: &[Source],
        chains: &[Chain],
    ) -> Result<Option<Rule>, PathError> {
        let beginnings =
            |chain: &Chain| (around.len()..=chain.len()).map(|length| chain[..length].to_vec()).collect();
        // A closure that stands in a loop's body and is called there isn't a loop in itself.
        let is_boundary = match around.last() {
            Some(source) => self.stated(source)? == Some(Rule::Boundary),
            None => false,
        };
        let is_again = |chain: &Chain| {
            is_boundary && chain[around.len()..].iter().all(|source| Some(source) == around.last())
        };
        let inside: BTreeSet<Chain> = chains
            .iter()
            .filter(|chain| chain.starts_with(around))
            .filter(|chain| chain.as_slice() == around || !is_again(chain))
            .flat_map::<Vec<Chain>, _>(beginnings)
            .collect();
        if inside.len() <= 1 {
            return if self.may_hide_a_loop(machine, around) {
                Err(self.no_bound(machine))
            } else {
                Ok(None)
            };
        }
        let mut rounds = 0_u64;
        for chain in &inside {
            let mut product = 1_u64;
            for source in &chain[around.len() - 1..] {
                let Some(Rule::Bound(bound)) = self.stated(source)? else {
                    return Err(self.ambiguous(machine));
                };
                product = product.saturating_mul(bound);
            }
            rounds = rounds.saturating_add(product);
        }
        Ok(Some(Rule::Bound(rounds)))
    }

    /// Whether an iterator of the library, which may loop by itself, was inlined into the loop that `around`
    /// ends with; the one that its own `for` asks for the next element doesn't count.
    fn may_hide_a_loop(&mut self, machine: &MachineLoop, around: &[Source]) -> bool {
        machine.addresses.iter().any(|address| {
            let frames = self.lines.frames(*address);
            let own = self
                .line_in(*address, around)
                .is_some_and(|(region, line)| region.is_for && line < region.body);
            !own && frames.first().is_some_and(|frame| !self.is_ours(frame) && frame.file.contains("/iter"))
        })
    }

    /// Whether some instruction comes from the head of the loop that `around` ends with.
    fn has_head(&mut self, machine: &MachineLoop, around: &[Source]) -> bool {
        machine.addresses.iter().any(|address| {
            self.line_in(*address, around)
                .is_some_and(|(region, line)| line < region.body || region.is_all_body())
        })
    }

    /// Whether the loop's body begins in every round that the machine begins.
    ///
    /// A test in front of the body is begun once more than the body is. If every round stores or calls for
    /// the body, which can't happen once too often, then there is no such round. `loop` has no test, so all
    /// of it counts as body.
    fn tests_behind_body(&mut self, machine: &MachineLoop, around: &[Source]) -> bool {
        if around.last().is_some_and(|source| self.region(source).is_all_body()) {
            return true;
        }
        let mut certain = machine.certain.iter();
        certain
            .any(|address| self.line_in(*address, around).is_some_and(|(region, line)| line >= region.body))
    }

    /// The loop that `around` ends with, and the line in it that the instruction at `address` comes from.
    fn line_in(&mut self, address: u32, around: &[Source]) -> Option<(&Region, u32)> {
        let inside = self.inside(address)?;
        let (_, line) = inside.get(around.len().checked_sub(1)?)?;
        let same = inside.iter().zip(around).all(|((one, _), other)| one == other);
        Some((self.region(around.last()?), *line)).filter(|_| same)
    }

    /// The source loops around an instruction; `None` if the compiler doesn't say where it comes from.
    fn chain(&mut self, address: u32) -> Option<Chain> {
        Some(self.inside(address)?.into_iter().map(|(source, _)| source).collect())
    }

    fn inside(&mut self, address: u32) -> Option<Vec<Inside>> {
        let frames = self.lines.frames(address);
        if frames.is_empty() {
            return None;
        }
        let mut inside = Vec::new();
        for frame in frames.into_iter().rev() {
            let file: Rc<str> = frame.file.into();
            let regions = self.regions(&file).iter().enumerate();
            let around = regions.filter(|(_, region)| region.contains(frame.line));
            inside.extend(around.map(|(position, _)| ((Rc::clone(&file), position), frame.line)));
        }
        Some(inside)
    }

    fn region(&self, (file, position): &Source) -> &Region {
        &self.files[file][*position]
    }

    /// Sources outside the roots have no annotations of ours, nor have those that can't be read.
    fn regions(&mut self, file: &Rc<str>) -> &[Region] {
        let roots = &self.roots;
        self.files.entry(Rc::clone(file)).or_insert_with(|| {
            let text = roots.iter().find_map(|root| {
                let path = root.join(Path::new(&**file));
                let path = std::fs::canonicalize(&path).unwrap_or(path);
                if path.starts_with(root) { std::fs::read_to_string(path).ok() } else { None }
            });
            text.map(read).unwrap_or_default()
        })
    }

    fn stated(&self, source: &Source) -> Result<Option<Rule>, PathError> {
        let region = self.region(source);
        match &region.mark {
            Mark::None => Ok(None),
            Mark::Boundary => Ok(Some(Rule::Boundary)),
            Mark::Bound(text) => match evaluate(text, &self.request.bounds) {
                Ok(bound) => Ok(Some(Rule::Bound(bound))),
                Err(reason) => Err(PathError::Bound {
                    file: source.0.to_string(),
                    line: region.first,
                    text: text.clone(),
                    reason,
                }),
            },
        }
    }

    fn no_bound(&self, machine: &MachineLoop) -> PathError {
        let (first, last) = extent(machine);
        let or = match self.places(machine) {
            Some(_) => String::new(),
            None => format!(", or give `--symbol-bound '{}=<number>'`", machine.function),
        };
        PathError::NoBound { function: machine.function.clone(), first, last, lines: self.lines(machine), or }
    }

    fn ambiguous(&self, machine: &MachineLoop) -> PathError {
        let (first, last) = extent(machine);
        PathError::Ambiguous { function: machine.function.clone(), first, last, lines: self.lines(machine) }
    }

    fn lines(&self, machine: &MachineLoop) -> String {
        self.places(machine).unwrap_or_else(|| "no source under the source root".to_owned())
    }

    /// The lines under the source root that the loop was made from, by file.
    fn places(&self, machine: &MachineLoop) -> Option<String> {
        let mut places: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for address in &machine.addresses {
            if let Some(frame) = self.innermost_of_ours(&self.lines.frames(*address)) {
                places.entry(frame.file.clone()).or_default().insert(frame.line);
            }
        }
        let describe = |(file, lines): (String, BTreeSet<u32>)| {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{file}:{}", lines.join(","))
        };
        let places: Vec<String> = places.into_iter().map(describe).collect();
        (!places.is_empty()).then(|| places.join("; "))
    }

    /// The innermost of `frames` whose source lies under the root.
    pub fn innermost_of_ours<'f>(&self, frames: &'f [Frame]) -> Option<&'f Frame> {
        frames.iter().find(|frame| self.is_ours(frame))
    }

    fn is_ours(&self, frame: &Frame) -> bool {
        self.roots.iter().any(|root| root.join(&frame.file).starts_with(root))
    }
}

/// The regions of a source. Whoever bounds several steps reads the same files again, so that each is only taken apart once.
fn read(text: String) -> Arc<[Region]> {
    static KNOWN: Mutex<BTreeMap<String, Arc<[Region]>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let of_text = |text: &String| regions(text).into();
    Arc::clone(known.entry(text).or_insert_with_key(of_text))
}

fn extent(machine: &MachineLoop) -> (u32, u32) {
    let first = machine.addresses.iter().min().copied().unwrap_or_default();
    (first, machine.addresses.iter().max().copied().unwrap_or_default())
}

/// The length of the longest common beginning.
fn common(chains: &[Chain]) -> usize {
    let Some((first, others)) = chains.split_first() else { return 0 };
    let same = |chain: &Chain| first.iter().zip(chain).take_while(|(one, other)| one == other).count();
    others.iter().map(same).min().unwrap_or(first.len())
}

/// The longest beginning that nine in ten chains share.
fn prevailing(chains: &[Chain]) -> Chain {
    let sharing = |beginning: &[Source]| chains.iter().filter(|chain| chain.starts_with(beginning)).count();
    let prevails = |beginning: &&[Source]| sharing(beginning) * 10 >= chains.len() * 9;
    let beginnings = chains.iter().flat_map(|chain| (0..=chain.len()).map(|length| &chain[..length]));
    beginnings.filter(prevails).max_by_key(|beginning| beginning.len()).unwrap_or_default().to_vec()
}

fn largest(rules: &[Option<Rule>]) -> Option<Rule> {
    let bounds = rules.iter().map(|rule| match rule {
        Some(Rule::Bound(bound)) => Some(*bound),
        _ => None,
    });
    bounds.collect::<Option<Vec<_>>>()?.into_iter().max().map(Rule::Bound)
}

/// Evaluates a sum of products of numbers and names at the beginning of `text`; what follows is a remark.
fn evaluate(text: &str, names: &BTreeMap<String, u64>) -> Result<u64, String> {
    let overflow = || "it is too large".to_owned();
    let mut sum = 0_u64;
    let mut product = 1_u64;
    let mut rest = text;
    loop {
        let (value, after) = factor(rest, names)?;
        product = product.checked_mul(value).ok_or_else(overflow)?;
        let after = after.trim_start();
        if let Some(more) = after.strip_prefix('*') {
            rest = more;
            continue;
        }
        sum = sum.checked_add(product).ok_or_else(overflow)?;
        product = 1;
        match after.strip_prefix('+') {
            Some(more) => rest = more,
            None => return Ok(sum),
        }
    }
}

fn factor<'text>(text: &'text str, names: &BTreeMap<String, u64>) -> Result<(u64, &'text str), String> {
    let text = text.trim_start();
    let is_word = |character: char| character.is_alphanumeric() || character == '_' || character == ':';
    let (word, rest) = text.split_at(text.find(|character| !is_word(character)).unwrap_or(text.len()));
    // A path's last part is the name; a colon after it begins a remark.
    let name = word.trim_end_matches(':').rsplit(':').next().unwrap_or_default();
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        let digits = name.replace('_', "");
        return digits.parse().map(|value| (value, rest)).map_err(|_| format!("`{name}` isn't a number"));
    }
    let value = names.get(name).copied();
    let missing = || match name {
        "" => "a number or a name is missing".to_owned(),
        _ => format!("`{name}` is unknown; give its value with `--bound {name}=<number>`"),
    };
    value.map(|value| (value, rest)).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_sums_of_products() {
        let names = BTreeMap::from([("LEVELS".to_owned(), 4), ("THREADS".to_owned(), 8)]);
        let value = |text| evaluate(text, &names);
        assert_eq!(value("1_000"), Ok(1000));
        assert_eq!(value("LEVELS, one for each"), Ok(4));
        assert_eq!(value("limits::LEVELS * THREADS + 2 (table)"), Ok(34));
        assert!(value("BANDS").is_err_and(|reason| reason.contains("--bound BANDS=<number>")));
        for text in ["", "4x", "2 *", "18446744073709551615 + 1", "99999999999999999999"] {
            assert!(value(text).is_err(), "{text}");
        }
    }
}

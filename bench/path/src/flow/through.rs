//! Where calls and jumps go that go through a register.

use std::collections::{BTreeMap, BTreeSet};

use beryl_code::Processor;
use beryl_code::effect::{Effect, Source, bit};
use beryl_code::instruction::{Flow, Instruction};
use beryl_code::values::{Value, Values};

use super::{Reader, goes_on};
use crate::PathError;

impl Reader<'_> {
    /// Gives calls and jumps through registers the targets that follow from the code in front of them, until there are no
    /// others. What stands behind a call that turns out not to come back isn't reached any more, and is forgotten.
    pub(super) fn follow_registers(&mut self) -> Result<(), PathError> {
        if self.image.processor == Processor::Thumb {
            return Ok(());
        }
        let mut followed = BTreeMap::new();
        // bound: each round follows more of its instructions.
        loop {
            let Leads { leads, named, reached } = self.leads();
            // What more of the function has made less certain doesn't hold. Where nobody comes to any more, all does.
            let lost =
                followed.iter().find(|(address, value)| leads.get(address).is_some_and(|now| now != *value));
            if let Some((address, _)) = lost {
                return Err(self.unknown_target(*address));
            }
            let new: Vec<_> = leads
                .into_iter()
                .filter(|(address, value)| *value != Value::Unknown && !followed.contains_key(address))
                .collect();
            if new.is_empty() {
                self.decoded.retain(|address, _| reached.contains(address));
                return Ok(());
            }
            for (address, value) in new {
                followed.insert(address, value);
                let mut ahead = self.follow(address, value, &named)?;
                while let Some(address) = ahead.pop() {
                    self.read_run(address, &mut ahead)?;
                }
            }
        }
    }

    /// Gives one its targets; answers those that are blocks of this function.
    fn follow(&mut self, address: u32, leads: Value, named: &BTreeSet<u32>) -> Result<Vec<u32>, PathError> {
        let Some(flow) = self.decoded.get(&address).map(|instruction| instruction.flow.clone()) else {
            return Ok(Vec::new());
        };
        let target = match leads {
            Value::Number(target) => Some(target),
            Value::At(place) => self.image.constant(place),
            _ => None,
        };
        let (becomes, ahead) = match (flow, target, leads) {
            (Flow::CallRegister, Some(target), _) if self.excluded.contains(&target) => {
                (Flow::Halt, Vec::new())
            }
            (Flow::CallRegister, Some(target), _) => (Flow::Call(target), Vec::new()),
            (Flow::JumpRegister, Some(target), _) => (Flow::Jump(target), vec![target]),
            (flow @ (Flow::JumpRegister | Flow::CallRegister), _, Value::From(table)) => {
                let words = self.table(table, named, flow == Flow::CallRegister);
                let targets: Vec<u32> = words.values().copied().collect();
                if targets.is_empty() {
                    return Err(PathError::Table { function: self.name(), address });
                }
                self.words.extend(words);
                self.tables.insert(address, targets.clone());
                let ahead = if flow == Flow::JumpRegister { targets } else { Vec::new() };
                (flow, ahead)
            }
            (flow, ..) => (flow, Vec::new()),
        };
        if let Some(instruction) = self.decoded.get_mut(&address) {
            instruction.flow = becomes;
        }
        Ok(ahead)
    }

    /// The words of a table of addresses: those of functions, or of blocks of this one. Another table, or whatever
    /// else has a name, begins behind it.
    fn table(&self, table: u32, named: &BTreeSet<u32>, is_of_functions: bool) -> BTreeMap<u32, u32> {
        let end = self.image.end_of_function(self.start).unwrap_or(self.start);
        let places = (0..).map_while(|number: u32| table.checked_add(number.checked_mul(4)?));
        let is_end = |place: &u32| named.contains(place) || self.image.tables.contains(place);
        let places = places.take_while(|place| *place == table || !is_end(place));
        let words = places.map_while(|place| Some((place, self.image.constant(place)?)));
        let leads = |word: u32| match is_of_functions {
            true => self.image.is_named(word),
            false => (self.start..end).contains(&word) && word.is_multiple_of(2),
        };
        words.take_while(|(_, word)| leads(*word)).collect()
    }

    fn leads(&self) -> Leads {
        let mut named = BTreeSet::new();
        let mut known = Known::default();
        let mut ahead = vec![(self.start, self.start, Values::entry(self.image.processor))];
        // bound: a place comes again only if something else is known there than before, which ends: see `Known`.
        while let Some((from, address, values)) = ahead.pop() {
            let Some(instruction) = self.decoded.get(&address) else { continue };
            let Some(mut behind) = known.arrive(from, address, values) else { continue };
            behind.apply(instruction);
            named.extend(computed(instruction, &behind));
            let tables = self.tables.get(&address).into_iter().flatten();
            ahead.extend(tables.map(|target| (address, *target, behind.clone())));
            if let Flow::Jump(target) = instruction.flow {
                ahead.push((address, target, behind.clone()));
            }
            if goes_on(instruction) {
                if matches!(instruction.flow, Flow::Call(_) | Flow::CallRegister) {
                    behind.after_call(instruction);
                }
                ahead.push((address, address.wrapping_add(instruction.length), behind));
            }
        }
        let known = known.at;
        let leads = known.iter().filter_map(|(address, values)| {
            let instruction =
                self.decoded.get(address).filter(|instruction| instruction.through.is_some())?;
            Some((*address, values.leads_to(instruction)))
        });
        Leads { leads: leads.collect(), named, reached: known.keys().copied().collect() }
    }
}

/// What is known of a function as far as it is followed.
struct Leads {
    /// Where each instruction leads that goes through a register.
    leads: BTreeMap<u32, Value>,
    /// All numbers that are computed.
    named: BTreeSet<u32>,
    /// The instructions to which somebody comes.
    reached: BTreeSet<u32>,
}

/// The numbers that an instruction computes. One that it has in itself is only the upper half of an address, and names whatever
/// happens to be there.
fn computed(instruction: &Instruction, behind: &Values) -> impl Iterator<Item = u32> {
    let is_half = matches!(instruction.effect, Effect::Move { from: Source::Number(_), .. });
    let written = if is_half { 0 } else { instruction.effect.writes() };
    (0..32).filter(move |register| written & bit(*register) != 0).filter_map(|register| {
        match behind.of(register) {
            Value::Number(number) => Some(number),
            _ => None,
        }
    })
}

/// What registers hold at each instruction: what all agree about that lead there.
///
/// A way that comes again brings what is known now, and what it brought before doesn't count: a number that has become
/// another one where an address is computed would otherwise hide that a table is there. That may go on as long as ways
/// bring something new. Whoever has come often is believed only what it has brought each time.
#[derive(Default)]
struct Known {
    at: BTreeMap<u32, Values>,
    by: BTreeMap<(u32, u32), Values>,
    times: BTreeMap<u32, u32>,
}

impl Known {
    /// As often an instruction may learn something new.
    const OFTEN: u32 = 64;

    /// One way to an instruction; what is known there, if that is something else than before.
    fn arrive(&mut self, from: u32, to: u32, values: Values) -> Option<Values> {
        let times = self.times.entry(to).or_default();
        if *times < Self::OFTEN {
            self.by.insert((to, from), values);
        } else {
            let before = self.by.entry((to, from)).or_insert_with(|| values.clone());
            before.meet(&values);
        }
        let mut all = self.by.range((to, 0)..=(to, u32::MAX)).map(|(_, values)| values);
        let mut now = all.next()?.clone();
        for values in all {
            now.meet(values);
        }
        if *times >= Self::OFTEN
            && let Some(before) = self.at.get(&to)
        {
            now.meet(before);
        }
        if self.at.get(&to) == Some(&now) {
            return None;
        }
        *times = times.saturating_add(1);
        self.at.insert(to, now.clone());
        Some(now)
    }
}

//! The disassembler: a text that assembles to the same program.

use std::collections::BTreeSet;
use std::fmt::Write;

use beryl_syscode::Condition;
use beryl_syscode::instruction::{Row, TABLE};
use beryl_syscode::operand::Operand;

use crate::operand::PHASES;
use crate::program::Program;
use crate::token::is_letter;

/// A program as text. Times are in ticks, since a container doesn't know how long one is.
#[must_use]
pub fn disassemble(program: &Program) -> String {
    let writer = Writer { program, targets: targets(program) };
    let mut text = writer.head();
    for (address, word) in program.code.iter().enumerate() {
        let label = if writer.targets.contains(&address) { format!("a{address}:") } else { String::new() };
        let instruction = writer.instruction(address, *word).unwrap_or_else(|| format!("word {word:#010x}"));
        let _ = writeln!(text, "{label:<7} {instruction}");
    }
    text
}

/// Addresses that something names.
fn targets(program: &Program) -> BTreeSet<usize> {
    let mut targets = BTreeSet::from([usize::from(program.start)]);
    targets.extend(program.completions.iter().map(|(_, address)| usize::from(*address)));
    targets.extend(program.handlers.iter().map(|(_, address)| usize::from(*address)));
    for (address, word) in program.code.iter().enumerate() {
        for (operand, place) in row(*word).map_or([].as_slice(), |row| row.operands) {
            let number = usize::from(place.get(*word));
            match operand {
                Operand::Address => targets.insert(number),
                Operand::Ahead => targets.insert(address + 1 + number),
                _ => false,
            };
        }
    }
    targets.retain(|address| *address < program.code.len());
    targets
}

fn row(word: u32) -> Option<&'static Row> {
    TABLE.iter().find(|row| u32::from(row.opcode) == word & 0xFF)
}

struct Writer<'a> {
    program: &'a Program,
    targets: BTreeSet<usize>,
}

impl Writer<'_> {
    fn head(&self) -> String {
        let program = self.program;
        let mut text = format!("module {}\n", quoted(&program.module));
        for (directive, names) in
            [("task", &program.tasks), ("driver", &program.drivers), ("port", &program.ports)]
        {
            line(&mut text, directive, names.iter().map(|name| quoted(name)));
        }
        line(&mut text, "durations", program.durations.iter().map(|duration| duration.ticks().to_string()));
        let conditions = program.conditions.iter().map(|condition| self.condition(*condition));
        line(&mut text, "conditions", conditions);
        let _ = writeln!(text, "triggers {}\nthreads {}", program.trigger_places, program.thread_places);
        let _ = writeln!(text, "start {}", self.address(usize::from(program.start)));
        for (exception, address) in &program.handlers {
            let known = beryl_syscode::Exception::ALL.into_iter().find(|(other, _)| other == exception);
            let name = known.map_or("", |(_, name)| name);
            let _ = writeln!(text, "handle {name}, {}", self.address(usize::from(*address)));
        }
        for (task, address) in &program.completions {
            let task = named(&program.tasks, usize::from(*task));
            let _ = writeln!(text, "complete {task}, {}", self.address(usize::from(*address)));
        }
        line(&mut text, "certificate", program.certificate.iter().map(u32::to_string));
        text.push('\n');
        text
    }

    /// An instruction; nothing if the word isn't one, or if it has bits that mean nothing.
    fn instruction(&self, address: usize, word: u32) -> Option<String> {
        let row = row(word)?;
        let mut again = u32::from(row.opcode);
        let mut operands = Vec::new();
        for (operand, place) in row.operands {
            let number = place.get(word);
            if number > operand.largest() {
                return None;
            }
            again |= place.put(number);
            operands.push(self.operand(*operand, usize::from(number), address));
        }
        let text = format!("{:<8} {}", row.mnemonic, operands.join(", "));
        (again == word).then(|| text.trim_end().to_owned())
    }

    fn operand(&self, operand: Operand, number: usize, address: usize) -> String {
        let program = self.program;
        match operand {
            Operand::Driver => named(&program.drivers, number),
            Operand::Task => named(&program.tasks, number),
            Operand::Duration => self.duration(number),
            Operand::Condition => self.condition_operand(number),
            Operand::Address => self.address(number),
            Operand::Ahead => self.address(address + 1 + number),
            Operand::Count => number.to_string(),
            Operand::Phase => {
                PHASES.get(number).map_or_else(|| number.to_string(), |name| (*name).to_owned())
            }
        }
    }

    fn address(&self, address: usize) -> String {
        match self.targets.contains(&address) {
            true => format!("a{address}"),
            false => format!("@{address}"),
        }
    }

    /// The duration itself, if it is the first of its length in the pool.
    fn duration(&self, number: usize) -> String {
        let durations = &self.program.durations;
        match durations.get(number) {
            Some(duration) if durations.iter().position(|other| other == duration) == Some(number) => {
                duration.ticks().to_string()
            }
            _ => format!("#{number}"),
        }
    }

    fn condition_operand(&self, number: usize) -> String {
        let conditions = &self.program.conditions;
        let text = match conditions.get(number) {
            Some(condition) if conditions.iter().position(|other| other == condition) == Some(number) => {
                // A comparison of a port without a name begins with a number, too.
                Some(self.condition(*condition)).filter(|text| !text.starts_with('#'))
            }
            _ => None,
        };
        text.unwrap_or_else(|| format!("#{number}"))
    }

    fn condition(&self, condition: Condition) -> String {
        let program = self.program;
        let task = |task: beryl_abi::ThreadId| named(&program.tasks, task.index());
        let port = |port: beryl_syscode::PortId| named(&program.ports, usize::from(port.0));
        match condition {
            Condition::Clock(duration) => format!("clock({})", self.duration(usize::from(duration))),
            Condition::Released(id) => format!("release({})", task(id)),
            Condition::Completed(id) => format!("complete({})", task(id)),
            Condition::Changed(id) => format!("change({})", port(id)),
            Condition::Interrupt(line) => format!("interrupt({})", line.0),
            Condition::Round { length, beats } => {
                // Those as long as the round, at the end, are what isn't told.
                let told = beats.iter().rposition(|beat| *beat != length).map_or(0, |last| last + 1);
                let times = [length].into_iter().chain(beats.into_iter().take(told));
                let times: Vec<_> = times.map(|number| self.duration(number.into())).collect();
                format!("round({})", times.join(", "))
            }
            Condition::Compare(id, relation, value) => {
                let sign = beryl_syscode::Relation::ALL.into_iter().find(|(other, _)| *other == relation);
                format!("{} {} {value}", port(id), sign.map_or("", |(_, sign)| sign))
            }
        }
    }
}

/// A directive with a list, if the list has something.
fn line(text: &mut String, directive: &str, items: impl Iterator<Item = String>) {
    let items: Vec<_> = items.collect();
    if !items.is_empty() {
        let _ = writeln!(text, "{directive} {}", items.join(", "));
    }
}

/// The name of something, or its number where the name isn't its own.
fn named(names: &[String], number: usize) -> String {
    match names.get(number) {
        Some(name) if names.iter().filter(|other| *other == name).count() == 1 => quoted(name),
        _ => format!("#{number}"),
    }
}

/// A name in quotation marks, if it needs them.
fn quoted(name: &str) -> String {
    let is_word =
        name.chars().all(is_letter) && name.chars().next().is_some_and(|first| !first.is_ascii_digit());
    if is_word {
        return name.to_owned();
    }
    let mut text = String::from("\"");
    for character in name.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            character if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                let _ = write!(text, "\\u{{{:x}}}", u32::from(character));
            }
            character => text.push(character),
        }
    }
    text.push('"');
    text
}

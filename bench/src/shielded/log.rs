//! What the measured core carries out, by the emulator's log: passes of the loop, and wakes of the reader.

use std::fs;
use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};
use beryl_abi::Instant;
use beryl_builder::workshop::Workshop;
use beryl_path::symbol_addresses;
use object::{Object, ObjectSymbol};

use super::OWN;
use crate::cores::Cores;
use crate::observed::{code, image};
use crate::step::Kernel;

/// What the measured core has carried out, without the loop itself.
pub(super) struct Log {
    executed: Vec<u32>,
    marks: Marks,
}

/// One pass of the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pass {
    /// Instructions of the kernel, and of other threads.
    pub others: u64,
    /// How often the kernel was entered.
    pub entries: u64,
}

/// Places in the code of the measured core.
#[derive(Clone, Debug)]
struct Marks {
    kernel: Range<u32>,
    /// Where the kernel is entered, where it has taken a line, and where it looks for a doorbell because none is up.
    trap: u32,
    line: u32,
    bell: u32,
    /// Where a pass of the loop begins and ends, and where the reader goes on. Each is a function that does nothing.
    begin: Range<u32>,
    end: Range<u32>,
    woken: Range<u32>,
    /// The loop.
    own: Range<u32>,
}

impl Log {
    /// Runs a case up to an instant.
    ///
    /// # Errors
    /// Those of the run; a place isn't there.
    pub(super) fn of(cores: &Cores, workshop: &Workshop, end: Instant) -> Result<Log> {
        let kernel = cores.kernels.get(OWN).context("there are three cores")?;
        let marks = Marks::of(kernel, workshop)?;
        let image = image(&kernel.project);
        let around = match marks.own.is_empty() {
            true => vec![image],
            false => vec![image.start..marks.own.start, marks.own.end..image.end],
        };
        let executed = cores.executed(workshop, &around, end)?;
        Ok(Log { executed: executed.into_iter().nth(OWN).unwrap_or_default(), marks })
    }

    /// All whole passes of the loop.
    pub(super) fn passes(&self) -> Vec<Pass> {
        self.marks.passes(&self.executed)
    }

    /// What each wake of the reader took.
    pub(super) fn wakes(&self) -> Vec<u64> {
        self.marks.wakes(&self.executed)
    }
}

/// The instructions of each pass of the loop itself, in a run in which nobody interrupts it.
///
/// # Errors
/// As [`Log::of`].
pub(super) fn alone(cores: &Cores, workshop: &Workshop, end: Instant) -> Result<Vec<u64>> {
    let kernel = cores.kernels.get(OWN).context("there are three cores")?;
    let marks = Marks::of(kernel, workshop)?;
    let code = [marks.begin.clone(), marks.own.clone()];
    let executed = cores.executed(workshop, &code, end)?.into_iter().nth(OWN).unwrap_or_default();
    let passes = executed.split(|address| *address == marks.begin.start);
    let own = passes.map(|pass| pass.iter().filter(|address| marks.own.contains(address)).count());
    let mut own = own.map(u64::try_from).collect::<Result<Vec<_>, _>>()?;
    // What is before the first pass, and the last, which isn't whole.
    ensure!(own.len() > 2, "the loop hardly ran");
    own.pop();
    Ok(own.split_off(1))
}

impl Marks {
    fn of(kernel: &Kernel, workshop: &Workshop) -> Result<Marks> {
        let name = &kernel.project.assembly.name;
        let path = workshop.folder(name).join("own.elf");
        let process = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        // A case has the loop or the reader, and nothing of the other.
        let [begin, end, woken, own] = ["mark_begin", "mark_end", "mark_woken", "spend_measured"]
            .map(|function| function_of(&process, function).unwrap_or_default());
        let place = |function: &str| match symbol_addresses(&kernel.elf, &[function])?[..] {
            [place] => Ok(place),
            _ => bail!("the kernel of {name} hasn't one `{function}`"),
        };
        Ok(Marks {
            kernel: code(&object::File::parse(kernel.elf.as_slice())?)?,
            trap: place(kernel.processor().entries.lines.symbol)?,
            line: place("line_is_raised")?,
            bell: place("Bells>::take")?,
            begin,
            end,
            woken,
            own,
        })
    }

    fn passes(&self, executed: &[u32]) -> Vec<Pass> {
        let (mut passes, mut under_way) = (Vec::new(), None);
        for address in executed {
            if *address == self.begin.start {
                under_way = Some(Pass::default());
            } else if *address == self.end.start {
                passes.extend(under_way.take());
            } else if let Some(pass) = &mut under_way
                && !self.is_own(*address)
            {
                pass.others += 1;
                pass.entries += u64::from(*address == self.trap);
            }
        }
        passes
    }

    /// From the entry in which the reader's line was taken to where it goes on. What was at work in the kernel when the line came is
    /// counted from its beginning. A line that was taken behind another one in one entry isn't told apart: then it is that entry.
    fn wakes(&self, executed: &[u32]) -> Vec<u64> {
        let (mut wakes, mut block, mut raised) = (Vec::new(), 0, None);
        let (mut was_kernel, mut has_looked) = (false, false);
        for (number, address) in executed.iter().enumerate() {
            let is_kernel = self.kernel.contains(address);
            if is_kernel && !was_kernel {
                block = number;
            }
            if *address == self.trap {
                has_looked = false;
            }
            has_looked |= *address == self.bell;
            if *address == self.line && !has_looked {
                raised = raised.or(Some(block));
            }
            if *address == self.woken.start {
                let begin = raised.take().unwrap_or(block);
                wakes.push(u64::try_from(number - begin).unwrap_or(u64::MAX));
            }
            was_kernel = is_kernel;
        }
        wakes
    }

    /// Whether an instruction is of the measured thread, around its loop.
    fn is_own(&self, address: u32) -> bool {
        self.begin.contains(&address) || self.end.contains(&address)
    }
}

/// Where a function of a program is.
fn function_of(program: &[u8], name: &str) -> Result<Range<u32>> {
    let file = object::File::parse(program)?;
    let found = file.symbols().find(|symbol| symbol.name().is_ok_and(|symbol| symbol.contains(name)));
    let found = found.with_context(|| format!("the process has no `{name}`"))?;
    let first = u32::try_from(found.address())?;
    Ok(first..first.saturating_add(u32::try_from(found.size())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: Marks = Marks {
        kernel: 0..100,
        trap: 10,
        line: 20,
        bell: 30,
        begin: 200..202,
        end: 210..212,
        woken: 220..222,
        own: 300..310,
    };

    #[test]
    fn what_is_not_the_loops_is_counted_of_whole_passes() {
        // The first pass has begun before; the second is undisturbed; in the third comes an interrupt, and another thread runs.
        let run = [10, 11, 210, 211, 200, 201, 210, 211, 200, 201, 10, 11, 12, 400, 10, 11, 210, 211, 200];
        let passes = [Pass::default(), Pass { others: 6, entries: 2 }];
        assert_eq!(MARKS.passes(&run), passes);
    }

    #[test]
    fn a_wake_begins_where_the_kernel_was_entered_that_took_the_line() {
        let idle = 500;
        let alone = [idle, 10, 20, 21, 220];
        // The line comes while the kernel is at work with an alarm.
        let behind = [idle, 10, 11, 12, 10, 20, 21, 220];
        // A doorbell comes first, whose line isn't the reader's; others run before the reader does.
        let among = [10, 30, 20, 400, 10, 20, 21, 400, 401, 10, 11, 220];
        let run = [&alone[..], &behind, &among].concat();
        assert_eq!(MARKS.wakes(&run), [3, 6, 7]);
    }
}

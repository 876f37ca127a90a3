//! Which instructions of an image to log.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use beryl_builder::board::Processor;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use super::between::Between;
use crate::observed::starts;

/// The idle thread.
const IDLE: &str = "thread_idle";

/// The code of an image.
#[derive(Debug, Default)]
pub struct Code {
    /// The kernel's code.
    pub kernel: Range<u32>,
    /// The code of applications, except between samples.
    pub applications: Vec<Range<u32>>,
    /// Instructions at which the processor falls asleep.
    pub sleeps: BTreeSet<u32>,
    /// The handlers of interrupts.
    pub interrupts: BTreeSet<u32>,
}

impl Code {
    /// Reads the linked programs of an image for a processor. What runs `between` samples is left out.
    ///
    /// # Errors
    /// If a file can't be read, or if something is left out that no program has.
    pub fn of(
        processor: &Processor,
        kernel: &[u8],
        applications: &[impl AsRef<Path>],
        mut between: Between,
    ) -> Result<Code> {
        let file = object::File::parse(kernel)?;
        let text = file.section_by_name(".text").context("the kernel has no code")?;
        let start = u32::try_from(text.address())?;
        let interrupts = starts(&file, &[processor.entries.lines.symbol]);
        let mut code =
            Code { kernel: start..start + u32::try_from(text.size())?, interrupts, ..Code::default() };
        for path in applications.iter().map(AsRef::as_ref) {
            let elf = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
            code.add(processor, &object::File::parse(elf.as_slice())?, &mut between)
                .with_context(|| path.display().to_string())?;
        }
        between.all_found()?;
        code.applications.sort_unstable_by_key(|range| range.start);
        code.applications.dedup();
        Ok(code)
    }

    /// All code to be logged.
    pub fn logged(&self) -> Vec<Range<u32>> {
        let mut all = vec![self.kernel.clone()];
        for range in &self.applications {
            match all.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => all.push(range.clone()),
            }
        }
        all
    }

    fn add(&mut self, processor: &Processor, file: &object::File<'_>, between: &mut Between) -> Result<()> {
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0) {
            let name = symbol.name()?;
            let start = u32::try_from(symbol.address() & !1)?;
            if !between.has(name) {
                self.applications.push(start..start + u32::try_from(symbol.size())?);
            }
            if name == IDLE {
                self.sleeps.extend(sleeps(file, processor.rest.waits, start, symbol.size())?);
            }
        }
        Ok(())
    }
}

/// The instructions of a function that put the processor to sleep, as these bytes do.
fn sleeps(file: &object::File<'_>, waits: &[u8], start: u32, size: u64) -> Result<Vec<u32>> {
    let holds = |section: &object::Section<'_, '_>| {
        (section.address()..section.address() + section.size()).contains(&u64::from(start))
    };
    let section = file.sections().find(holds).context("the idle thread has no code")?;
    let offset = usize::try_from(u64::from(start) - section.address())?;
    let bytes = section.data()?.get(offset..).context("the idle thread has no code")?;
    // Instructions begin at each second byte.
    let places =
        (start..).step_by(2).zip(bytes.windows(waits.len()).step_by(2)).take(usize::try_from(size / 2)?);
    Ok(places.filter(|(_, bytes)| *bytes == waits).map(|(address, _)| address).collect())
}

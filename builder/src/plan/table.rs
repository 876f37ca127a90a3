//! The plan as a table to read.

use super::Rights;
use super::{Block, Interval, Plan, Region};
use crate::quantity::Bytes;
use std::fmt;

/// A line of the table.
struct Row {
    interval: Interval,
    size: String,
    padding: String,
    region: String,
    content: String,
    rights: String,
}

impl fmt::Display for Plan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sections = [
            (memory("flash", self.flash_used(), self.limits.flash), self.flash_rows()),
            (memory("RAM", self.ram_used(), self.limits.ram), self.ram_rows()),
            ("devices".to_owned(), self.device_rows()),
        ];
        let contents = sections.iter().flat_map(|(_, rows)| rows).map(|row| row.content.chars().count());
        let width = contents.max().unwrap_or_default();
        writeln!(
            out,
            "{:<24} {:>8} {:>8} {:>7}  {:<width$}  user mode",
            "", "bytes", "padding", "region", ""
        )?;
        for (title, mut rows) in sections.into_iter().filter(|(_, rows)| !rows.is_empty()) {
            writeln!(out, "{title}")?;
            rows.sort_by_key(|row| (row.interval.base, std::cmp::Reverse(row.interval.limit)));
            rows.iter().try_for_each(|row| writeln!(out, "{}", row.line(width)))?;
        }
        Ok(())
    }
}

fn memory(name: &str, used: Bytes, limit: Bytes) -> String {
    format!("{name}: {} of {} bytes used", used.get(), limit.get())
}

impl Row {
    fn line(&self, width: usize) -> String {
        let Row { interval, size, padding, region, content, rights } = self;
        let line = format!("  {interval} {size:>8} {padding:>8} {region:>7}  {content:<width$}  {rights}");
        line.trim_end().to_owned()
    }
}

impl Plan {
    fn flash_rows(&self) -> Vec<Row> {
        let mut rows = vec![part("kernel", self.kernel.flash, "none")];
        rows.extend(block("text", &self.text));
        for process in &self.processes {
            rows.push(part(&format!("  {}: code, constants", process.name), process.text, ""));
            rows.push(part(&format!("  {}: initial data", process.name), process.load, ""));
        }
        filled(rows)
    }

    fn ram_rows(&self) -> Vec<Row> {
        let mut rows = vec![part("kernel", self.kernel.ram, "none")];
        rows.push(part("messages on their way", self.objects, "none"));
        rows.extend(block("published values", &self.published));
        for process in self.processes.iter().filter(|process| process.states.enabled()) {
            rows.push(numbered(&format!("  state messages of {}", process.name), &process.states, ""));
        }
        for (position, shared) in self.shared.iter().enumerate() {
            rows.push(self.shared_row(position, shared));
        }
        for process in &self.processes {
            rows.extend(block(&format!("memory of {}", process.name), &process.memory));
            rows.push(part(&format!("  journal of {}", process.name), process.journal, ""));
            rows.extend(block(&format!("rooms for the code of {}", process.name), &process.rooms));
        }
        for stack in &self.stacks {
            rows.extend(block(&format!("stack of {}", stack.thread), &stack.block));
        }
        rows.extend(self.gaps().into_iter().map(|gap| part("(free)", gap, "none")));
        filled(rows)
    }

    /// A shared region, with its number in each process that has it.
    fn shared_row(&self, position: usize, shared: &super::SharedPlan) -> Row {
        let number = |process: &super::ProcessPlan| {
            let (_, region) = process.shared.iter().find(|(own, _)| *own == position)?;
            Some((region.number.to_string(), process.name.clone()))
        };
        let (numbers, names): (Vec<_>, Vec<_>) = self.processes.iter().filter_map(number).unzip();
        let content = format!("region {} of {}", shared.name, names.join(", "));
        let padding = shared.block.padding().get().to_string();
        Row { region: numbers.join(","), ..numbered(&content, &shared.block.region, &padding) }
    }

    /// What alignment leaves unused between two blocks of RAM.
    pub(super) fn gaps(&self) -> Vec<Interval> {
        let mut blocks: Vec<_> = self.ram_blocks().map(|block| block.region.interval).collect();
        blocks.sort();
        let mut end = self.kernel.ram.limit.max(self.objects.limit);
        let gap = |block: Interval| {
            let gap = Interval::new(end, block.base);
            end = end.max(block.limit);
            gap
        };
        blocks.into_iter().filter(|block| !block.is_empty()).map(gap).filter(|gap| !gap.is_empty()).collect()
    }

    fn device_rows(&self) -> Vec<Row> {
        let owned = |process: &super::ProcessPlan| -> Vec<Row> {
            let content = |name: &str| format!("{name} of {}", process.name);
            process
                .devices
                .iter()
                .map(|(device, region)| numbered(&content(device.name), region, "-"))
                .collect()
        };
        self.processes.iter().flat_map(owned).collect()
    }
}

fn filled(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter().filter(|row| !row.interval.is_empty()).collect()
}

fn block(content: &str, block: &Block) -> Option<Row> {
    let padding = block.padding().get().to_string();
    block.region.enabled().then(|| numbered(content, &block.region, &padding))
}

/// What user mode may do with data.
pub(crate) const fn in_words(rights: Rights) -> &'static str {
    match rights {
        Rights::Read => "read",
        Rights::ReadWrite => "read, write",
    }
}

fn numbered(content: &str, region: &Region, padding: &str) -> Row {
    let access = in_words(region.rights);
    let rights = if region.executable { format!("{access}, execute") } else { access.to_owned() };
    let number = region.number.to_string();
    Row { padding: padding.to_owned(), region: number, ..part(content, region.interval, &rights) }
}

fn part(content: &str, interval: Interval, rights: &str) -> Row {
    Row {
        interval,
        size: interval.length().get().to_string(),
        padding: String::new(),
        region: String::new(),
        content: content.to_owned(),
        rights: rights.to_owned(),
    }
}

//! Partitions, from a seed on: bands with windows of a frame, others without, and a thread that never stops in a partition of
//! its own, above or below them all.

use beryl_testing::Draw;

use std::fmt::Write as _;

use crate::supplied::SPENDING;
use crate::written::Drawing;

/// Bands that belong to partitions.
#[derive(Default)]
pub struct Windows {
    /// The bands, each with the number of its partition.
    bands: Vec<(String, u64)>,
    /// The section with their windows.
    pub section: String,
}

impl Windows {
    /// The line that says to which partition a band belongs, if it does to one.
    pub fn of(&self, band: &str) -> String {
        let of = self.bands.iter().find(|(name, _)| name == band);
        of.map_or(String::new(), |(_, of)| format!("partition = \"p{of}\"\n"))
    }
}

impl Drawing<'_> {
    /// Draws them, after everything else; whatever would be shared across them is left out.
    pub fn windowed(&mut self) {
        self.part = self.random.within(10, 60);
        self.share_nothing();
        let partitions = self.random.within(1, 2);
        for band in 0..self.bands.len() {
            let of = self.random.within(0, partitions);
            if of > 0 {
                self.windows.bands.push((format!("b{band}"), of));
            }
        }
        let guest = partitions + 1;
        let (band, stack) = (*self.random.one_of(&["above", "below"]), self.stack());
        self.windows.bands.push((band.to_owned(), guest));
        if band == "below" {
            let _ = writeln!(
                self.lower,
                "[[band]]\nname = \"below\"\npolicy = \"fixed\"\npartition = \"p{guest}\""
            );
        }
        let _ = writeln!(
            self.others,
            "[thread.{SPENDING}_guest]\nprocess = \"two\"\nband = \"{band}\"\npriority = 3\nentry = \"{SPENDING}_guest\"\nstack = \"{stack}\""
        );
        self.frame();
        self.locks_inside();
    }

    /// Windows in twentieths of a frame, for each band's partition in turn, and then for any.
    fn frame(&mut self) {
        let of: Vec<u64> = self.windows.bands.iter().map(|(_, of)| *of).collect();
        let twentieth = *self.random.one_of(&[50, 100, 100, 200]);
        let mut rows = Vec::new();
        let (mut at, mut number) = (self.random.within(0, 2), 0);
        while at < 20 {
            let of = of.get(number).copied().unwrap_or_else(|| *self.random.one_of(&of));
            let until = (at + self.random.within(2, 7)).min(20);
            rows.push(format!(
                "{{ partition = \"p{of}\", from = \"{}us\", until = \"{}us\" }}",
                at * twentieth,
                until * twentieth
            ));
            at = until + self.random.within(0, 2);
            number += 1;
        }
        self.windows.section =
            format!("[partitions]\nframe = \"{}us\"\nwindows = [{}]\n\n", 20 * twentieth, rows.join(", "));
    }

    fn share_nothing(&mut self) {
        for job in &mut self.jobs {
            job.uses.retain(|used| used.starts_with('i'));
            job.holds.clear();
        }
        self.objects = with_sections(&self.objects, |head| head.starts_with("[interrupt."));
        self.others = with_sections(&self.others, |head| head != "[thread.server]");
    }

    /// A lock and a semaphore, each for jobs of one partition, or of none.
    fn locks_inside(&mut self) {
        let of: Vec<u64> = (0..self.bands.len())
            .map(|band| {
                let name = format!("b{band}");
                self.windows.bands.iter().find(|(own, _)| *own == name).map_or(0, |(_, of)| *of)
            })
            .collect();
        let of = |band: usize| of.get(band).copied().unwrap_or_default();
        let (whose, process) = (self.random.within(0, 2), usize::from(self.random.chance(50)));
        if self.give("l0", |job| of(job.band) == whose && job.process == process) {
            self.objects += "[lock.l0]\n";
        }
        let whose = self.random.within(0, 2);
        if self.give("b0", |job| of(job.band) == whose && job.uses.iter().all(|used| used.starts_with('i'))) {
            self.objects += "[semaphore.b0]\nkind = \"binary\"\n";
        }
    }
}

/// Only the sections with such a head.
fn with_sections(text: &str, is_kept: impl Fn(&str) -> bool) -> String {
    let mut keeps = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.starts_with('[') {
            keeps = is_kept(line);
        }
        if keeps {
            kept += line;
            kept += "\n";
        }
    }
    kept
}

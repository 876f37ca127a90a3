//! Partitions, from a seed on: bands with windows of a frame, others without, and a thread that never stops in a partition of
//! its own, above or below them all.

use beryl_testing::Draw;

use std::fmt::Write as _;

use crate::supplied::SPENDING;
use crate::written::Drawing;

/// What frames and loads are drawn from.
pub struct Shape {
    /// Twentieths of a frame, in microseconds.
    pub twentieths: &'static [u64],
    /// How many of these a window has, at least and at most.
    pub lasts: [u64; 2],
    /// How much of the drawn load there is, in hundredths, at least and at most.
    pub part: [u64; 2],
}

/// Those of partitions alone.
pub const ALONE: Shape = Shape { twentieths: &[50, 100, 100, 200], lasts: [2, 7], part: [10, 60] };

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

    /// The number of the partition to which a band belongs; 0 if to none.
    pub fn number(&self, band: &str) -> u64 {
        self.bands.iter().find(|(name, _)| name == band).map_or(0, |(_, of)| *of)
    }
}

impl Drawing<'_> {
    /// Draws them, after everything else; whatever would be shared across them is left out.
    pub fn windowed(&mut self, shape: &Shape) {
        let [least, most] = shape.part;
        self.part = self.random.within(least, most);
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
        self.frame(shape);
        self.locks_inside();
    }

    /// Windows in twentieths of a frame, for each band's partition in turn, and then for any.
    fn frame(&mut self, shape: &Shape) {
        let of: Vec<u64> = self.windows.bands.iter().map(|(_, of)| *of).collect();
        let twentieth = *self.random.one_of(shape.twentieths);
        let [least, most] = shape.lasts;
        let mut rows = Vec::new();
        let (mut at, mut number) = (self.random.within(0, 2), 0);
        while at < 20 {
            let of = of.get(number).copied().unwrap_or_else(|| *self.random.one_of(&of));
            let until = (at + self.random.within(least, most)).min(20);
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
        let of: Vec<u64> =
            (0..self.bands.len()).map(|band| self.windows.number(&format!("b{band}"))).collect();
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

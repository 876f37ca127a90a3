//! Budgets beside windows, from a seed on: those of threads, in partitions and beside them, or one that several threads of a
//! partition share, or of the background.

use beryl_testing::Draw;

use crate::shared::Place;
use crate::supplied::Budgets;
use crate::windowed::Shape;
use crate::written::Drawing;

/// Frames are no shorter than two milliseconds, and budgets come back in five at least: on a slow processor what the kernel does
/// for both leaves too little for anybody.
const WINDOWS: Shape = Shape { twentieths: &[100, 200, 250, 400], lasts: [4, 9], part: [3, 20] };
const BUDGETS: Budgets = Budgets { count: 2, every: &[50, 80, 100, 400], most: 60 };
const SHARE: [u64; 2] = [4, 15];
const LINE: u64 = 20;

impl Drawing<'_> {
    /// Draws them, after everything else.
    pub fn nested(&mut self, is_shared: bool) {
        self.speed = self.random.within(1, 2);
        self.windowed(&WINDOWS);
        match is_shared {
            true => self.shared_inside(),
            false => self.supplied(true, &BUDGETS),
        }
        let [least, most] = WINDOWS.part;
        self.part = self.random.within(least, most);
    }

    /// Who shares a budget stands in one partition, or in none.
    fn shared_inside(&mut self) {
        let of = |drawing: &Self, whose: u64| -> Vec<String> {
            let fixed = (0..drawing.bands.len()).filter(|band| !drawing.bands[*band]);
            fixed
                .map(|band| format!("b{band}"))
                .filter(|band| drawing.windows.number(band) == whose)
                .collect()
        };
        let some: Vec<u64> = (1..=2).filter(|whose| !of(self, *whose).is_empty()).collect();
        let whose = if some.is_empty() || self.random.chance(20) { 0 } else { *self.random.one_of(&some) };
        let mut bands = of(self, whose);
        if whose == 0 {
            bands.push("rest".to_owned());
        }
        let is_group = self.random.chance(50);
        self.shared(is_group, &Place { bands, share: SHARE, line: LINE });
    }

    /// Whether all who have a lock are in the partition of a band.
    pub fn may_share(&self, lock: &str, band: &str) -> bool {
        let users = self.jobs.iter().filter(|job| job.uses.iter().any(|used| used == lock));
        let mut whose = users.map(|job| self.windows.number(&format!("b{}", job.band)));
        whose.all(|of| of == self.windows.number(band))
    }
}

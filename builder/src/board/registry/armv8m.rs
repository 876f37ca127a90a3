//! Armv8-M with its main extension: its port is that of Armv7-M, with another protection unit.

use beryl_cortex_m::facts;
pub use beryl_cortex_m::limited::RegionWords;
use beryl_cortex_m::limited::{FIXED_REGIONS, SWITCHED_REGIONS, cover, coverable};

use super::armv7m::{ARMV7M, asked, uncoverable};
use crate::board::Region;
use crate::board::processor::{Compiler, More, Processor, Protection, Uncoverable, Unmeasured};
use crate::interval::Interval;

/// The family.
pub const ARMV8M: Processor = Processor {
    name: "Armv8-M",
    target: facts::ARMV8M_TARGET,
    c: &Compiler { options: &facts::ARMV8M_C_OPTIONS, ..*ARMV7M.c },
    unmeasured: Unmeasured { steps: 100, more: More::NONE, context: None, stack: 0, code: 2 },
    protection: &Limited,
    ..ARMV7M
};

/// Of kernels that have a core of their own: what is asked over the hatch takes the way there and back beside the step, and the turns of
/// both cores.
pub const ARMV8M_APART: Processor =
    Processor { unmeasured: Unmeasured { steps: 200, more: APART, ..ARMV8M.unmeasured }, ..ARMV8M };

const APART: More =
    More { alarm: 200, sorting: 200, completion: 200, decision: 200, stop: 200, search: 200, other: 200 };

/// Its protection unit, whose regions don't overlap.
struct Limited;

impl Protection for Limited {
    fn coverable(&self, free: Interval, size: u64) -> Vec<Interval> {
        let place = coverable(free.base, free.limit, size);
        place.map(|[base, limit]| Interval::new(base, limit)).into_iter().collect()
    }

    fn covers(&self, region: &Region) -> Result<(), Uncoverable> {
        words(region).map(drop)
    }

    fn types(&self) -> &'static str {
        "Image, Layout, ThreadLayout, limited::RegionWords"
    }

    /// The text's alone: what is published is in each thread's, around what it may write of that.
    fn fixed(&self, regions: &[Region]) -> Result<String, Uncoverable> {
        let [text, ..] = regions else { return Ok("[]".to_owned()) };
        Ok(format!("[{}]", source(words(text)?)))
    }

    fn switched(&self, fixed: &[Region], regions: &[Region]) -> Result<String, Uncoverable> {
        let rows = switched(fixed, regions)?;
        let rows = rows.map(|words| format!("                {},\n", source(words)));
        Ok(format!("[\n{}            ]", rows.concat()))
    }
}

/// The regions of a thread as the unit takes them, the stack's last. `fixed` are those of all threads.
pub fn switched(
    fixed: &[Region],
    regions: &[Region],
) -> Result<[RegionWords; SWITCHED_REGIONS], Uncoverable> {
    let published = fixed.iter().skip(FIXED_REGIONS);
    let pieces = disjoint(&published.chain(regions).copied().collect::<Vec<_>>());
    let (mut rows, last) = ([RegionWords::OFF; SWITCHED_REGIONS], SWITCHED_REGIONS - 1);
    let Some((stack, others)) = pieces.split_last() else { return Ok(rows) };
    if let Some(more) = others.get(last) {
        return Err(Uncoverable { nearest: more.interval });
    }
    for (row, piece) in rows.iter_mut().zip(others) {
        *row = words(piece)?;
    }
    rows[last] = words(stack)?;
    Ok(rows)
}

/// The same rights in regions that don't overlap: of two that did, the later one decides.
fn disjoint(regions: &[Region]) -> Vec<Region> {
    let mut pieces = Vec::new();
    for (place, region) in regions.iter().enumerate() {
        let mut left = vec![region.interval];
        for later in &regions[place + 1..] {
            left = left.into_iter().flat_map(|interval| without(interval, later.interval)).collect();
        }
        let of_it = left.into_iter().filter(|interval| !interval.is_empty());
        pieces.extend(of_it.map(|interval| Region { interval, ..*region }));
    }
    pieces
}

/// What is below another interval, and what is above.
fn without(interval: Interval, other: Interval) -> [Interval; 2] {
    if !interval.overlaps(other) {
        return [interval, Interval::EMPTY];
    }
    [
        Interval::new(interval.base, other.base.max(interval.base)),
        Interval::new(other.limit.min(interval.limit), interval.limit),
    ]
}

/// A region as the unit takes it.
pub fn words(region: &Region) -> Result<RegionWords, Uncoverable> {
    if !region.enabled() {
        return Ok(RegionWords::OFF);
    }
    cover(asked(region)).map_err(uncoverable)
}

fn source(words: RegionWords) -> String {
    format!("RegionWords {{ rbar: {:#010x}, rlar: {:#010x} }}", words.rbar, words.rlar)
}

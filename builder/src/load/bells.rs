//! Bells: what it may take a core that it has found a doorbell which its ringer also calls it for.
//!
//! Who rings looks whether the bell may interrupt, and then calls the other core. Until that call is there, the other core may
//! have found the bell by itself, and taken it. Then the call is a trap that finds nothing
//! ([`beryl_abi::doorbell`]), at most one for each time that the bell was taken.

use beryl_abi::doorbell::CORES;
use beryl_analysis::{Interference, Ticks};

use crate::assembly::Use;
use crate::board::TURN;
use crate::costs::{Costed, Kind};

/// The traps that find nothing, for each doorbell that is heard. Two bells are taken a separation apart at least, and a call comes
/// as late as the turns of other cores let it: so calls may come so much closer together.
pub(crate) fn second_traps(costed: &Costed) -> impl Iterator<Item = Interference> {
    let others = u64::from(CORES).saturating_sub(1);
    let late = TURN.get().saturating_mul(others).div_ceil(u64::from(costed.tick().max(1)));
    let assembly = &costed.assembly;
    let bells = assembly.objects.interrupts.iter().enumerate().filter(|(_, row)| row.is_bell);
    bells.filter_map(move |(index, row)| {
        let gate = assembly.gate(Use::Interrupt(index))?;
        Some(Interference {
            name: format!("second trap of {}", row.name),
            period: Ticks::new(gate.separation.ticks().saturating_sub(late).max(1)),
            worst: Ticks::new(costed.costs.steps(Kind::Job, 1)),
            is_sporadic: true,
            ..Default::default()
        })
    })
}

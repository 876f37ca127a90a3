//! The same where there are none: in simulation, and in processes that have no right to them.

use super::ALL;

pub fn kept(all: &[u32; ALL], rounds: u32) -> [u32; ALL] {
    beryl_user::call::spend(beryl_user::time::Duration::from_ticks(rounds.into()));
    *all
}

pub fn found() -> u32 {
    0
}

/// A mistake.
pub fn give_up() -> ! {
    panic!("on purpose")
}

/// Uses one all the same, which the compiler would never do here: `vmov s0, r0`.
#[cfg(target_arch = "arm")]
pub fn trespass() {
    // SAFETY: it isn't carried out.
    unsafe { core::arch::asm!(".inst.w 0xEE000A10", options(nomem, nostack)) };
}

/// A mistake, like the one that there is on a board.
#[cfg(not(target_arch = "arm"))]
pub fn trespass() {
    give_up()
}

/// There are no such frames.
pub fn lengthen() -> u32 {
    0
}

//! Two readings of the timer around one thing, without anything of the compiler's in between.

use beryl_user::println;

/// Ticks since the start, before and after.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Before.
    pub before: u32,
    /// After.
    pub after: u32,
}

impl Sample {
    /// Prints the sample for `case`.
    pub fn print(self, case: &str) {
        println!("sample {case} {} {}", self.before, self.after);
    }
}

/// Carries out the instructions `$what` between two readings of the timer (`TIMER0`, which counts down
/// from all ones, at 0x4000_0004). They may change r0 to r3. All of it is one block, so that the
/// compiler can't put anything in between. A reading is three instructions.
macro_rules! measure {
    ($($what:literal),* $(, number = $number:expr)?) => {{
        let (before, after): (u32, u32);
        // SAFETY: the timer is this process's to read. Between the readings are a system call as
        // `beryl_user::call` makes it, which preserves all registers but r0 and r1, or instructions
        // that change nothing but the registers named here.
        unsafe {
            core::arch::asm!(
                "movw {before}, #0x0004", "movt {before}, #0x4000", "ldr {before}, [{before}]",
                $($what,)*
                "movw {after}, #0x0004", "movt {after}, #0x4000", "ldr {after}, [{after}]",
                $(number = const $number,)?
                before = out(reg) before,
                after = out(reg) after,
                out("r0") _, out("r1") _, out("r2") _, out("r3") _,
                options(nostack),
            );
        }
        $crate::sample::Sample { before: !before, after: !after }
    }};
}

/// The same around a system call with all of its arguments zero, set up as `beryl_user::call` does it.
macro_rules! measure_call {
    ($number:expr) => {
        $crate::sample::measure!("movs r0, #{number}", "svc 0", number = $number)
    };
}

/// Ticks since the start.
#[inline(always)]
pub fn elapsed() -> u32 {
    let value: u32;
    // SAFETY: the timer is this process's to read.
    unsafe {
        core::arch::asm!(
            "movw {value}, #0x0004", "movt {value}, #0x4000", "ldr {value}, [{value}]",
            value = out(reg) value,
            options(nostack, nomem, preserves_flags),
        );
    }
    !value
}

pub(crate) use {measure, measure_call};

//! A kernel whose every step is a sample.

use bench_board::{Sample, Tally, enclosed};
use beryl_l4::workload::Step;
use beryl_l4::{Ipc, L4, LineId, NotReady, Rules, Uncounted};

type Kernel<R> = L4<R, Uncounted>;

/// A kernel and an IPC in memory: nothing of it is known when the kernel is compiled.
struct Asked<'kernel, R> {
    kernel: &'kernel mut Kernel<R>,
    ipc: Ipc,
}

/// Carries a step out, and tells what it took: the jump to the kernel's function, the function, the return.
pub fn measured<R: Rules>(kernel: &mut Kernel<R>, step: Step) -> Result<Sample, NotReady> {
    let (sample, is_refused) = match step {
        Step::Ipc(asked) => enclosed(ipc::<R>, &mut Asked { kernel, ipc: asked }, 0, 0),
        Step::Interrupt(line) => enclosed(interrupt::<R>, kernel, line.0.into(), 0),
        Step::Tick(length) => enclosed(tick::<R>, kernel, length, 0),
    };
    match is_refused {
        0 => Ok(sample),
        _ => Err(NotReady),
    }
}

extern "C" fn ipc<R: Rules>(asked: &mut Asked<'_, R>, _none: u32, _no_more: u64) -> u32 {
    asked.kernel.ipc(asked.ipc).is_err().into()
}

extern "C" fn interrupt<R: Rules>(kernel: &mut Kernel<R>, line: u32, _none: u64) -> u32 {
    kernel.interrupt(LineId(line as u8));
    0
}

extern "C" fn tick<R: Rules>(kernel: &mut Kernel<R>, length: u32, _none: u64) -> u32 {
    kernel.tick(length);
    0
}

/// What steps took, by kind.
pub struct Kinds {
    ipc: Tally,
    interrupt: Tally,
    tick: Tally,
}

impl Kinds {
    /// Nothing was measured yet.
    pub const fn new() -> Kinds {
        Kinds { ipc: Tally::new(), interrupt: Tally::new(), tick: Tally::new() }
    }

    /// A step took this.
    pub fn add(&mut self, step: Step, sample: Sample) {
        match step {
            Step::Ipc(_) => self.ipc.add(sample),
            Step::Interrupt(_) => self.interrupt.add(sample),
            Step::Tick(_) => self.tick.add(sample),
        }
    }

    /// Prints what everything took.
    pub fn print(&self, kernel: &str) {
        for (kind, tally) in [("ipc", &self.ipc), ("interrupt", &self.interrupt), ("tick", &self.tick)] {
            tally.print(format_args!("work/{kernel}/{kind}"));
        }
    }
}

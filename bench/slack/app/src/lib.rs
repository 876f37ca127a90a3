//! What it takes on the board to work slack out, for several numbers of tasks. Counted on the board, so elsewhere it is
//! empty.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(target_arch = "arm")]

use bench_board::enclosed;
use beryl_slack::{Kernel, Task, look};

/// Numbers of tasks, and what their samples are called.
const CASES: [(u32, &str); 4] = [(4, "slack/4"), (8, "slack/8"), (12, "slack/12"), (16, "slack/16")];
/// States for each.
const STATES: u32 = 200;

struct State {
    tasks: [Task; 16],
    kernel: Kernel,
    slack: [u32; 16],
    random: u32,
}

/// Thread: measures all of it.
pub fn slack() -> ! {
    let kernel = Kernel { release: 1_500, at_once: 20_000 };
    let mut state = State { tasks: [Task::default(); 16], kernel, slack: [0; 16], random: 1 };
    for (tasks, case) in CASES {
        for _ in 0..STATES {
            state.draw();
            let (sample, _) = enclosed(measured, &mut state, tasks, 0);
            sample.print(case);
        }
    }
    bench_board::end()
}

extern "C" fn measured(state: &mut State, tasks: u32, _none: u64) -> u32 {
    let tasks = state.tasks.get(..tasks as usize).unwrap_or(&[]);
    look(tasks, &state.kernel, &mut state.slack)
}

impl State {
    /// Periods of 20 to 600 ms, jobs of up to a quarter, at any instant.
    fn draw(&mut self) {
        for index in 0..self.tasks.len() {
            let period = 500_000 + self.below(14_500_000);
            let worst = 1 + self.below(period / 4);
            let next = self.below(period);
            let is_pending = self.below(2) == 0;
            let left = if is_pending { self.below(worst) } else { 0 };
            if let Some(task) = self.tasks.get_mut(index) {
                *task = Task { period, worst, next, left, is_pending };
            }
        }
    }

    /// Marsaglia's shifts.
    fn below(&mut self, end: u32) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random % end.max(1)
    }
}

//! Chains of events, from a seed on: an interrupt releases a task, what that gives the next one, and what this gives a third; beside
//! them one that waits for an output of a task of a mode.

use beryl_testing::Draw;

use std::fmt::Write as _;

use crate::written::Drawing;

/// The band of all four, below all that is drawn besides.
const BAND: &str = "[[band]]\nname = \"events\"\npolicy = \"fixed\"\n";
/// How soon the interrupt may come again, in microseconds.
const SEPARATIONS: [u64; 5] = [5_000, 8_000, 10_000, 20_000, 40_000];
/// The line of the interrupt.
const LINE: u64 = 7;
/// How many of the tasks go on from one to the next.
const CHAIN: usize = 3;

impl Drawing<'_> {
    /// Draws them, after everything else, which has a part of its load only, on one of the quicker processors.
    pub fn chained(&mut self) {
        self.part = self.random.within(5, 50);
        self.speed = self.random.within(1, 2);
        self.lower += BAND;
        let mut separation = *self.random.one_of(&SEPARATIONS);
        let _ = writeln!(self.objects, "[interrupt.pulse]\nline = {LINE}\nseparation = \"{separation}us\"");
        for number in 0..CHAIN {
            // The last may take until it is released again; what a deadline leaves is between those of the next one.
            let due = match number + 1 < CHAIN {
                true => separation * self.random.within(20, 60) / 100,
                false => separation,
            };
            self.event_task(number, due);
            separation -= if number + 1 < CHAIN { due } else { 0 };
        }
        self.event_task(CHAIN, 10_000);
        let (worst, stack) = (self.random.within(20, 500), self.stack());
        let priority = if self.bands[0] { "" } else { "priority = 1\n" };
        let _ = writeln!(
            self.others,
            "[task.q0]\nprocess = \"two\"\nband = \"b0\"\n{priority}worst = \"{worst}us\"\nstack = \"{stack}\""
        );
        self.timing += MODULE;
    }

    /// A task of the band, which must be done so many microseconds after its release.
    fn event_task(&mut self, number: usize, due: u64) {
        let process = *self.random.one_of(&["one", "two"]);
        let (worst, stack) = (self.random.within(20, 200), self.stack());
        let _ = writeln!(
            self.others,
            "[task.e{number}]\nprocess = \"{process}\"\nband = \"events\"\npriority = {}\nworst = \"{worst}us\"\n\
             deadline = \"{due}us\"\nstack = \"{stack}\"",
            9 - number
        );
    }
}

const MODULE: &str = "module Events {
  task q0 { input int a; output int x := 0; uses f_q0(a, x); }
  task e0 { input int a; output int x := 0; uses f_e0(a, x); }
  task e1 { input int a; output int x := 0; uses f_e1(a, x); }
  task e2 { input int a; output int x := 0; uses f_e2(a, x); }
  task e3 { input int a; output int x := 0; uses f_e3(a, x); }
  start mode events [period = 40ms] { task [freq = 4] q0(e2.x); }
  asynchronous {
    task [trigger = pulse, priority = 9] e0(q0.x);
    task [trigger = e0.x, priority = 8] e1(e0.x);
    task [trigger = e1.x, priority = 7] e2(e1.x);
    task [trigger = q0.x, priority = 6] e3(q0.x);
  }
}
";

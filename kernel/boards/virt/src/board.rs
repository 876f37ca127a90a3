//! The board as the port sees it.

use beryl_abi::{Duration, Instant, Line, Moment, Record};
use beryl_emulated::recorder::Recorder;
use beryl_emulated::{last_words, window};
use beryl_riscv::Board;

use crate::alarm::Alarm;
use crate::clock::Clock;
use crate::interrupts::Interrupts;
use crate::map::{ENVIRONMENT, TRACE};

/// The emulated board.
pub struct Virt {
    clock: Clock,
    alarm: Alarm,
    interrupts: Interrupts,
    recorder: Recorder<{ TRACE.address }, { TRACE.address + TRACE.length }>,
    /// The time of the last record.
    recorded: Instant,
    /// Whether there is a window to the environment that asks for a recording.
    is_tracing: bool,
    /// When the run ends.
    end: Instant,
    /// When that is looked at next: the end, or an instant on the way there.
    next_look: Instant,
}

/// How far ahead an alarm can be set, in ticks.
const REACH: Duration = Duration::from_ticks(1 << 30);

impl Board for Virt {
    fn start() -> Self {
        let run = window::run::<{ ENVIRONMENT.address }>();
        let mut board = Virt {
            alarm: Alarm::start(),
            interrupts: Interrupts::start(),
            recorder: Recorder::EMPTY,
            recorded: Instant::START,
            is_tracing: run.as_ref().is_some_and(|run| run.is_recorded),
            end: run.map_or(Instant::NEVER, |run| run.end),
            next_look: Instant::START,
            clock: Clock::start(),
        };
        board.look_at_end();
        board.alarm.set(board.next_look);
        board
    }

    fn is_tracing(&self) -> bool {
        self.is_tracing
    }

    #[inline(always)]
    fn now(&mut self) -> Instant {
        self.clock.now()
    }

    #[inline(always)]
    fn moment(&self) -> Moment {
        self.clock.moment()
    }

    /// The end of the run is an instant like the kernel's own.
    #[inline(always)]
    fn arm(&mut self, moment: Moment) {
        let instant = self.clock.now().nearest(moment);
        self.alarm.set(instant.min(self.next_look));
    }

    #[inline(always)]
    fn acknowledge(&mut self) {
        self.alarm.acknowledge();
        if self.next_look.is_due(self.clock.now()) {
            self.look_at_end();
        }
    }

    #[inline(always)]
    fn claim(&mut self) -> Option<Line> {
        self.interrupts.claim()
    }

    fn mask(&mut self, line: Line) {
        self.interrupts.mask(line);
    }

    fn unmask(&mut self, line: Line) {
        self.interrupts.unmask(line);
    }

    fn trace(&mut self, record: Record) {
        self.recorded = self.clock.now();
        self.recorder.add(&record, self.recorded);
    }

    fn trace_late(&mut self, record: Record, moment: Moment) {
        let now = self.clock.now();
        self.recorded = now.last(moment.within(self.recorded.moment(), now.moment()));
        self.recorder.add(&record, self.recorded);
    }

    fn fatal(cause: u32, instruction: u32) -> ! {
        last_words::say(cause, instruction)
    }
}

impl Virt {
    /// Ends the run if it is time, and notes when to look again.
    #[cold]
    #[inline(never)]
    fn look_at_end(&mut self) {
        let now = self.clock.now();
        if self.end.is_due(now) {
            self.recorder.finish();
        }
        self.next_look = self.end.min(now.after(REACH));
    }
}

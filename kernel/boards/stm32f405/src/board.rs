//! The board as the port sees it.

use beryl_abi::{Duration, Instant, Line, Moment, Record};
use beryl_cortex_m::Board;
use beryl_emulated::stream::Stream;
use beryl_emulated::{last_words, register::Register, window};

use crate::alarm::Alarm;
use crate::clock::Clock;
use crate::map::{ENVIRONMENT, LINES, TIMER2_LINE, TRACE};
use crate::{clocks, console};

/// The board, or the emulated one.
pub struct Stm32 {
    clock: Clock,
    alarm: Alarm,
    recorder: Stream<{ TRACE.address }, { TRACE.address + TRACE.length }>,
    /// Whether there is a window to the environment that asks for a recording.
    is_tracing: bool,
    /// When the run ends.
    end: Instant,
    /// When that is looked at next: the end, or a moment on the way there.
    next_look: Moment,
}

/// How far ahead an alarm can be set, in ticks.
const REACH: Duration = Duration::from_ticks(1 << 30);
/// Bytes from the frame's start to the program counter.
const PROGRAM_COUNTER: u32 = 6 * 4;

impl Board for Stm32 {
    const LINES: u32 = LINES as u32;
    const ALARM: Line = TIMER2_LINE;

    fn start() -> Self {
        let cycles = clocks::start();
        console::start();
        let run = window::run::<{ ENVIRONMENT.address }>();
        let mut board = Stm32 {
            alarm: Alarm::start(),
            recorder: Stream::EMPTY,
            is_tracing: run.as_ref().is_some_and(|run| run.is_recorded),
            end: run.map_or(Instant::NEVER, |run| run.end),
            next_look: Instant::START.moment(),
            clock: Clock::start(cycles),
        };
        board.look_at_end();
        board.arm(board.next_look);
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
        let first = if self.next_look.is_before(moment) { self.next_look } else { moment };
        self.alarm.set(first, &self.clock);
    }

    #[inline(always)]
    fn acknowledge(&mut self) {
        self.alarm.acknowledge();
        if !self.clock.moment().is_before(self.next_look) {
            self.look_at_end();
        }
    }

    fn trace(&mut self, record: Record) {
        let now = self.read_clock();
        self.recorder.add(&record, now);
    }

    fn trace_late(&mut self, record: Record, moment: Moment) {
        let time = self.clock.late(moment);
        self.recorder.add(&record, time);
    }

    fn fatal(exception: u32, frame: u32) -> ! {
        // SAFETY: the frame that the hardware has just put on the kernel's stack.
        let place = unsafe { Register::at(frame.wrapping_add(PROGRAM_COUNTER)) }.read();
        last_words::say(exception, place)
    }
}

impl Stm32 {
    /// Ends the run if it is time, and notes when to look again.
    #[cold]
    #[inline(never)]
    fn look_at_end(&mut self) {
        let now = self.read_clock();
        if self.end.is_due(now) {
            self.recorder.finish();
        }
        self.next_look = self.end.min(now.after(REACH)).moment();
    }

    /// The time, for what isn't short.
    #[inline(never)]
    fn read_clock(&mut self) -> Instant {
        self.clock.now()
    }
}

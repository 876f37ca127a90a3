//! A board as its port sees it, over what tells it from others.

use beryl_abi::{Duration, Instant, Moment, Range, Record};
use beryl_port::Board;

use crate::time::{Extended, countdown};
use crate::{last_words, window};

/// What tells a board from others: two timers, and what has to be written before they start.
///
/// The count of the first has 32 bits, goes up for ever, and is the low word of the time: after 2^32 ticks it begins anew.
pub trait Devices: 'static {
    /// The environment's window.
    const ENVIRONMENT: Range;
    /// The farthest that the alarm can be set, in ticks. It goes off early then, which does no harm.
    const FARTHEST: u32 = u32::MAX;
    /// Where trace records go.
    type Recorder: Recorder;
    /// The interrupt lines, as the port asks for them.
    type Lines;

    /// Brings up what isn't a timer, and the lines.
    fn start() -> Self::Lines;
    /// Starts both timers: the first at 0, the second so that it doesn't go off.
    fn start_timers();
    /// What the first has counted.
    fn count() -> u32;
    /// Sets the second to go off after so many ticks, at least one, in place of what it was set to.
    fn set(ticks: u32);
    /// It went off: it is quiet until it is set again.
    fn acknowledge();
}

/// Where trace records go.
pub trait Recorder {
    /// An empty recording.
    const EMPTY: Self;

    /// Adds a record, made at `time`.
    fn add(&mut self, record: &Record, time: Instant);
    /// Writes what is left to `trace.bin` and ends the emulation.
    fn finish(&mut self) -> !;
}

/// The board, or the emulated one.
pub struct Emulated<D: Devices> {
    clock: Extended,
    lines: D::Lines,
    recorder: D::Recorder,
    /// Whether there is a window to the environment that asks for a recording.
    is_tracing: bool,
    /// When the run ends.
    end: Instant,
    /// When that is looked at next: the end, or a moment on the way there.
    next_look: Moment,
}

/// How far ahead an alarm can be set, in ticks.
const REACH: Duration = Duration::from_ticks(1 << 30);

impl<D: Devices> Board for Emulated<D> {
    type Lines = D::Lines;

    fn start() -> Self {
        let lines = D::start();
        let run = window::run(D::ENVIRONMENT.address);
        let mut board = Emulated {
            lines,
            recorder: D::Recorder::EMPTY,
            is_tracing: run.as_ref().is_some_and(|run| run.is_recorded),
            end: run.map_or(Instant::NEVER, |run| run.end),
            next_look: Instant::START.moment(),
            clock: Extended::default(),
        };
        D::start_timers();
        board.look_at_end();
        board.arm(board.next_look);
        board
    }

    #[inline(always)]
    fn lines(&mut self) -> &mut D::Lines {
        &mut self.lines
    }

    fn is_tracing(&self) -> bool {
        self.is_tracing
    }

    #[inline(always)]
    fn now(&mut self) -> Instant {
        self.clock.extend(D::count())
    }

    #[inline(always)]
    fn moment(&self) -> Moment {
        Moment::from_ticks(D::count())
    }

    /// The end of the run is an instant like the kernel's own.
    #[inline(always)]
    fn arm(&mut self, moment: Moment) {
        let first = if self.next_look.is_before(moment) { self.next_look } else { moment };
        D::set(countdown(first, self.moment()).min(D::FARTHEST));
    }

    #[inline(always)]
    fn acknowledge(&mut self) {
        D::acknowledge();
        if !self.moment().is_before(self.next_look) {
            self.look_at_end();
        }
    }

    fn trace(&mut self, record: Record) {
        let now = self.read_clock();
        self.recorder.add(&record, now);
    }

    /// Whoever says `moment` may be wrong: it is between when the clock was last read, which this counts as, and now.
    fn trace_late(&mut self, record: Record, moment: Moment) {
        let last = Moment::from_ticks(self.clock.last);
        let time = self.clock.extend(moment.within(last, self.moment()).ticks());
        self.recorder.add(&record, time);
    }

    fn fatal(cause: u32, instruction: u32) -> ! {
        last_words::say(cause, instruction)
    }
}

impl<D: Devices> Emulated<D> {
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
        self.now()
    }
}

//! The board as the port sees it.

use beryl_abi::{Duration, Instant, Line, Moment, Record};
use beryl_cortex_m::Board;

use crate::alarm::Alarm;
use crate::clock::Clock;
use crate::here::{LINES, OPENED, TIMER1_LINE, UART0};
use crate::recorder::Recorder;
use crate::register::Register;
use crate::{last_words, window};

/// An emulated board.
pub struct Mps2 {
    clock: Clock,
    alarm: Alarm,
    recorder: Recorder,
    /// Whether there is a window to the environment that asks for a recording.
    is_tracing: bool,
    /// When the run ends.
    end: Instant,
    /// When that is looked at next: the end, or a moment on the way there.
    next_look: Moment,
}

/// How far ahead an alarm can be set, in ticks.
const REACH: Duration = Duration::from_ticks(1 << 30);

impl Board for Mps2 {
    const LINES: u32 = LINES as u32;
    const ALARM: Line = TIMER1_LINE;

    fn start() -> Self {
        open_devices();
        start_console();
        let run = window::run();
        let mut board = Mps2 {
            alarm: Alarm::start(),
            recorder: Recorder::new(),
            is_tracing: run.as_ref().is_some_and(|run| run.is_recorded),
            end: run.map_or(Instant::NEVER, |run| run.end),
            next_look: Instant::START.moment(),
            clock: Clock::start(),
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
        self.alarm.set(first, self.clock.moment());
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
        last_words::say(exception, frame)
    }
}

impl Mps2 {
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

/// Lets user mode reach devices, where something beside the protection unit keeps it from them.
fn open_devices() {
    for (register, devices) in OPENED {
        // SAFETY: a register of the map, which says who may reach devices, and reaches no memory.
        unsafe { Register::at(register) }.write(devices);
    }
}

/// Turns the console's transmitter on, at the highest rate.
fn start_console() {
    const FASTEST: u32 = 16;
    const TRANSMIT: u32 = 1;
    // SAFETY: control and rate of a CMSDK UART, which reach no memory.
    let (control, rate) = unsafe { (Register::at(UART0.address + 8), Register::at(UART0.address + 16)) };
    rate.write(FASTEST);
    control.write(TRANSMIT);
}

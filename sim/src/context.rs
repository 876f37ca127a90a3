//! A thread's context: its fiber, what it waits for, and the virtual time of its job.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use beryl_abi::{CallNumber, Duration, Fault, FaultKind, Instant};
use beryl_kernel::ThreadKind;

use crate::costs::StepTimes;
use crate::error::SimulationError;
use crate::fiber::{Answer, Arena, Borders, End, Endless, Fiber, Own, Traps};
use crate::hostile::{Deed, HostileThread};
use crate::place::{self, Place};
use crate::scenario::Script;
use crate::simulation::{Options, ThreadCode};
use crate::times::Times;

/// What a thread needs next, in addition to the processor.
#[derive(Debug, Hash)]
pub(crate) enum Stage {
    /// Its native code can go on with this answer.
    Code(Answer),
    /// Its segment has run natively. After `left` the operation at the segment's end is performed.
    Granting { left: Duration, then: End },
}

/// A thread as the virtual processor sees it.
pub(crate) struct Context {
    code: ThreadCode,
    kind: ThreadKind,
    fiber: Fiber,
    pub(crate) stage: Stage,
    /// The rest of the current job's drawn time.
    job: Option<Duration>,
    /// Time that a thread without jobs has kept for its calls, at most the longest that one takes.
    kept: Duration,
    /// The longest that a call takes.
    longest_call: Duration,
    times: Times,
    /// Whether a driver thread has asked for work, so that its next answer names a function.
    asked: bool,
    /// Whether the code's last operation lets the processor take what is due before the code goes on.
    paused: bool,
    /// Whether its next operation is a panic, whatever its code does.
    doomed: bool,
    /// Where its segment went wrong, if it did.
    place: Option<Place>,
    /// What it does besides, if its process is hostile.
    hostile: Option<HostileThread>,
}

/// The thread's next action. State that native code keeps to itself isn't included.
impl Hash for Context {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.stage, self.job, self.kept, self.asked, self.paused, self.times.apart()).hash(hasher);
    }
}

impl Context {
    /// The context of thread number `number`; none for the idle thread, which has no code.
    pub(crate) fn new(
        code: ThreadCode,
        kind: ThreadKind,
        number: usize,
        options: &Options,
        script: Script,
        borders: &Rc<Borders>,
        journal: Option<u32>,
    ) -> Result<Option<Context>, SimulationError> {
        let Some(entry) = code.entry else { return Ok(None) };
        let in_order = |(best, worst): &(Duration, Duration)| best <= worst;
        if !in_order(&(code.best, code.worst)) || !code.drivers.iter().all(in_order) {
            return Err(SimulationError::Times { thread: code.name });
        }
        let own = Own { stack: code.memory, journal, section: code.section };
        let fiber = Fiber::new(entry, code.stack, own, borders).map_err(SimulationError::Machine)?;
        let stage = Stage::Code(Answer::Nothing);
        let times = Times::new(options.times, number, script, code.hold);
        Ok(Some(Context {
            code,
            kind,
            fiber,
            stage,
            job: None,
            kept: Duration::ZERO,
            longest_call: StepTimes::new(options.costs).longest_call(),
            times,
            asked: false,
            paused: false,
            doomed: false,
            place: None,
            hostile: None,
        }))
    }

    /// Where its last segment went wrong.
    pub(crate) fn take_place(&mut self) -> Option<Place> {
        self.place.take()
    }

    /// Makes it hostile.
    pub(crate) fn turn(&mut self, hostile: HostileThread) {
        self.hostile = Some(hostile);
    }

    pub(crate) fn name(&self) -> &'static str {
        self.code.name
    }

    /// Whether what is due comes before the code goes on. Not if its time was granted up to this instant:
    /// then it may end its job first.
    pub(crate) fn lets_pass(&self) -> bool {
        self.job.is_none() || self.paused
    }

    /// Runs the native code of the next segment, if the current stage allows it.
    pub(crate) fn run_segment(
        &mut self,
        memory: &Arena,
        traps: &Traps,
        now: Instant,
    ) -> Result<(), SimulationError> {
        let Stage::Code(answer) = &mut self.stage else { return Ok(()) };
        let answer = std::mem::replace(answer, Answer::Nothing);
        let job = match self.job {
            Some(left) => left,
            None => self.draw(&answer)?,
        };
        let end = self.fiber.resume(answer, memory, traps, now.moment()).map_err(|Endless| {
            let place = place::take();
            SimulationError::Endless { thread: self.code.name, instant: now, limit: traps.limit(), place }
        })?;
        self.place = place::take();
        let left = match &end {
            End::Spend(duration) => {
                self.times.spend(*duration);
                *duration
            }
            End::Point => self.times.part(job),
            End::Rest => job,
            end if self.ends_job(end) => job,
            _ => Duration::ZERO,
        };
        self.job = (!self.ends_job(&end)).then(|| job.minus(left));
        self.asked = matches!(end, End::Call { number: CallNumber::DriverDone, .. });
        self.paused = matches!(end, End::Call { .. } | End::Point | End::Transmit(_) | End::Receive);
        self.stage = Stage::Granting { left: self.keep(left), then: end };
        Ok(())
    }

    /// Keeps part of the time that a thread without jobs is about to spend, for the calls that it makes
    /// afterwards.
    fn keep(&mut self, spent: Duration) -> Duration {
        if self.kind != ThreadKind::Free {
            return spent;
        }
        let kept = self.longest_call.minus(self.kept).min(spent);
        self.kept = self.kept.plus(kept);
        spent.minus(kept)
    }

    /// Pays for a step that the code has asked for itself, out of the rest of its time. Returns how much it
    /// could pay.
    pub(crate) fn pay(&mut self, price: Duration) -> Duration {
        // What a hostile thread asks for was in nobody's `worst`.
        if self.hostile.is_some() {
            return price;
        }
        let left = match self.kind {
            ThreadKind::Free => Some(&mut self.kept),
            _ => self.job.as_mut(),
        };
        let Some(left) = left else { return Duration::ZERO };
        let paid = price.min(*left);
        *left = left.minus(paid);
        paid
    }

    /// Makes its next operation a panic.
    pub(crate) fn doom(&mut self) {
        self.doomed = true;
    }

    /// Grants `duration` of the processor to the segment that has run.
    pub(crate) fn grant(&mut self, duration: Duration) {
        if let Stage::Granting { left, .. } = &mut self.stage {
            *left = left.minus(duration);
        }
    }

    /// Takes the operation at the end of the segment. The code then goes on without a value; after a system
    /// call, with the registers of the call, unless the kernel changes them.
    pub(crate) fn take_operation(&mut self, now: Instant) -> Option<End> {
        if let Some(misdeed) = self.take_misdeed(now) {
            return Some(misdeed);
        }
        match std::mem::replace(&mut self.stage, Stage::Code(Answer::Nothing)) {
            Stage::Granting { .. } if std::mem::take(&mut self.doomed) => {
                Some(End::Fault(Fault { kind: FaultKind::Panic, address: 0, instruction: 0 }))
            }
            Stage::Granting { then, .. } => {
                if let End::Call { number, arguments: [first, second, ..] } = then {
                    self.stage = Stage::Code(Answer::Values([number as u32, first, second]));
                }
                Some(then)
            }
            Stage::Code(_) => None,
        }
    }

    /// What a hostile thread does before its code's own operation, or instead of it.
    fn take_misdeed(&mut self, now: Instant) -> Option<End> {
        let (Some(hostile), Stage::Granting { left, then }) = (&mut self.hostile, &mut self.stage) else {
            return None;
        };
        match hostile.next(then, now) {
            Deed::Own => None,
            Deed::Before(act, pause) => {
                *left = pause;
                Some(act.map_or(End::Point, End::Misdeed))
            }
            Deed::LeftOut => {
                if let End::Call { number, arguments: [first, second, ..] } = *then {
                    self.stage = Stage::Code(Answer::Values([number as u32, first, second]));
                }
                Some(End::Point)
            }
        }
    }

    /// Sets the answer with which the code goes on, if it waits for one.
    pub(crate) fn answer(&mut self, answer: Answer) {
        if let Stage::Code(waiting) = &mut self.stage {
            *waiting = answer;
        }
    }

    /// Sets the result values of a call, behind its status.
    pub(crate) fn answer_values(&mut self, [first, second]: [u32; 2]) {
        if let Stage::Code(Answer::Values([_, low, high])) = &mut self.stage {
            (*low, *high) = (first, second);
        }
    }

    /// Sets the status of a call.
    pub(crate) fn answer_status(&mut self, status: u32) {
        if let Stage::Code(Answer::Values([first, ..])) = &mut self.stage {
            *first = status;
        }
    }

    /// Restarts at the entry.
    pub(crate) fn restart(&mut self) {
        self.fiber.restart();
        if let Some(hostile) = &mut self.hostile {
            hostile.restart();
        }
        self.stage = Stage::Code(Answer::Nothing);
        (self.job, self.kept) = (None, Duration::ZERO);
        (self.asked, self.paused) = (false, false);
    }

    /// Draws the time of the job that begins when the code goes on with `answer`.
    fn draw(&mut self, answer: &Answer) -> Result<Duration, SimulationError> {
        let (best, worst) = match (self.kind, answer) {
            (ThreadKind::Drivers, Answer::Values([_, function, _])) if self.asked => {
                let times =
                    usize::try_from(*function).ok().and_then(|function| self.code.drivers.get(function));
                *times
                    .ok_or(SimulationError::UnknownDriver { thread: self.code.name, function: *function })?
            }
            (ThreadKind::Drivers, _) => (Duration::ZERO, Duration::ZERO),
            _ => (self.code.best, self.code.worst),
        };
        Ok(self.times.draw(best, worst))
    }

    /// Whether the rest of the job's time is granted before this operation.
    fn ends_job(&self, end: &End) -> bool {
        match end {
            End::Call { number: CallNumber::Stop, .. } | End::Fault(_) => true,
            End::Call { number, .. } => match self.kind {
                ThreadKind::Task => *number == CallNumber::Complete,
                ThreadKind::Periodic => *number == CallNumber::WaitPeriod,
                ThreadKind::Drivers => *number == CallNumber::DriverDone,
                _ => true,
            },
            End::Spend(_)
            | End::Point
            | End::Rest
            | End::Read { .. }
            | End::Write { .. }
            | End::Print(_)
            | End::Transmit(_)
            | End::Receive
            | End::Misdeed(_) => false,
        }
    }
}

//! Bodies: the code of a drawn system's threads, without an application of their own. They spend their
//! declared time, inside the locks and with the servers of the description.

mod limits;

use std::cell::RefCell;

use beryl_abi::call::{CallNumber, FOREVER, Operand, POLL};
use beryl_abi::environment::Channel;
use beryl_abi::{Duration, Range, SemaphoreId};
use beryl_builder::Project;
use beryl_builder::assembly::lenders::has_owner;
use beryl_builder::assembly::objects::Count;
use beryl_builder::assembly::{Role, Thread, Use};
use beryl_builder::plan::SHARED_WORDS;

use beryl_sim::ThreadCode;
use beryl_testing::{Draw, SplitMix64 as Random};
use beryl_user::{call, platform};

use crate::further::PROMISED;
use crate::loading::{self, load};
use crate::section;
use crate::terms::left_over;
use crate::world::wakes;

/// The most threads of a system.
pub const MOST: usize = 32;

/// The actions of a job, in sequence.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Only work.
    Work(Duration),
    /// Works inside a ceiling lock.
    Lock { words: u32, ceiling: u32, time: Duration },
    /// Works while owning a semaphore, with which all jobs but the first may begin.
    Semaphore { number: u32, time: Duration, is_promised: bool },
    /// Asks a server.
    Ask { endpoint: u32 },
    /// Asks the kernel for the time.
    Time,
    /// Any other call.
    Call { number: CallNumber, arguments: [Option<u32>; 4] },
    /// Brings a program to a slot.
    Load { slot: u32 },
    /// Records that it wakes another thread.
    Say { channel: u32 },
    /// Gives another output than the job before.
    Give { address: u32 },
}

/// How a job ends and the next begins.
#[derive(Clone, Copy, Debug)]
enum End {
    Task,
    /// Waits for the next release, naming no object or the one promised to it.
    Period {
        operand: u32,
    },
    /// Records its end, and waits to be woken.
    Wait {
        number: CallNumber,
        arguments: [Option<u32>; 4],
        channel: u32,
        /// By another thread; otherwise it waits for its limit.
        is_woken: bool,
    },
    /// Records its end, and waits for a condition, giving up a lock.
    Condition {
        condition: u32,
        lock: u32,
        channel: u32,
    },
    /// Records its end, and sleeps until the next of these distances.
    Sleep {
        distance: u64,
        channel: u32,
    },
    /// Replies, and waits for the next request.
    Reply {
        endpoint: u32,
    },
    /// Continues at once.
    None,
    /// Asks for the next driver; guards return random answers.
    Driver,
}

#[derive(Clone, Debug)]
struct Body {
    acts: Vec<Act>,
    end: End,
}

thread_local! {
    static BODIES: RefCell<Vec<Body>> = const { RefCell::new(Vec::new()) };
    static VERDICTS: RefCell<Random> = const { RefCell::new(Random(0)) };
}

/// Gives the threads of a system their bodies until the next system does; returns their code, in thread table
/// order. The answers of guards follow from `seed`.
pub fn bodies(project: &Project, seed: u64) -> Vec<ThreadCode> {
    let mut random = Random(seed);
    let threads = project.assembly.threads.iter().enumerate();
    let rows: Vec<_> = threads.map(|(index, thread)| body(project, index, thread, &mut random)).collect();
    BODIES.set(rows);
    loading::prepare(project);
    VERDICTS.set(Random(seed));
    let threads = project.assembly.threads.iter().enumerate();
    threads.map(|(index, thread)| code(project, index, thread)).collect()
}

fn body(project: &Project, index: usize, thread: &Thread, random: &mut Random) -> Body {
    let assembly = &project.assembly;
    let words = project.places.words(index);
    let act = |used: &Use| match *used {
        Use::Lock(lock) => {
            let (row, time) = (&assembly.objects.locks[lock], assembly.hold(thread, *used)?);
            Some(Act::Lock { words, ceiling: row.ceiling.into(), time })
        }
        Use::Semaphore(number) => Some(Act::Semaphore {
            number: u32::try_from(number).ok()?,
            time: assembly.hold(thread, *used)?,
            is_promised: false,
        }),
        Use::Call(endpoint) => Some(Act::Ask { endpoint: u32::try_from(endpoint).ok()? }),
        _ => None,
    };
    let mut acts: Vec<Act> = thread.uses.iter().filter_map(act).collect();
    for used in &thread.uses {
        acts.extend(calls(project, index, *used));
    }
    if matches!(thread.role, Role::Task(_) | Role::Periodic(_)) {
        // Calls are part of a job's time: work inside sections can't use the time that they take.
        let calls =
            acts.iter().map(Act::calls).fold(Duration::ZERO, |sum, count| sum.plus(paid(project, count)));
        let mut rest = own_time(project, thread).minus(calls);
        for act in &mut acts {
            rest = act.within(rest);
        }
        // Sections come at a random point of the job.
        acts.insert(0, Act::Work(Duration::from_ticks(rest.ticks() * random.within(0, 100) / 100)));
    }
    if let Role::Task(task) = &thread.role
        && let Some(publisher) = task.publisher
    {
        acts.push(Act::Give {
            address: project.places.address(&assembly.cells, assembly.drivers[publisher].from),
        });
    }
    let end = match &thread.role {
        Role::Task(_) => End::Task,
        Role::Periodic(_) => End::Period { operand: Operand::object(Operand::NO_OBJECT).0 },
        Role::Drivers => End::Driver,
        Role::Idle => End::None,
        Role::Free { .. } if limits::condition(thread).is_some() => {
            acts = limits::acts(project, thread).unwrap_or_default();
            ending(project, index, thread)
        }
        Role::Free { sporadic, .. } => {
            let inside: u64 = acts.iter().map(|act| act.time().ticks()).sum();
            let end = ending(project, index, thread);
            let work = match (sporadic, end) {
                (Some(_), _) => own_time(project, thread).ticks().saturating_sub(inside),
                (None, End::Reply { endpoint }) => served(project, endpoint).ticks(),
                (None, _) => project.description.board.board.tick.get().max(1) * 100,
            };
            acts.insert(0, Act::Work(Duration::from_ticks(work)));
            if matches!(end, End::None) {
                acts.push(Act::Time);
            }
            end
        }
    };
    let mut body = Body { acts, end };
    if thread.name.contains(PROMISED) {
        body.begin_with_semaphore();
    }
    body
}

impl Body {
    /// Its first semaphore is promised at the end of each job, so its use comes first.
    fn begin_with_semaphore(&mut self) {
        let place = self.acts.iter().position(|act| matches!(act, Act::Semaphore { .. }));
        let Some(Act::Semaphore { number, time, .. }) = place.map(|place| self.acts.remove(place)) else {
            return;
        };
        self.acts.insert(0, Act::Semaphore { number, time, is_promised: true });
        let semaphore = SemaphoreId(u8::try_from(number).unwrap_or(u8::MAX));
        let promise = |operand: u32| Operand::then(Operand(operand).number(), semaphore).0;
        match &mut self.end {
            End::Period { operand } => *operand = promise(*operand),
            End::Wait { arguments: [Some(operand), ..], .. } => *operand = promise(*operand),
            _ => {}
        }
    }
}

fn ending(project: &Project, index: usize, thread: &Thread) -> End {
    let objects = &project.assembly.objects;
    let channel = u32::try_from(index).unwrap_or(u32::MAX);
    let nothing = Some(Operand::object(Operand::NO_OBJECT).0);
    let limit = Some(limits::limit(project, index, thread));
    let waits = |number, arguments, is_woken| Some(End::Wait { number, arguments, channel, is_woken });
    let wait = |number, arguments| waits(number, arguments, true);
    if let (Some((lock, condition)), Role::Free { sporadic: Some(_), .. }) =
        (limits::condition(thread), &thread.role)
    {
        return End::Condition { condition, lock, channel };
    }
    let end = thread.uses.iter().find_map(|used| match *used {
        Use::Interrupt(number) => {
            let operand = Operand::object(u8::try_from(number).ok()?).0;
            let bits = objects.interrupts.get(number)?.bits;
            wait(CallNumber::NotificationWait, [Some(operand), Some(bits), None, limit])
        }
        Use::Await(number) => {
            let bits = objects.notifications.get(number)?.bits;
            wait(CallNumber::NotificationWait, [nothing, Some(bits), None, limit])
        }
        Use::Receive(number) => {
            let operand = Operand::object(u8::try_from(number).ok()?).0;
            wait(CallNumber::MailboxReceive, [Some(operand), None, None, limit])
        }
        Use::Serve(endpoint) => Some(End::Reply { endpoint: u32::try_from(endpoint).ok()? }),
        _ => None,
    });
    let sleeps = match &thread.role {
        Role::Free { .. } if limit != Some(FOREVER) => {
            let units = thread.uses.iter().find_map(|used| match *used {
                Use::Semaphore(number) if !has_owner(&project.assembly, number) => u32::try_from(number).ok(),
                _ => None,
            });
            match units {
                Some(number) if thread.uses.len() == 1 => {
                    waits(CallNumber::SemaphoreWait, [Some(number), None, None, limit], false)
                }
                _ => waits(CallNumber::NotificationWait, [nothing, None, None, limit], false),
            }
        }
        Role::Free { sporadic: Some(times), .. } => {
            Some(End::Sleep { distance: times.separation.ticks(), channel })
        }
        _ => None,
    };
    end.or(sleeps).unwrap_or(End::None)
}

/// A job's calls on an object that it doesn't hold.
fn calls(project: &Project, index: usize, used: Use) -> Vec<Act> {
    let objects = &project.assembly.objects;
    if project.assembly.threads[index].name.starts_with("sleeping") && matches!(used, Use::Semaphore(_)) {
        // A thread that only sleeps takes nothing.
        return Vec::new();
    }
    let place = project.places.stacks.get(index).map(|stack| stack.address);
    let call = |number, arguments| Act::Call { number, arguments };
    let say = Act::Say { channel: u32::try_from(index).unwrap_or(u32::MAX) };
    let number = |index: usize| u32::try_from(index).ok();
    match used {
        Use::Notify(row) => {
            let bits = objects.notifications.get(row).map(|row| row.bits);
            vec![say, call(CallNumber::Notify, [number(row), bits, None, None])]
        }
        Use::Send(row) => vec![say, call(CallNumber::MailboxSend, [number(row), Some(7), None, Some(POLL)])],
        Use::ReadSlow(row) => {
            let id = objects.states.get(row).and_then(|row| row.id).map(|id| u32::from(id.0));
            vec![call(CallNumber::StateMessageRead, [id, place, None, None])]
        }
        Use::Semaphore(row)
            if objects.semaphores.get(row).is_some_and(|row| matches!(row.count, Count::Counting { .. })) =>
        {
            vec![
                call(CallNumber::SemaphoreWait, [number(row), None, None, Some(POLL)]),
                call(CallNumber::SemaphoreSignal, [number(row), None, None, None]),
            ]
        }
        Use::Slot(row) => {
            let slot = u32::try_from(row).unwrap_or(u32::MAX);
            vec![Act::Load { slot }; LOADS]
        }
        Use::Trace => vec![
            call(CallNumber::TraceEvent, [Some(7), Some(1), None, None]),
            call(CallNumber::TraceRead, [None, place, Some(NOTES), None]),
        ],
        _ => Vec::new(),
    }
}

/// The parts of a program that a job loads, or steps of its check.
const LOADS: usize = 60;

/// Bytes of notes taken at a time.
const NOTES: u32 = 64;

/// A server's working time per request.
fn served(project: &Project, endpoint: u32) -> Duration {
    let row = usize::try_from(endpoint).ok().and_then(|index| project.assembly.objects.endpoints.get(index));
    row.and_then(|row| row.hold).unwrap_or_default()
}

impl Act {
    fn time(self) -> Duration {
        match self {
            Act::Work(time) | Act::Lock { time, .. } | Act::Semaphore { time, .. } => time,
            _ => Duration::ZERO,
        }
    }

    /// The most calls to the kernel.
    fn calls(&self) -> u64 {
        match self {
            Act::Work(_) | Act::Give { .. } => 0,
            Act::Lock { .. }
            | Act::Ask { .. }
            | Act::Time
            | Act::Call { .. }
            | Act::Load { .. }
            | Act::Say { .. } => 1,
            Act::Semaphore { .. } => 2,
        }
    }

    /// Limits its time to `most`; returns the rest.
    fn within(&mut self, most: Duration) -> Duration {
        match self {
            Act::Work(time) | Act::Lock { time, .. } | Act::Semaphore { time, .. } => {
                *time = most.min(*time);
                most.minus(*time)
            }
            _ => most,
        }
    }
}

fn code(project: &Project, index: usize, thread: &Thread) -> ThreadCode {
    let stack = project.places.stacks.get(index).copied().unwrap_or(Range::EMPTY);
    let process = &project.assembly.processes[thread.process];
    let drivers = match thread.role {
        Role::Drivers => process.functions.iter().map(|row| (row.best, row.worst)).collect(),
        _ => Vec::new(),
    };
    let worst = match &thread.role {
        Role::Task(_) | Role::Periodic(_) => own_time(project, thread),
        _ => Duration::ZERO,
    };
    let best = Duration::from_ticks(worst.ticks() / 2);
    ThreadCode {
        name: "thread",
        entry: if matches!(thread.role, Role::Idle) { None } else { ENTRIES.get(index).copied() },
        best,
        worst,
        stack: 1024,
        memory: Range::new(stack.address, stack.length.max(SHARED_WORDS)),
        hold: Duration::FOREVER,
        section: None,
        drivers: drivers.leak(),
    }
}

/// A job's longest time of its own: servers' work for it is part of its time, too.
fn own_time(project: &Project, thread: &Thread) -> Duration {
    let asked = thread.uses.iter().filter_map(|used| match used {
        Use::Call(endpoint) => Some(served(project, u32::try_from(*endpoint).ok()?)),
        _ => None,
    });
    thread.job().minus(asked.fold(Duration::ZERO, Duration::plus))
}

/// The most time for this many calls, including their deferred steps.
fn paid(project: &Project, calls: u64) -> Duration {
    let charges = project.costs.charges;
    let one = charges.call.ticks().saturating_add(left_over(&charges));
    Duration::from_ticks(one.saturating_mul(calls))
}

macro_rules! entries {
    ($($number:literal)*) => { [$(run::<$number>),*] };
}

const ENTRIES: [extern "C" fn() -> !; MOST] = entries! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
};

/// The number of the job after the first one.
const FIRST: u64 = 2;

/// The code of thread number `N`.
extern "C" fn run<const N: usize>() -> ! {
    let end = BODIES.with_borrow(|bodies| bodies.get(N).map_or(End::None, |body| body.end));
    begin(end);
    for job in FIRST.. {
        let mut number = 0;
        while let Some(act) = next(N, number) {
            perform(act, job);
            number += 1;
        }
        finish(end, job);
    }
    call::stop()
}

fn next(thread: usize, number: usize) -> Option<Act> {
    BODIES.with_borrow(|bodies| bodies.get(thread)?.acts.get(number).copied())
}

/// Carries out a part of the job before the one with this number.
fn perform(act: Act, before: u64) {
    match act {
        Act::Work(time) => platform::spend(time),
        Act::Lock { words, ceiling, time } => section::inside(words, ceiling, || platform::spend(time)),
        Act::Semaphore { number, time, is_promised } => {
            if before == FIRST || !is_promised {
                platform::call(CallNumber::SemaphoreWait, [Some(number), None, None, Some(FOREVER)]);
            }
            platform::spend(time);
            platform::call(CallNumber::SemaphoreSignal, [Some(number), None, None, None]);
        }
        Act::Ask { endpoint } => {
            platform::call(CallNumber::EndpointCall, [Some(endpoint), Some(0), Some(0), Some(FOREVER)]);
        }
        Act::Time => drop(call::time()),
        Act::Call { number, arguments } => drop(platform::call(number, arguments)),
        Act::Load { slot } => load(slot),
        Act::Say { channel } => platform::environment_write(wakes(channel), &[]),
        Act::Give { address } => section::give(address),
    }
}

/// The wait of a thread before its first job.
fn begin(end: End) {
    match end {
        End::Wait { number, arguments: [what, bits, to, limit], is_woken, .. } => {
            // A thread that is woken arrives first at any time.
            let limit = if is_woken { Some(FOREVER) } else { limit };
            platform::call(number, [what, bits, to, limit]);
        }
        End::Condition { condition, lock, .. } => {
            platform::call(CallNumber::SemaphoreWait, [Some(lock), None, None, Some(FOREVER)]);
            wait_for(condition, lock);
        }
        End::Sleep { distance, .. } => sleep(distance),
        End::Reply { endpoint } => {
            platform::call(CallNumber::EndpointReceive, [Some(endpoint), None, None, Some(FOREVER)]);
        }
        End::Driver => drop(call::driver_done(false)),
        End::Task | End::Period { .. } | End::None => {}
    }
}

/// Ends a job, and waits for the one with this number.
fn finish(end: End, job: u64) {
    match end {
        End::Task => call::complete(),
        End::Period { operand } => {
            platform::call(CallNumber::WaitPeriod, [Some(operand), None, None, None]);
        }
        End::Wait { number, arguments, channel, .. } => {
            platform::environment_write(Channel::new(channel), &[]);
            platform::call(number, arguments);
        }
        End::Condition { condition, lock, channel } => {
            platform::environment_write(Channel::new(channel), &[]);
            wait_for(condition, lock);
        }
        End::Sleep { distance, channel } => {
            platform::environment_write(Channel::new(channel), &[]);
            sleep(distance.saturating_mul(job));
        }
        End::Reply { endpoint } => {
            platform::call(CallNumber::EndpointReply, [Some(endpoint), Some(0), Some(0), None]);
        }
        End::Driver => {
            let verdict = VERDICTS.with_borrow_mut(|verdicts| verdicts.chance(50));
            call::driver_done(verdict);
        }
        End::None => {}
    }
}

fn wait_for(condition: u32, lock: u32) {
    let number = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    let operand = Operand::then(number(condition), SemaphoreId(number(lock))).0;
    platform::call(CallNumber::ConditionWait, [Some(operand), None, None, Some(FOREVER)]);
}

/// Sleeps until an instant, in ticks.
pub fn sleep(until: u64) {
    let nothing = Operand::object(Operand::NO_OBJECT).0;
    let low = u32::try_from(until & u64::from(u32::MAX)).ok();
    let high = u32::try_from(until >> u32::BITS).ok();
    platform::call(CallNumber::SleepUntil, [Some(nothing), low, high, None]);
}

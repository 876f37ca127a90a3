//! Random programs: what they do, wait for and set.

use beryl_abi::{DriverId, Line, ThreadId};
use beryl_syscode::{Condition, Exception, Instruction, PortId, Relation};
use beryl_testing::{Draw, XorShiftStar as Random};

use super::common::ports::{DRIVERS, LONG};
use super::{PLACES, TASKS};

/// What triggers may wait for, and behind that, what threads wait for.
pub const CONDITIONS: [Condition; 12] = [
    Condition::Interrupt(Line(0)),
    Condition::Interrupt(Line(1)),
    Condition::Completed(ThreadId(0)),
    Condition::Completed(ThreadId(1)),
    Condition::Changed(PortId(0)),
    Condition::Compare(PortId(1), Relation::AtLeast, 3),
    Condition::Compare(PortId(0), Relation::Less, 5),
    Condition::Changed(PortId(LONG as u16)),
    Condition::Compare(PortId(LONG as u16), Relation::Less, 5),
    Condition::Clock(1),
    Condition::Round { length: 3, beats: [0, 1, 2, 3] },
    Condition::Round { length: 4, beats: [1, 1, 4, 0] },
];

/// Which of them are events, which is a time for threads only, and where the rounds begin.
pub const EVENTS: std::ops::Range<u8> = 0..CLOCK;
pub const CLOCK: u8 = 9;
const ROUNDS: u8 = 10;

/// Random E code: blocks of a few drivers and releases. The first one begins with some triggers, each other
/// one ends with one, on time or on something else: so there are always as many.
#[derive(Default)]
pub struct Drawn {
    pub code: Vec<Instruction>,
    pub handlers: Vec<(Exception, u16)>,
    /// Where the completion of the program's own task enters, to make up for what is owed to it.
    pub makes_up: Option<u16>,
    pub durations: Vec<u64>,
    /// Whether its thread says when the first task runs.
    pub dispatches: bool,
}

const BLOCKS: usize = 4;

/// A trigger that leads to one of the blocks behind the first.
fn trigger(random: &mut Random) -> Instruction {
    let address = (1 + random.below(BLOCKS - 1)) as u16;
    match random.below(5) {
        2 | 3 => Instruction::Next { round: ROUNDS + random.below(2) as u8, address },
        0 | 1 => Instruction::Future { delay: random.below(3) as u8, address },
        _ => Instruction::When { condition: random.below(usize::from(CLOCK)) as u8, address },
    }
}

/// A thread that comes round, at equal distances or later if it waits for something else: for an event, or for the first
/// task, to its end or no longer than until an event. Then its time may be over before it waits for it.
fn thread(random: &mut Random) -> Vec<Instruction> {
    let call = |random: &mut Random| Instruction::Call { driver: DriverId(random.below(3) as u16) };
    let event = |random: &mut Random| random.below(usize::from(CLOCK)) as u8;
    let mut code = match random.below(4) {
        0 => Vec::new(),
        2 => vec![Instruction::Dispatch { task: ThreadId(0) }, call(random)],
        1 => vec![Instruction::Idle { until: event(random) }, call(random)],
        _ => vec![
            Instruction::DispatchUntil { task: ThreadId(0), until: event(random), otherwise: 1 },
            call(random),
            call(random),
        ],
    };
    code.extend([Instruction::Idle { until: CLOCK }, call(random)]);
    code.extend([Instruction::Fork { address: 0 }, Instruction::Return {}]);
    code
}

/// The program of a task, with a handler that tolerates late jobs for a while or with any or none; where it
/// may have a thread, now and then with one that carries a driver out at equal distances.
pub fn draw(random: &mut Random, own: ThreadId, has_thread: bool, tolerates: bool) -> Drawn {
    let mut durations: Vec<u64> = (0..3).map(|_| 2 + random.below(9) as u64).collect();
    if tolerates {
        // No two jobs of a task have one deadline.
        durations[0] = 3;
    }
    durations.extend([11, 30]);
    let mut drafts: Vec<Vec<Instruction>> = Vec::new();
    for block in 0..BLOCKS {
        let mut code = Vec::new();
        for _ in 0..random.below(4) {
            code.push(match random.below(8) {
                7 => Instruction::Round {},
                6 => Instruction::Beat { beat: random.below(3) as u8, address: 0 },
                // The next instruction only if somebody was late; the trigger is there in any case.
                5 => Instruction::Late { task: ThreadId(random.below(TASKS) as u8), address: 0 },
                0 => Instruction::Release { task: ThreadId(random.below(TASKS) as u8), deadline: 0 },
                1 => Instruction::Calls { first: DriverId(random.below(4) as u16), count: 2 },
                _ => Instruction::Call { driver: DriverId(random.below(DRIVERS.len()) as u16) },
            });
        }
        code.push(trigger(random));
        if block > 0 && random.below(3) == 0 {
            code.insert(0, Instruction::Phase { phase: 1 + random.below(3) as u8 });
        }
        code.push(Instruction::Return {});
        drafts.push(without_last_question(code));
    }
    let others = (0..random.below(usize::from(PLACES))).map(|_| trigger(random));
    drafts[0].splice(0..0, others);
    let has_thread = has_thread && random.below(2) == 0;
    if has_thread {
        drafts[0].insert(0, Instruction::Fork { address: 0 });
    }
    let mut handlers = Vec::new();
    if tolerates {
        drafts.push(vec![Instruction::Tolerate { most: 1 + random.below(3) as u8 }]);
    } else if random.below(2) == 0 {
        let mut code = Vec::new();
        if random.below(2) == 0 {
            code.push(Instruction::Call { driver: DriverId(0) });
        }
        if random.below(2) == 0 {
            code.push(Instruction::Terminate {});
        }
        // What comes first then is about one of the tasks only.
        if !code.is_empty() && random.below(2) == 0 {
            code.insert(0, Instruction::Offender { task: ThreadId(random.below(TASKS) as u8), address: 0 });
        }
        code.push(match random.below(6) {
            0 => Instruction::Change { address: 0 },
            4 | 5 => Instruction::Postpone { most: 1 + random.below(3) as u8 },
            1 => Instruction::Retry {},
            _ => Instruction::Resume {},
        });
        drafts.push(code);
    }
    let mut starts = Vec::new();
    let mut length = 0;
    for draft in &drafts {
        starts.push(length as u16);
        length += draft.len();
    }
    let thread = if has_thread { thread(random) } else { Vec::new() };
    let dispatches =
        matches!(thread.first(), Some(Instruction::Dispatch { .. } | Instruction::DispatchUntil { .. }));
    let makes_up = (!tolerates && random.below(2) == 0).then_some(length as u16);
    if makes_up.is_some() {
        drafts.push(vec![
            Instruction::Owed { task: own, address: length as u16 + 3 },
            Instruction::Call { driver: DriverId(0) },
            Instruction::Release { task: own, deadline: 0 },
            Instruction::Return {},
        ]);
    }
    let begin = drafts.iter().map(Vec::len).sum::<usize>() as u16;
    drafts.push(thread);
    if let Some(handler) = starts.get(BLOCKS) {
        handlers.push((Exception::Safety, *handler));
    }
    let placed = drafts.into_iter().flatten().zip(2..).map(|(instruction, behind)| match instruction {
        Instruction::Late { task, .. } => Instruction::Late { task, address: behind },
        Instruction::Beat { beat, .. } => Instruction::Beat { beat, address: behind },
        Instruction::Offender { task, .. } => Instruction::Offender { task, address: behind },
        Instruction::Future { delay, address } => {
            Instruction::Future { delay, address: starts[usize::from(address)] }
        }
        Instruction::Next { round, address } => {
            Instruction::Next { round, address: starts[usize::from(address)] }
        }
        Instruction::When { condition, address } => {
            Instruction::When { condition, address: starts[usize::from(address)] }
        }
        Instruction::Fork { .. } => Instruction::Fork { address: begin },
        other => other,
    });
    Drawn { code: placed.collect(), handlers, makes_up, durations, dispatches }
}

/// A block that asks nothing right before its trigger: it would leave that out.
fn without_last_question(mut code: Vec<Instruction>) -> Vec<Instruction> {
    let before_trigger = code.len().checked_sub(3);
    if let Some(place) = before_trigger
        && matches!(code.get(place), Some(Instruction::Late { .. } | Instruction::Beat { .. }))
    {
        code.remove(place);
    }
    code
}

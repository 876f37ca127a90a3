//! What the kernel costs: steps of the emulated board, each with a bound in instructions, as the analysis wants them.

use beryl_abi::Duration;
use beryl_analysis::{KernelCosts, Ticks};
use beryl_kernel::Charges;
use beryl_syscode::Instruction;

use super::kinds::Kind;
use super::waits::{after_jobs, timers};
use crate::Project;
use crate::assembly::objects::State;
use crate::assembly::{Assembly, Role, Thread, Use, lenders};
use crate::code::Program;
use crate::quantity::Nanoseconds;

/// The longest that the kernel may be at work for somebody less urgent when somebody's turn comes: a call with the steps that it leaves
/// over, or the end of a job; and a switch to somebody who isn't more urgent.
fn under_way(project: &Project) -> u64 {
    let call = call(project).saturating_add(left_over(project));
    let charges = charges(project);
    let end = charges.completion.ticks().saturating_add(after_jobs(project));
    call.max(end).max(start(project)).saturating_add(charges.switch.ticks())
}

/// What the start takes beside an instant's alarm, in ticks: all of an instant, where nothing else begins with it. Nothing else can be under
/// way then.
fn start(project: &Project) -> u64 {
    let (assembly, charges) = (&project.assembly, charges(project));
    let begins = |thread: &Thread| match &thread.role {
        Role::Periodic(times) => times.offset == Duration::ZERO,
        _ => false,
    };
    let start = steps(project, Kind::Job, 1);
    match !assembly.modules.is_empty() || assembly.threads.iter().any(begins) {
        true => start.saturating_sub(charges.alarm.ticks()),
        false => start.saturating_add(charges.instant.ticks()),
    }
}

/// The longest call, in ticks.
fn call(project: &Project) -> u64 {
    let longest = instructions(project, longest_call(&project.assembly));
    // A term of the description for instants is about a kernel of its own, with steps as long as theirs.
    longest.min(own_instant_step(project).map_or(u64::MAX, Duration::ticks))
}

/// A step of an instant where the description says what an instant takes, rounded down: all of them are as long as each other then.
fn own_instant_step(project: &Project) -> Option<Duration> {
    let own = project.description.costs.instant?.rounded_down(project.description.board.board.tick);
    Some(Duration::from_ticks(own.ticks() / instant_steps(project).max(1)))
}

/// What the end of a section in a lock takes beside it: the call, with the steps that it leaves over, and where the lock was lent the
/// switches to its holder and back.
pub(super) fn end_of_section(project: &Project, is_lent: bool) -> u64 {
    let switches = if is_lent { costs(project).switch.get().saturating_mul(2) } else { 0 };
    call(project).saturating_add(left_over(project)).saturating_add(switches)
}

/// What the steps take that a call leaves over, in ticks: its caller's place goes out or that of who it wakes in, a timer is set or what was promised
/// taken, and it is decided who runs. All who wait for a condition wake one by one, and those of an event group whose bits are there: each is
/// found, wakes, and takes what it was promised; a long state message is copied piece by piece. Places of those who wait for somebody that
/// sleeps with their lock would be more; who sleeps so isn't in the proof at all.
fn left_over(project: &Project) -> u64 {
    const OF_CALLS: u64 = 2;
    const OF_A_WAKE: u64 = 3;
    let assembly = &project.assembly;
    let calls = assembly.objects.count() > 0
        || assembly.threads.iter().any(|thread| matches!(thread.role, Role::Free { .. }));
    let woken = most_woken(assembly);
    let of_calls = Steps {
        jobs: woken.saturating_mul(OF_A_WAKE).saturating_add(OF_CALLS),
        sorting: woken.saturating_add(1).saturating_mul(assembly.sorting_steps()),
        decisions: 1,
    };
    let of_calls = if calls { of_calls.ticks(project) } else { 0 };
    of_calls.max(pieces(assembly).ticks(project)).max(after_jobs(project))
}

/// What a call leaves over that reads the longest state message: its pieces, and the decision.
fn pieces(assembly: &Assembly) -> Steps {
    let long = assembly.objects.slow_states().map(State::pieces).filter(|pieces| *pieces > 1);
    match long.max() {
        Some(pieces) => Steps { jobs: pieces.into(), sorting: 0, decisions: 1 },
        None => Steps::default(),
    }
}

/// Steps that are left over from another, or wake somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    /// Any that a job may cost.
    pub jobs: u64,
    /// That look on for a place.
    pub sorting: u64,
    /// That decide who runs.
    pub decisions: u64,
}

impl Steps {
    /// All of them together, in ticks.
    pub fn ticks(self, project: &Project) -> u64 {
        let of = |kind: Kind, count: u64| kind.instructions(&project.assembly).saturating_mul(count);
        let all = [(Kind::Job, self.jobs), (Kind::Sorting, self.sorting), (Kind::Decision, self.decisions)];
        instructions(
            project,
            all.into_iter().map(|(kind, count)| of(kind, count)).fold(0, u64::saturating_add),
        )
    }
}

/// The most threads that one call wakes, beside the one whose wake is part of the call.
fn most_woken(assembly: &Assembly) -> u64 {
    let conditions = (0..assembly.objects.conditions.len()).map(Use::Condition);
    let groups = (0..assembly.objects.event_groups.len()).map(Use::AwaitBits);
    let users = |used| lenders::users(assembly, used).len();
    let most = conditions.chain(groups).map(users).max().unwrap_or(0);
    u64::try_from(most).unwrap_or(u64::MAX)
}

/// The instructions of the longest call that may be under way when somebody's turn comes: one that needs no object, with what may go on behind
/// it, or where threads share objects or one reads what is told any that there is.
fn longest_call(assembly: &Assembly) -> u64 {
    let is_short = assembly.objects.count() == 0 && assembly.objects.trace.is_none();
    match is_short {
        true => Kind::Job.instructions(assembly).max(Kind::Completion.instructions(assembly)),
        false => Kind::Call.instructions(assembly),
    }
}

/// What each kind of kernel step is charged on the board; a line of the description replaces the board's. The proof counts with this
/// table, and the simulator lets what is in it pass.
#[must_use]
pub fn charges(project: &Project) -> Charges {
    let own = &project.description.costs;
    let tick = project.description.board.board.tick;
    let ticks = |own: Option<Nanoseconds>, bound: u64| {
        own.map_or(Duration::from_ticks(bound), |own| own.rounded_up(tick))
    };
    let step = |kind: Kind| steps(project, kind, 1);
    let one = |kind: Kind| one_step(project, kind.instructions(&project.assembly));
    let own_step = own_instant_step(project);
    Charges {
        alarm: ticks(own.alarm, step(Kind::Alarm)),
        release: ticks(own.release, step(Kind::Release)),
        sorting: one(Kind::Sorting),
        completion: ticks(own.completion, step(Kind::Completion)),
        driver: ticks(own.driver, driver(project)),
        // Every step's bound includes the way out to another thread.
        switch: ticks(own.switch, 0),
        instant: ticks(own.instant, instant(project)),
        instant_step: own_step.unwrap_or_else(|| one(Kind::Reaction)),
        look: own_step.unwrap_or_else(|| one(Kind::Decision)),
        reaction: one(Kind::Reaction),
        decision: one(Kind::Decision),
        job: one(Kind::Job),
        call: one_step(project, longest_call(&project.assembly)).min(Duration::from_ticks(call(project))),
    }
}

/// The steps of an instant, of which the last decides who runs, in ticks.
fn instant(project: &Project) -> u64 {
    let before = instant_steps(project).saturating_sub(BARE_INSTANT_STEPS);
    let [step, look] = [Kind::Reaction, Kind::Decision].map(|kind| kind.instructions(&project.assembly));
    instructions(project, before.saturating_mul(step).saturating_add(look))
}

/// What a driver takes longer than another step of the E machine, in ticks.
fn driver(project: &Project) -> u64 {
    let [driver, any] = [Kind::Driver, Kind::Reaction].map(|kind| kind.instructions(&project.assembly));
    instructions(project, driver.saturating_sub(any))
}

/// A step of so many instructions where many are summed up: steps are counted together and rounded up then, so one alone is rounded down.
fn one_step(project: &Project, instructions: u64) -> Duration {
    let board = project.description.board;
    Nanoseconds::new(instructions.saturating_mul(1 << board.speed)).rounded_down(board.board.tick)
}

/// The same as the analysis wants it, in ticks.
pub(super) fn costs(project: &Project) -> KernelCosts {
    let charges = charges(project);
    let ticks = |duration: Duration| Ticks::new(duration.ticks());
    KernelCosts {
        release: Ticks::new(charges.release.ticks().saturating_add(steps(
            project,
            Kind::Sorting,
            project.assembly.sorting_steps(),
        ))),
        completion: ticks(charges.completion),
        switch: ticks(charges.switch),
        instant: ticks(charges.instant),
        driver: ticks(charges.driver),
        alarm: ticks(charges.alarm),
        under_way: Ticks::new(under_way(project)),
        timers: Ticks::new(timers(project)),
    }
}

/// The time of so many steps of a kind, in ticks.
pub(super) fn steps(project: &Project, kind: Kind, count: u64) -> u64 {
    instructions(project, count.saturating_mul(kind.instructions(&project.assembly)))
}

/// The time of so many instructions, in ticks.
pub(super) fn instructions(project: &Project, count: u64) -> u64 {
    let board = project.description.board;
    Nanoseconds::new(count.saturating_mul(1 << board.speed)).rounded_up(board.board.tick).ticks()
}

/// The most threads that may wait for one object together.
#[must_use]
pub fn most_waiting(assembly: &Assembly) -> u32 {
    let waits = |used: &&Use| {
        matches!(
            used,
            Use::Semaphore(_)
                | Use::Condition(_)
                | Use::Send(_)
                | Use::Receive(_)
                | Use::Call(_)
                | Use::AwaitBits(_)
        )
    };
    let used = assembly.threads.iter().flat_map(|thread| &thread.uses).filter(waits);
    let most = used.map(|used| lenders::users(assembly, *used).len()).max().unwrap_or(0);
    u32::try_from(most).unwrap_or(u32::MAX)
}

/// Bytes that the kernel copies in a step; see `State::CHUNK` there.
pub(super) const CHUNK: u32 = 64;

/// Steps of a program at an instant beside drivers and releases: two for each of the four phases (to wait for it, to be selected for
/// it), `future`, and `return`.
const PROGRAM_STEPS: u64 = 2 * 4 + 2;

/// How many of these a program doesn't take that is the only one: it is selected for its first phase, and the others begin where it comes to
/// them (the kernel's `begin_phase`).
const BEGUN_AT_ONCE: u64 = 3;

/// The last look into the queues, which decides who runs. Periodic threads are released by the alarm's own steps.
const BARE_INSTANT_STEPS: u64 = 1;

fn instant_steps(project: &Project) -> u64 {
    program_steps(project) + BARE_INSTANT_STEPS + looks(&project.assembly)
}

/// Steps of a program at an instant, with what rounds add to those of the program that they add most to.
pub(super) fn program_steps(project: &Project) -> u64 {
    let Assembly { modules, asynchronous, .. } = &project.assembly;
    if modules.is_empty() && asynchronous.is_empty() {
        return 0;
    }
    let at_once = if is_alone(project) { BEGUN_AT_ONCE } else { 0 };
    PROGRAM_STEPS - at_once
        + project.programs.iter().chain(&project.alternatives).map(of_rounds).max().unwrap_or(0)
}

/// Whether nothing but one program's next instant is ever in the queue of triggers: no other program, no thread of system code, no
/// trigger on anything but time, and nothing that has jobs in its way or enters the program behind one.
fn is_alone(project: &Project) -> bool {
    let Assembly { modules, asynchronous, objects, .. } = &project.assembly;
    let is_plain = |program: &Program| {
        program.threads == 0 && program.handler.is_none() && program.completions.is_empty()
    };
    modules.len() == 1
        && asynchronous.is_empty()
        && objects.slots.is_empty()
        && project.programs.len() == 1
        && project.programs.iter().all(is_plain)
}

/// The most steps that rounds add to an instant of a program: a question for each beat, and a look for each sensor that may have been read. An instant goes
/// through a block, and with a change of mode through the releases of another, which end with `next` as well.
fn of_rounds(program: &Program) -> u64 {
    // A sensor's look is charged as a driver.
    const LOOK: u64 = 2;
    let added = |instruction: Instruction| match instruction {
        Instruction::Beat { .. } | Instruction::Round {} => 1,
        Instruction::Call { driver } if program.read_again.contains(&driver.index()) => LOOK,
        _ => 0,
    };
    let instructions: Vec<_> = program.code.iter().filter_map(|word| Instruction::decode(*word)).collect();
    let blocks = instructions.split(|instruction| matches!(instruction, Instruction::Next { .. }));
    let mut blocks: Vec<u64> = blocks.map(|block| block.iter().copied().map(added).sum()).collect();
    blocks.sort_unstable();
    blocks.iter().rev().take(2).sum()
}

/// What the steps of one more program take at an instant at which another one has some, too, in ticks.
pub(super) fn another_program(project: &Project) -> u64 {
    let (of_all, count) = (charges(project).instant.ticks(), program_steps(project));
    match project.description.costs.instant {
        Some(_) => {
            of_all.div_ceil(instant_steps(project).max(1)).saturating_mul(program_steps(project)).min(of_all)
        }
        None => steps(project, Kind::Reaction, count).min(of_all),
    }
}

/// The time of so many steps of which any may be one of an instant, and any of those the last, in ticks: a term of the description may make
/// these longer than others.
pub(super) fn steps_of_instants(project: &Project, count: u64) -> u64 {
    let of_instants = project.description.costs.instant.map_or(0, |_| {
        let instant = charges(project).instant.ticks();
        instant.saturating_mul(count) / instant_steps(project).max(1)
    });
    let others = [Kind::Reaction, Kind::Decision].map(|kind| steps(project, kind, count));
    others.into_iter().fold(of_instants, u64::max)
}

/// What an instant takes beside the code of programs, in ticks: looks at ports, and the last look.
pub(super) fn around_code(project: &Project) -> u64 {
    let looks = looks(&project.assembly);
    match project.description.costs.instant {
        Some(_) => steps_of_instants(project, looks.saturating_add(BARE_INSTANT_STEPS)),
        None => steps(project, Kind::Reaction, looks).saturating_add(steps(
            project,
            Kind::Decision,
            BARE_INSTANT_STEPS,
        )),
    }
}

/// Steps at an instant for triggers that look at ports: one for each trigger that doesn't wait for time, and two to begin and to end.
pub(super) fn looks(assembly: &Assembly) -> u64 {
    match assembly.event_triggers() {
        0 => 0,
        count => u64::try_from(count).unwrap_or(u64::MAX).saturating_add(3),
    }
}

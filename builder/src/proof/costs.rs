//! What the kernel costs: steps of the emulated board, each with a bound in instructions, as the analysis wants them.

use beryl_abi::Duration;
use beryl_analysis::{KernelCosts, Ticks};
use beryl_kernel::Charges;
use beryl_syscode::Instruction;

use super::{after_jobs, telling, timers};
use crate::Project;
use crate::assembly::objects::State;
use crate::assembly::{Assembly, Limits, Role, Thread, Use, lenders};
use crate::code::Program;
use crate::quantity::Nanoseconds;

/// The longest that the kernel may be at work for somebody less urgent when somebody's turn comes: a call with the steps that it leaves
/// over, or the end of a job; and a switch to somebody who isn't more urgent.
fn under_way(project: &Project) -> u64 {
    let call = call(project).saturating_add(steps(project, left_over(&project.assembly)));
    let charges = charges(project);
    let end = charges.completion.ticks().saturating_add(steps(project, after_jobs(&project.assembly)));
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
    match !assembly.modules.is_empty() || assembly.threads.iter().any(begins) {
        true => steps(project, 1).saturating_sub(charges.alarm.ticks()),
        false => steps(project, 1).saturating_add(charges.instant.ticks()),
    }
}

/// The longest call, in ticks.
fn call(project: &Project) -> u64 {
    let longest = instructions(project, longest_call(&project.assembly));
    // A term of the description for instants is about a kernel of its own, with steps as long as theirs.
    let own = project.description.costs.instant.map(|own| {
        own.rounded_down(project.description.board.board.tick).ticks() / instant_steps(project).max(1)
    });
    longest.min(own.unwrap_or(u64::MAX))
}

/// What the end of a section in a lock takes beside it: the call, with the steps that it leaves over, and where the lock was lent the
/// switches to its holder and back.
pub(super) fn end_of_section(project: &Project, is_lent: bool) -> u64 {
    let switches = if is_lent { costs(project).switch.get().saturating_mul(2) } else { 0 };
    call(project).saturating_add(steps(project, left_over(&project.assembly))).saturating_add(switches)
}

/// How many steps a call leaves over at most: its caller's place goes out or that of who it wakes in, a timer is set or what was promised
/// taken, and it is decided who runs. All who wait for a condition wake one by one, and those of an event group whose bits are there: each is
/// found, wakes, and takes what it was promised; a long state message is copied piece by piece. Places of those who wait for somebody that
/// sleeps with their lock would be more; who sleeps so isn't in the proof at all.
fn left_over(assembly: &Assembly) -> u64 {
    const OF_CALLS: u64 = 3;
    const OF_A_WAKE: u64 = 3;
    let of_a_wake = OF_A_WAKE.saturating_add(assembly.sorting_steps());
    let calls = assembly.objects.count() > 0
        || assembly.threads.iter().any(|thread| matches!(thread.role, Role::Free { .. }));
    let woken =
        most_woken(assembly).saturating_mul(of_a_wake).saturating_add(assembly.sorting_steps() + OF_CALLS);
    let of_calls = if calls { woken } else { 0 };
    of_calls.max(pieces(assembly)).max(after_jobs(assembly))
}

/// How many steps a call leaves over that reads the longest state message: its pieces, and the decision.
fn pieces(assembly: &Assembly) -> u64 {
    let long = assembly.objects.slow_states().map(State::pieces).filter(|pieces| *pieces > 1);
    long.map(|pieces| u64::from(pieces).saturating_add(1)).max().unwrap_or(0)
}

/// The most threads that one call wakes, beside the one whose wake is part of the call.
fn most_woken(assembly: &Assembly) -> u64 {
    let conditions = (0..assembly.objects.conditions.len()).map(Use::Condition);
    let groups = (0..assembly.objects.event_groups.len()).map(Use::AwaitBits);
    let users = |used| lenders::users(assembly, used).len();
    let most = conditions.chain(groups).map(users).max().unwrap_or(0);
    u64::try_from(most).unwrap_or(u64::MAX)
}

/// The instructions of the longest call that may be under way when somebody's turn comes: a step of a job, or where threads share objects
/// or one reads what is told the longest that there is.
fn longest_call(assembly: &Assembly) -> u64 {
    let is_short = assembly.objects.count() == 0 && assembly.objects.trace.is_none();
    if is_short { job_step(assembly) } else { longest_step(assembly) }
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
    let steps = |count: u64| steps(project, count);
    let instant_steps = instant_steps(project);
    Charges {
        release: ticks(own.release, steps(1)),
        completion: ticks(own.completion, steps(1).saturating_add(telling::completion(project))),
        // Every step's bound includes the way out to another thread.
        switch: ticks(own.switch, 0),
        instant: ticks(own.instant, steps(instant_steps)),
        instant_steps,
        driver: ticks(own.driver, telling::driver(project)),
        alarm: ticks(own.alarm, steps(1)),
        job: one_step(project, job_step(&project.assembly)),
        call: one_step(project, longest_call(&project.assembly)).min(Duration::from_ticks(call(project))),
    }
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
        release: Ticks::new(
            charges.release.ticks().saturating_add(steps(project, project.assembly.sorting_steps())),
        ),
        completion: ticks(charges.completion),
        switch: ticks(charges.switch),
        instant: ticks(charges.instant),
        driver: ticks(charges.driver),
        alarm: ticks(charges.alarm),
        under_way: Ticks::new(under_way(project)),
        timers: Ticks::new(timers(project)),
    }
}

/// The time of so many steps that a job costs, in ticks.
pub(super) fn steps(project: &Project, count: u64) -> u64 {
    instructions(project, count.saturating_mul(job_step(&project.assembly)))
}

/// The time of so many instructions, in ticks.
pub(super) fn instructions(project: &Project, count: u64) -> u64 {
    let board = project.description.board;
    Nanoseconds::new(count.saturating_mul(1 << board.speed)).rounded_up(board.board.tick).ticks()
}

/// The instructions of the longest step that a job costs beside its own calls: releases, completions,
/// alarms, system code, decisions; with all triggers on where there is a trace buffer for what they tell, but for what [`telling`] has
/// beside. What a thread asks of the kernel is part of its own execution time.
///
/// `./x bench` derives bounds from the kernel's binary (`kernel/step`) and fails if one is more than [`longest_step`], or one
/// of an alarm and what follows it, in a system without objects, more than this. A completion enters with all other calls, so
/// its own bound isn't derived. A step takes one of three ways, each with a base and with what it may have to walk through once: through
/// trees and along lent places, to a place in a dynamic band, or past those who are raised by ceilings. The queue of an object is in the base
/// as long as few may wait there: who has waited long enough leaves it, whom it was promised to enters it, and of an event group's all are looked at. And where tasks are offered to programs
/// that arrive, with a thread's instruction in a room, and with the note of a period that is being recorded (`idle/step`).
#[must_use]
pub fn job_step(assembly: &Assembly) -> u64 {
    const BASE: u64 = 400;
    const OFFERED: u64 = 256;
    /// So many who wait for one object are in the base.
    const FEW: u32 = 4;
    let Limits { levels, locks, raised, .. } = assembly.limits();
    let through_trees = way(BASE, [(levels, 24), (locks, 20), (raised, 14)]);
    let under_ceilings = way(426, [(locks, 18), (raised, 31)]);
    let more = way(0, [(most_waiting(assembly).saturating_sub(FEW), 28)]);
    let offered = if assembly.offers().next().is_some() { OFFERED } else { 0 };
    let longest = into_a_band(assembly).max(through_trees).max(under_ceilings);
    longest + more + offered + telling::in_a_step(assembly)
}

/// A way of a step: its base, and how often it may take what costs so much each time.
fn way<const N: usize>(base: u64, grows: [(u32, u64); N]) -> u64 {
    grows.iter().fold(base, |sum, (count, slope)| sum + u64::from(*count) * slope)
}

/// The longest way to a place in a dynamic band, looks from either end: a release's, or, in a kernel with objects, that of who wakes by an
/// interrupt.
fn into_a_band(assembly: &Assembly) -> u64 {
    let is_shared = assembly.objects.count() > 0 || !assembly.objects.locks.is_empty();
    match assembly.limits().looks {
        0 => 0,
        looks => way(if is_shared { 514 } else { 450 }, [(looks, 30)]),
    }
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

/// The instructions of a system's longest kernel step, from entry to exit, with triggers as for [`job_step`]: also
/// of those that only faults, timeouts and calls about objects take, and with what is told of a job that nothing is proved of. One of
/// them may be under way when somebody's turn comes.
#[must_use]
pub fn longest_step(assembly: &Assembly) -> u64 {
    const MORE: u64 = 400;
    // A queue is walked once; the bound can't tell that a call which has walked it at once doesn't do so at length.
    const WAITER: u64 = 104;
    job_step(assembly)
        + MORE
        + telling::of_violations(assembly)
        + WAITER * u64::from(assembly.limits().waiters)
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
fn program_steps(project: &Project) -> u64 {
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
    let of_all = costs(project).instant.get();
    let steps = instant_steps(project);
    of_all.div_ceil(steps.max(1)).saturating_mul(program_steps(project)).min(of_all)
}

/// The time of so many steps of which any may be one of an instant, in ticks: a term of the description may make these longer than others.
pub(super) fn steps_of_instants(project: &Project, count: u64) -> u64 {
    let charges = charges(project);
    let of_instants = charges.instant.ticks().saturating_mul(count) / charges.instant_steps.max(1);
    steps(project, count).max(of_instants)
}

/// Steps at an instant for triggers that look at ports: one for each trigger that doesn't wait for time, and two to begin and to end.
pub(super) fn looks(assembly: &Assembly) -> u64 {
    match assembly.watches() {
        0 => 0,
        count => u64::try_from(count).unwrap_or(u64::MAX).saturating_add(3),
    }
}

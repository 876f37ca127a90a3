//! A plan as the kernel's tables: system code by blocks, one an instant of a module's period.

use std::collections::BTreeSet;

use beryl_abi::{DriverId, ProgramId, ThreadId};
use beryl_kernel::{Budget, Sizes, System};
use beryl_syscode::Instruction;

use super::plan::Plan;
use crate::host::code::{ACTUATORS, RELEASES, RETURN, call, future, phase, release};
use crate::host::draft::Draft;

/// Where a task's input, private output and visible output lie.
pub fn ports(task: usize) -> [u32; 3] {
    let base = 0x1000 + 0x100 * u32::try_from(task).unwrap();
    [base, base + 0x40, base + 0x80]
}

/// Drivers: publishers of all tasks, their inputs, then actuators, module by module.
pub fn tables<S: Sizes>(plan: &Plan) -> System<S> {
    let mut draft = Draft::<S>::new(&plan.bands);
    for task in &plan.tasks {
        let thread = draft.task(task.process, task.band, task.priority);
        draft.worst(thread, task.worst);
        if let Some(reaction) = plan.enforced[thread.index()] {
            let amount = u32::try_from(task.worst).unwrap();
            draft.budget(thread, Budget { amount, reaction, ..Budget::NONE });
        }
    }
    for free in &plan.free {
        draft.free(free.process, free.band, free.priority);
    }
    for (process, _) in (0..).zip(&plan.stops_thread_only).filter(|(_, alone)| **alone) {
        draft.stop_only_the_thread(process);
    }
    for (index, task) in plan.tasks.iter().enumerate() {
        draft.copy(id(index), ports(index)[1], ports(index)[2], task.length);
    }
    for (index, task) in plan.tasks.iter().enumerate() {
        draft.input(id(index), ports(task.source)[2], ports(index)[0], plan.tasks[task.source].length);
    }
    for (number, (_, source)) in (0..).zip(plan.modules.iter().flat_map(|module| &module.actuators)) {
        draft.copy(ThreadId::NONE, ports(*source)[2], 0x8000 + 0x40 * number, plan.tasks[*source].length);
    }
    for module in 0..plan.modules.len() {
        program(plan, &mut draft, module);
    }
    draft.finish().0
}

fn program<S: Sizes>(plan: &Plan, draft: &mut Draft<S>, module: usize) {
    let code = blocks(plan, module);
    let tasks = plan.tasks.iter().enumerate().filter(|(_, task)| task.module == module);
    let program = draft.program(&pool(plan, module), &code.instructions);
    for (index, _) in tasks.filter(|_| plan.publishes_at_completion) {
        let address = code.completions + 2 * u16::try_from(index).unwrap();
        draft.on_completion(id(index), program, address);
    }
    assert_eq!(program, ProgramId(u8::try_from(module).unwrap()));
}

struct Code {
    instructions: Vec<Instruction>,
    completions: u16,
}

/// The durations of a module: every multiple of its smallest part up to the period, and every
/// task's deadline.
fn pool(plan: &Plan, module: usize) -> Vec<u64> {
    let unit = plan.modules[module].period / 4;
    (1..=4).map(|part| part * unit).chain(plan.tasks.iter().map(|task| task.within)).collect()
}

fn blocks(plan: &Plan, module: usize) -> Code {
    let period = plan.modules[module].period;
    let unit = period / 4;
    let every = plan.tasks.iter().filter(|task| task.module == module).map(|task| task.period);
    let every: Vec<_> = every.chain(plan.modules[module].actuators.iter().map(|(every, _)| *every)).collect();
    let due = (0..4).map(|part| part * unit).filter(|at| every.iter().any(|every| at.is_multiple_of(*every)));
    let instants: BTreeSet<_> = due.chain([0]).collect();
    let instants: Vec<_> = instants.into_iter().collect();
    let mut instructions = vec![Instruction::Jump { address: 0 }];
    let mut starts = Vec::new();
    for (index, instant) in instants.iter().enumerate() {
        starts.push(here(&instructions));
        outputs(plan, module, *instant, &mut instructions);
        if index == 0 {
            instructions[0] = Instruction::Jump { address: here(&instructions) };
        }
        actuators(plan, module, *instant, &mut instructions);
        releases(plan, module, *instant, &mut instructions);
        let next = instants.get(index + 1).copied().unwrap_or(period);
        let delay = u8::try_from((next - instant) / unit - 1).unwrap();
        // the block's number for now, its address below
        instructions.push(future(delay, u16::try_from((index + 1) % instants.len()).unwrap()));
        instructions.push(RETURN);
    }
    for instruction in &mut instructions {
        if let Instruction::Future { address, .. } = instruction {
            *address = starts[usize::from(*address)];
        }
    }
    let completions = here(&instructions);
    instructions.extend((0..plan.tasks.len()).flat_map(|task| [call(driver(task)), RETURN]));
    Code { instructions, completions }
}

fn outputs(plan: &Plan, module: usize, instant: u64, code: &mut Vec<Instruction>) {
    if !plan.publishes_at_completion {
        code.extend(due(plan, module, instant).map(|task| call(driver(task))));
    }
}

fn actuators(plan: &Plan, module: usize, instant: u64, code: &mut Vec<Instruction>) {
    let before: usize = plan.modules[..module].iter().map(|module| module.actuators.len()).sum();
    let first = 2 * plan.tasks.len() + before;
    let updates = plan.modules[module].actuators.iter().zip(first..);
    let mut calls = updates
        .filter(|((every, _), _)| Plan::is_due(*every, instant))
        .map(|(_, number)| call(driver(number)))
        .peekable();
    if calls.peek().is_some() {
        code.push(phase(ACTUATORS));
    }
    code.extend(calls);
}

fn releases(plan: &Plan, module: usize, instant: u64, code: &mut Vec<Instruction>) {
    let mut tasks = due(plan, module, instant).peekable();
    if tasks.peek().is_some() {
        code.push(phase(RELEASES));
    }
    for task in tasks {
        let deadline = u8::try_from(4 + task).unwrap();
        code.extend([call(driver(plan.tasks.len() + task)), release(id(task), deadline)]);
    }
}

fn due(plan: &Plan, module: usize, instant: u64) -> impl Iterator<Item = usize> + '_ {
    let tasks = plan.tasks.iter().enumerate();
    let due = tasks.filter(move |(_, task)| task.module == module && Plan::is_due(task.period, instant));
    due.map(|(index, _)| index)
}

fn here(code: &[Instruction]) -> u16 {
    u16::try_from(code.len()).unwrap()
}

fn driver(number: usize) -> DriverId {
    DriverId(u16::try_from(number).unwrap())
}

fn id(task: usize) -> ThreadId {
    ThreadId(u8::try_from(task).unwrap())
}

//! The program of a task that something else than time releases.
//!
//! ```text
//!   wait:  when interrupt, come       or: when change(port), come
//!          return
//!   come:  phase releases
//!          call guard, branch next
//!          call read, call copy, release task
//!   next:  future separation, wait    or: when change(port), come
//!          return
//!   done:  call publish               where the task's completion enters
//!          return
//! ```
//!
//! So the program itself keeps interrupts apart: the line stays closed until the separation is over. How often the
//! task is released follows from the code, whatever the device does. A port changes no more often than the task
//! that writes it completes. A job that isn't done by the next release has missed its deadline, and is reported.
//! What is done about it is described as for any task. Outputs become visible when the job completes, so it is the
//! next inputs or the next release that find it at work. No other task can be in this program's way.

use beryl_abi::Line;
use beryl_syscode::instruction::{Instruction, phase};
use beryl_syscode::{Condition, PortId};

use super::draft::Drafts;
use super::program::Program;
use super::values::Read;
use crate::assembly::{Assembly, Asynchronous, Role, Trigger};

/// The trigger's place in the pool of conditions.
const TRIGGER: u8 = 0;

pub(super) fn program(assembly: &Assembly, row: &Asynchronous) -> Program {
    let task = match &assembly.threads[row.task].role {
        Role::Task(task) => Some(task),
        _ => None,
    };
    let deadline = task.map_or(row.separation, |task| task.due(task.logical));
    let mut code = Drafts::default();
    let [wait, come] = [code.label(), code.label()];
    code.place(wait);
    code.when(TRIGGER, come);
    code.put(Instruction::Return {});
    code.place(come);
    code.put(Instruction::Phase { phase: phase::RELEASES });
    let mut read = Read::new();
    let no = code.guard(row.guard.as_ref(), &row.inputs, &mut read);
    row.inputs.iter().for_each(|input| code.input(*input, &mut read));
    code.release(row.task, deadline);
    code.otherwise(no);
    match row.trigger {
        Trigger::Interrupt(_) => code.future(row.separation, wait),
        Trigger::Change(_) => code.when(TRIGGER, come),
    }
    code.put(Instruction::Return {});
    let reaction = task.map(|task| &task.reaction);
    let publisher = task.and_then(|task| task.publisher);
    let catch_up = reaction.and_then(|reaction| reaction.catch_up.as_ref());
    let done = code.label();
    code.place(done);
    publisher.into_iter().for_each(|publisher| code.call(publisher));
    code.make_up_for(row.task, catch_up);
    let late = reaction.and_then(|reaction| code.handler_of_one(reaction));
    let is_entered = publisher.is_some() || catch_up.is_some();
    Program {
        module: row.name.clone(),
        code: code.words(),
        start: 0,
        handler: late.map(|label| code.address(label)),
        completions: is_entered.then(|| (row.task, code.address(done))).into_iter().collect(),
        durations: code.durations,
        conditions: vec![condition(row.trigger)],
        read_again: code.read_again,
        certificate: Vec::new(),
        threads: 0,
        band: None,
        modes: Vec::new(),
    }
}

fn condition(trigger: Trigger) -> Condition {
    match trigger {
        Trigger::Interrupt(line) => Condition::Interrupt(Line(line)),
        Trigger::Change(port) => Condition::Changed(PortId(u16::try_from(port).unwrap_or(u16::MAX))),
    }
}

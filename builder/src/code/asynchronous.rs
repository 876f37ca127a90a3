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
//! So the program itself keeps the distance between interrupts: the line is closed until it is over, and how often the task is released is
//! a fact of the code, whatever the device does. A port changes no more often than the task that writes it ends. A job that isn't done
//! by the next release has missed its deadline; it is stopped and reported, as that of any task.

use beryl_abi::Line;
use beryl_syscode::instruction::{Instruction, phase};
use beryl_syscode::{Condition, PortId};

use super::Program;
use super::draft::Drafts;
use super::values::Read;
use crate::assembly::{Assembly, Asynchronous, Role, Trigger};

/// The trigger's place in the pool of conditions.
const TRIGGER: u8 = 0;

pub(super) fn program(assembly: &Assembly, row: &Asynchronous) -> Program {
    let (deadline, publisher) = match &assembly.threads[row.task].role {
        Role::Task(task) => (task.due(task.logical), task.publisher),
        _ => (row.separation, None),
    };
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
    let done = u16::try_from(code.length()).unwrap_or(u16::MAX);
    publisher.into_iter().for_each(|publisher| code.call(publisher));
    code.put(Instruction::Return {});
    Program {
        module: row.name.clone(),
        code: code.words(),
        durations: code.durations,
        start: 0,
        handler: None,
        completions: publisher.map(|_| (row.task, done)).into_iter().collect(),
        conditions: vec![condition(row.trigger)],
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

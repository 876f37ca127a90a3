//! A run of the reference machine, on which the program that arrived begins where it took over.

use beryl_abi::Duration;
use beryl_reference::Machine;
use beryl_syscode::container::Content;
use beryl_syscode::{Container, Instruction};

use super::common::jobs::Interrupt;
use super::common::ports::{self, Told};
use super::drawn::{CONDITIONS, Drawn};
use super::{PERIOD, execution};

/// The same program behind an instant that waits for the take-over.
fn later(drawn: &Drawn) -> Vec<u8> {
    let mut durations: Vec<_> = drawn.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
    durations.push(Duration::from_ticks(PERIOD));
    let delay = durations.len() as u8 - 1;
    let waits = [Instruction::Future { delay, address: 2 }, Instruction::Return {}];
    let moved = drawn.code.iter().map(|word| match Instruction::decode(*word) {
        Some(Instruction::Future { delay, address }) => {
            Instruction::Future { delay, address: address + 2 }.encode()
        }
        Some(Instruction::When { condition, address }) => {
            Instruction::When { condition, address: address + 2 }.encode()
        }
        Some(Instruction::Jump { address }) => Instruction::Jump { address: address + 2 }.encode(),
        _ => *word,
    });
    let code: Vec<_> = waits.iter().map(|instruction| instruction.encode()).chain(moved).collect();
    written(&code, &durations)
}

fn written(code: &[u32], durations: &[Duration]) -> Vec<u8> {
    let content = Content { code, durations, conditions: &CONDITIONS, ..Content::default() };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}

pub fn on_model(drawn: &Drawn, around: &Drawn, interrupts: &[Interrupt], seed: u64, until: u64) -> Told {
    let world = ports::world(interrupts, move |task, number| execution(seed, task, number));
    let durations: Vec<_> = around.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
    let bytes = [later(drawn), written(&around.code, &durations)];
    let containers: Vec<_> =
        bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    ports::told(Machine::new(&containers, world).run(until).expect("no trap"))
}

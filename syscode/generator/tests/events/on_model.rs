//! A run of the reference machine.

use beryl_abi::Duration;
use beryl_reference::Machine;
use beryl_syscode::Container;
use beryl_syscode::container::Content;

use super::common::jobs::Interrupt;
use super::common::ports::{self, Told};
use super::drawn::{CONDITIONS, Drawn};
use super::{PLACES, THREADS, execution};

pub fn on_model(drawn: &[Drawn; 2], interrupts: &[Interrupt], seed: u64, until: u64) -> Told {
    let world = ports::world(interrupts, move |task, number| execution(seed, task, number));
    let tasks = [0, 1];
    let bytes = tasks.map(|own: u8| {
        let drawn = &drawn[usize::from(own)];
        let completions: Vec<_> = drawn.makes_up.iter().map(|address| (own, *address)).collect();
        let code: Vec<_> = drawn.code.iter().map(|instruction| instruction.encode()).collect();
        let durations: Vec<_> = drawn.durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
        let content = Content {
            code: &code,
            durations: &durations,
            conditions: &CONDITIONS,
            handlers: &drawn.handlers,
            completions: &completions,
            trigger_places: PLACES,
            thread_places: if own == 0 { THREADS } else { 0 },
            ..Content::default()
        };
        let mut bytes = Vec::new();
        Container::write(&content, &mut bytes);
        bytes
    });
    let containers: Vec<_> =
        bytes.iter().map(|bytes| Container::read(bytes).expect("a fresh container")).collect();
    ports::told(Machine::new(&containers, world).run(until).expect("no trap"))
}

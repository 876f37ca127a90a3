//! The plan against a plain model: for every byte, who owns it; for every thread, what its regions let it touch.

use super::*;
use crate::board::armv7m;
use crate::quantity::Bytes;
use proptest::prelude::*;

mod limited;

const LIMITS: Limits = Limits { flash: Bytes::new(64 << 10), ram: Bytes::new(64 << 10) };

fn board() -> &'static Board {
    Board::named("mps2-an385").expect("it is known")
}

/// The kernel's share of the flash, where a test asks for no other.
const KERNEL: Bytes = Bytes::new(9000);

fn stack(thread: &str, size: u32) -> StackDemand {
    StackDemand { thread: thread.to_owned(), size: Bytes::new(size) }
}

fn helicopter() -> Demand {
    let process = |name: &str, ports, stacks: [StackDemand; 2], devices: &[&str]| ProcessDemand {
        name: name.to_owned(),
        memory: Bytes::new(53),
        ports: Bytes::new(ports),
        stacks: stacks.into(),
        devices: devices.iter().filter_map(|name| board().device(name)).copied().collect(),
        ..ProcessDemand::default()
    };
    let navigation = [stack("navigate", 1024), stack("drivers of navigation", 512)];
    let control = [stack("control", 1000), stack("drivers of control", 512)];
    Demand {
        kernel: Bytes::new(2500),
        published: Bytes::new(44),
        processes: vec![
            process("navigation", 96, navigation, &["environment"]),
            process("control", 60, control, &["environment", "uart0"]),
        ],
        ..Demand::default()
    }
}

fn linked(text: u32, data: u32, zeros: u32) -> Linked {
    Linked { text: Bytes::new(text), data: Bytes::new(data), zeros: Bytes::new(zeros) }
}

/// The helicopter's processes, as they could be linked.
fn linked_helicopter() -> [Linked; 2] {
    [linked(4397, 12, 41), linked(2298, 12, 41)]
}

/// RAM and flash of a system whose processes are linked.
fn whole(limits: Limits, demand: &Demand, linked: &[Linked]) -> Result<Plan, Failure> {
    plan(board(), limits, demand)?.with_flash(KERNEL, linked)
}

#[test]
fn the_helicopters_table() {
    let limits = Limits { flash: Bytes::new(64 << 10), ram: Bytes::new(24 << 10) };
    let plan = whole(limits, &helicopter(), &linked_helicopter()).expect("it fits");
    let recorded = include_str!("tests/helicopter.txt");
    if std::env::var_os("BERYL_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/plan/tests/helicopter.txt");
        std::fs::write(path, plan.to_string()).expect("the source can be written");
    } else {
        assert_eq!(plan.to_string(), recorded);
    }
}

#[test]
fn words_of_the_helicopters_regions() {
    let plan = plan(board(), LIMITS, &helicopter()).expect("it fits");
    let numbers: Vec<Vec<u8>> = plan
        .processes
        .iter()
        .map(|process| process.regions().map(|region| region.number).collect())
        .collect();
    assert_eq!(numbers, [vec![2, 3], vec![2, 3, 4]]);
    assert_eq!(plan.fixed_regions().map(|region| region.number), [0, 1]);
    assert!(plan.stacks.iter().all(|stack| stack.block.region.number == 6));
}

#[test]
fn nothing_needs_nothing() {
    let plan = plan(board(), LIMITS, &Demand::default()).expect("it fits");
    assert_eq!((plan.flash_used(), plan.ram_used()), (Bytes::ZERO, Bytes::ZERO));
    assert!(plan.fixed_regions().iter().all(|region| !region.enabled()));
}

#[test]
fn a_limit_is_kept_to_the_byte() {
    let helicopter = |limits| whole(limits, &helicopter(), &linked_helicopter());
    let fitting = helicopter(LIMITS).expect("it fits");
    let (flash, ram) = (fitting.flash_used(), fitting.ram_used());
    assert!(helicopter(Limits { flash, ram }).is_ok());
    let one_less = |bytes: Bytes| Bytes::new(bytes.get() - 1);
    for (memory, limits, used) in [
        (Memory::Flash, Limits { flash: one_less(flash), ram }, flash),
        (Memory::Ram, Limits { flash, ram: one_less(ram) }, ram),
    ] {
        match helicopter(limits) {
            Err(Failure::TooLittle { memory: found, needed, .. }) => {
                assert_eq!((found, needed), (memory, used.get().into()));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_no_board_has_is_refused() {
    let failure = whole(LIMITS, &helicopter(), &[linked(u32::MAX, 12, 0); 2]).expect_err("8 GB");
    let Failure::TooLittle { memory: Memory::Flash, needed, parts, .. } = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(needed, 2 * u64::from(u32::MAX) + 9000 + 2 * 12);
    assert_eq!(parts.first().map(|part| part.name.as_str()), Some("process `navigation`"));

    let mut demand = helicopter();
    for process in &mut demand.processes {
        process.ports = Bytes::new(u32::MAX);
        process.stacks[0].size = Bytes::new(u32::MAX);
    }
    demand.published = Bytes::new(u32::MAX);
    demand.kernel = Bytes::new(u32::MAX);
    assert!(matches!(plan(board(), LIMITS, &demand), Err(Failure::TooLittle { memory: Memory::Ram, .. })));
}

#[test]
fn a_process_keeps_its_own_limit() {
    let linked = [linked_helicopter()[0], linked(2298, 12, 42)];
    let failure = whole(LIMITS, &helicopter(), &linked).expect_err("54 bytes");
    assert_eq!(
        failure,
        Failure::ProcessTooLarge { process: "control".to_owned(), limit: Bytes::new(53), needed: 54 }
    );
}

/// Whatever the compiler makes of a process: every address in RAM is known before, also where initialised
/// variables are an odd number of words and fill the memory.
#[test]
fn nothing_in_ram_moves_when_processes_are_linked() {
    let mut demand = helicopter();
    demand.processes[0].memory = Bytes::new(64);
    let before = plan(board(), LIMITS, &demand).expect("it fits");
    for data in 0..=16 {
        let linked = [linked(100 * data, 4 * data, 64 - 4 * data), linked(4, 3 * data, 5)];
        let after = before.with_flash(KERNEL, &linked).expect("it fits");
        let blocks = |plan: &Plan| plan.ram_blocks().copied().collect::<Vec<_>>();
        assert_eq!(blocks(&after), blocks(&before), "{data} words of data");
        assert_eq!(
            [after.values, after.objects, after.kernel.ram],
            [before.values, before.objects, before.kernel.ram]
        );
        for (one, other) in after.processes.iter().zip(&before.processes) {
            assert_eq!((one.ports, one.states, &one.shared), (other.ports, other.states, &other.shared));
            assert_eq!((one.data.base, one.bss.limit), (other.data.base, other.bss.limit));
        }
    }
}

#[test]
fn more_devices_than_regions_are_refused() {
    let mut demand = helicopter();
    demand.processes[0].devices = vec![board().devices[0]; 4];
    let failure = plan(board(), LIMITS, &demand).expect_err("four devices");
    let process = "navigation".to_owned();
    let parts = ["device `environment`"; 4].join(", ");
    assert_eq!(failure, Failure::TooManyRegions { process, parts, count: 4, most: 3 });
}

#[test]
fn states_and_shared_regions_need_regions_too() {
    let mut demand = helicopter();
    demand.processes[1].states = Bytes::new(40);
    demand.shared = ["frame", "map"]
        .map(|name| SharedDemand { name: name.to_owned(), size: Bytes::new(100), processes: vec![1] })
        .into();
    let failure = plan(board(), LIMITS, &demand).expect_err("states, two regions, two devices");
    let parts = "its state messages, region `frame`, region `map`, device `environment`, device `uart0`";
    let expected =
        Failure::TooManyRegions { process: "control".to_owned(), parts: parts.to_owned(), count: 5, most: 3 };
    assert_eq!(failure, expected);
}

#[test]
fn more_processes_than_numbers_are_refused() {
    let demand = Demand { processes: vec![ProcessDemand::default(); 33], ..Demand::default() };
    assert_eq!(plan(board(), LIMITS, &demand), Err(Failure::TooManyProcesses { count: 33 }));
}

#[test]
fn every_device_of_every_board_has_a_region() {
    for board in BOARDS {
        for device in board.devices {
            let process = ProcessDemand { devices: vec![*device], ..ProcessDemand::default() };
            let demand = Demand { processes: vec![process], ..Demand::default() };
            let plan = plan(board, LIMITS, &demand).expect("it fits");
            let [(_, region)] = plan.processes[0].devices[..] else { panic!("{plan}") };
            assert_eq!((region.number, region.rights, region.device), (3, device.rights, true));
            assert!(
                !region.executable && board.processor.protection.covers(&region).is_ok(),
                "{}",
                device.name
            );
            assert!(!region.interval.overlaps(board.ram) && !region.interval.overlaps(board.flash));
        }
    }
}

#[test]
fn the_kernels_clock_is_not_to_be_written() {
    assert_eq!(board().device("timer0").map(|timer| timer.rights), Some(Rights::Read));
}

/// Who owns a byte of RAM or flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    Kernel,
    Text,
    Published,
    /// Messages on their way: the kernel's, too.
    Objects,
    States(usize),
    Shared(usize),
    Memory(usize),
    Stack(usize),
}

/// The owner of each byte of one memory.
struct Owners {
    base: u32,
    bytes: Vec<Owner>,
}

impl Owners {
    fn new(base: u32, limit: Bytes) -> Owners {
        Owners { base, bytes: vec![Owner::Nobody; limit.get() as usize] }
    }

    /// Gives all of an interval to an owner; nobody else may have it.
    fn give(&mut self, interval: Interval, owner: Owner) {
        self.give_of(Owner::Nobody, interval, owner);
    }

    /// Gives all of an interval to an owner, out of what another one has.
    fn give_of(&mut self, from: Owner, interval: Interval, owner: Owner) {
        for address in interval.base..interval.limit {
            let byte = &mut self.bytes[(address - self.base) as usize];
            assert_eq!(*byte, from, "{owner:?} at {address:#x}");
            *byte = owner;
        }
    }
}

/// What an image may take, and what its last region covers behind it.
fn room_for_flash(plan: &Plan) -> Bytes {
    plan.limits.flash.max(Bytes::new(plan.text.region.interval.limit - plan.board.flash.base))
}

fn owners(plan: &Plan) -> [Owners; 2] {
    let mut flash = Owners::new(plan.board.flash.base, room_for_flash(plan));
    let mut ram = Owners::new(plan.board.ram.base, plan.limits.ram);
    flash.give(plan.kernel.flash, Owner::Kernel);
    // Behind the image a region may go on: there is nothing to protect.
    flash.give(plan.text.region.interval, Owner::Text);
    ram.give(plan.kernel.ram, Owner::Kernel);
    ram.give(plan.objects, Owner::Objects);
    ram.give(plan.published.region.interval, Owner::Published);
    for (index, process) in plan.processes.iter().enumerate() {
        ram.give_of(Owner::Published, process.states.interval, Owner::States(index));
    }
    for (index, shared) in plan.shared.iter().enumerate() {
        ram.give(shared.block.region.interval, Owner::Shared(index));
    }
    for (index, process) in plan.processes.iter().enumerate() {
        ram.give(process.memory.region.interval, Owner::Memory(index));
    }
    for (index, stack) in plan.stacks.iter().enumerate() {
        ram.give(stack.block.region.interval, Owner::Stack(index));
    }
    [flash, ram]
}

/// What user mode may do with a byte, decoded from the registers' words: the highest region that holds it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    read: bool,
    write: bool,
    execute: bool,
}

const NONE: Access = Access { read: false, write: false, execute: false };

/// What the regions let user mode do with each byte of a memory, of which nothing beyond `limit` may be touched.
fn accesses(base: u32, limit: Bytes, regions: &[Region]) -> Vec<Access> {
    let mut accesses = vec![NONE; limit.get() as usize];
    for region in regions.iter().filter(|region| !region.device && region.interval.base >> 28 == base >> 28) {
        let words = armv7m::words(region).expect("every region of a plan can be encoded");
        if words.rasr & 1 == 0 {
            continue;
        }
        let size = 1_u64 << ((words.rasr >> 1 & 0x1F) + 1);
        let first = u64::from(words.rbar & !0x1F);
        assert_eq!(first % size, 0, "a region starts at a multiple of its size");
        let access = match words.rasr >> 24 & 7 {
            0b010 => Access { read: true, write: false, execute: words.rasr >> 28 & 1 == 0 },
            0b011 => Access { read: true, write: true, execute: words.rasr >> 28 & 1 == 0 },
            _ => NONE,
        };
        for subregion in (0..8_u64).filter(|index| words.rasr >> (8 + index) & 1 == 0) {
            let start = first + subregion * size / 8 - u64::from(base);
            let bytes =
                usize::try_from(start).expect("small")..usize::try_from(start + size / 8).expect("small");
            for byte in &mut accesses[bytes] {
                // Of two regions the one with the higher number decides; only what is published has such.
                assert!(*byte == NONE || region.number > 1, "two regions overlap");
                *byte = access;
            }
        }
    }
    accesses
}

/// What a thread of `process` with stack number `stack` may do with a byte of this owner.
fn allowed(owner: Owner, process: usize, stack: usize, demand: &Demand) -> Access {
    match owner {
        Owner::Text => Access { read: true, write: false, execute: true },
        Owner::Published => Access { read: true, write: false, execute: false },
        Owner::States(own) => Access { read: true, write: own == process, execute: false },
        Owner::Shared(index) if demand.shared[index].processes.contains(&process) => {
            Access { read: true, write: true, execute: false }
        }
        Owner::Memory(own) if own == process => Access { read: true, write: true, execute: false },
        Owner::Stack(own) if own == stack => Access { read: true, write: true, execute: false },
        _ => NONE,
    }
}

fn check_protection(plan: &Plan, demand: &Demand) {
    let owners = owners(plan);
    for (index, stack) in plan.stacks.iter().enumerate() {
        let process = stack.process.index();
        let regions = plan.fixed_regions().into_iter().chain(plan.processes[process].regions());
        let regions: Vec<_> = regions.chain([stack.block.region]).collect();
        for (memory, limit) in owners.iter().zip([room_for_flash(plan), plan.limits.ram]) {
            let accesses = accesses(memory.base, limit, &regions);
            let wrong = accesses
                .iter()
                .zip(&memory.bytes)
                .position(|(access, owner)| *access != allowed(*owner, process, index, demand));
            assert_eq!(wrong, None, "{} at this offset from {:#x}", stack.thread, memory.base);
        }
    }
}

/// Below a stack, its thread may write nothing at all.
fn check_stacks_meet_nothing(plan: &Plan) {
    for stack in &plan.stacks {
        let process = &plan.processes[stack.process.index()];
        for region in process.regions().filter(|region| region.enabled() && !region.device) {
            let below = region.interval.base < stack.block.region.interval.base;
            assert!(!below, "{} would overflow into what its process may write", stack.thread);
        }
        assert!(stack.block.region.interval.length() >= stack.block.used);
        assert!(stack.block.region.interval.limit.is_multiple_of(8), "stacks are aligned");
    }
}

fn check_parts(plan: &Plan, demand: &Demand, linked: &[Linked]) {
    let mut next = plan.text.region.interval.base;
    for ((process, demand), linked) in plan.processes.iter().zip(&demand.processes).zip(linked) {
        let sizes = [process.text, process.load, process.ports].map(Interval::length);
        let asked = [linked.text, linked.data, demand.ports];
        assert_eq!(sizes, asked.map(|size| Bytes::new(size.get().next_multiple_of(8))));
        assert_eq!(process.data.length(), linked.data);
        assert!(process.bss.length() >= linked.zeros);
        assert_eq!([process.text.base, process.load.base], [next, process.text.limit]);
        next = process.load.limit;
        assert!(plan.text.region.interval.contains(process.load));
        let memory = process.memory.region.interval;
        assert_eq!(process.ports.base, memory.base);
        assert_eq!([process.ports.limit, process.data.limit], [process.data.base, process.bss.base]);
        assert!(process.bss.limit <= memory.limit);
        assert_eq!(process.memory.used.get(), process.bss.limit - memory.base);
    }
    assert_eq!(plan.text.used.get(), next - plan.text.region.interval.base);
    for (process, demand) in plan.processes.iter().zip(&demand.processes) {
        let states = process.states.interval;
        assert!(states.length() >= demand.states && plan.published.region.interval.contains(states));
    }
    assert!(plan.values.length() >= demand.published);
    assert!(plan.published.region.interval.contains(plan.values));
    assert!(plan.processes.iter().all(|process| !process.states.interval.overlaps(plan.values)));
    for (shared, demand) in plan.shared.iter().zip(&demand.shared) {
        assert!(shared.block.region.interval.length() >= demand.size, "{}", shared.name);
    }
    let kernel =
        [(plan.kernel.flash, KERNEL), (plan.kernel.ram, demand.kernel), (plan.objects, demand.objects)];
    assert!(kernel.iter().all(|(share, asked)| share.length() >= *asked), "{kernel:?}");
}

/// Every byte in use is accounted for: asked for, padding of a region, or a gap.
fn check_padding(plan: &Plan) {
    let blocks: Vec<_> = plan.ram_blocks().collect();
    let asked: u32 = blocks.iter().map(|block| block.used.get()).sum();
    let padding: u32 = blocks.iter().map(|block| block.padding().get()).sum();
    let gaps: u32 = plan.gaps().iter().map(|gap| gap.length().get()).sum();
    let kernel = plan.kernel.ram.length().get() + plan.objects.length().get();
    assert_eq!(plan.ram_used().get(), kernel + asked + padding + gaps);
    for block in blocks.iter().filter(|block| block.region.number != PUBLISHED_REGION).chain([&&plan.text]) {
        let length = block.region.interval.length().get();
        assert!(block.padding().get() <= 31.max(length / 2), "{block:?} is mostly padding");
    }
    let [_, ram] = owners(plan);
    let used = ram.bytes.iter().rposition(|owner| *owner != Owner::Nobody).map_or(0, |last| last + 1);
    assert_eq!(plan.ram_used().get() as usize, used);
}

fn bytes(most: u32) -> impl Strategy<Value = Bytes> {
    prop_oneof![1 => Just(0), 4 => 0..=most].prop_map(Bytes::new)
}

prop_compose! {
    fn process()(
        memory in bytes(2800), ports in bytes(400),
        sizes in prop::collection::vec(128_u32..2500, 1..4), devices in 0_usize..=3,
    ) -> ProcessDemand {
        let stacks = sizes.into_iter().enumerate().map(|(index, size)| stack(&format!("t{index}"), size)).collect();
        let devices = board().devices.iter().take(devices).copied().collect();
        let name = "p".to_owned();
        ProcessDemand { name, memory, ports, stacks, devices, ..ProcessDemand::default() }
    }
}

prop_compose! {
    fn demand()(
        ram in 100_u32..8000, published in bytes(700), objects in bytes(500),
        processes in prop::collection::vec(process(), 1..4), states in prop::collection::vec(bytes(900), 3),
        sizes in prop::collection::vec(bytes(2000), 0..2), users in 0_usize..8,
    ) -> Demand {
        let mut processes = processes;
        // At most three regions beside a process's memory.
        for (process, states) in processes.iter_mut().zip(states) {
            process.states = states;
            process.devices.truncate(1);
        }
        let shared = sizes.into_iter().map(|size| SharedDemand {
            name: "shared".to_owned(),
            size,
            processes: (0..processes.len()).filter(|process| users >> process & 1 == 1).collect(),
        });
        Demand { kernel: Bytes::new(ram), published, objects, shared: shared.collect(), processes }
    }
}

prop_compose! {
    /// Text and initialised variables of three processes.
    fn sizes()(
        sizes in prop::collection::vec((0_u32..4500, bytes(2800)), 3),
    ) -> Vec<Linked> {
        sizes.into_iter().map(|(text, data)| linked(text, data.get(), 0)).collect()
    }
}

/// As much of the variables as the processes' memory holds; the rest of that is zero at the start.
fn within(demand: &Demand, sizes: Vec<Linked>) -> Vec<Linked> {
    let processes = demand.processes.iter().zip(sizes);
    processes
        .map(|(process, Linked { text, data, .. })| {
            let data = data.min(process.memory);
            Linked { text, data, zeros: Bytes::new(process.memory.get() - data.get()) }
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn plans_keep_processes_apart(demand in demand(), linked in sizes()) {
        let linked = within(&demand, linked);
        let plan = whole(LIMITS, &demand, &linked).expect("the limits are wide enough");
        check_protection(&plan, &demand);
        check_stacks_meet_nothing(&plan);
        check_parts(&plan, &demand, &linked);
        check_padding(&plan);
    }

    #[test]
    fn tight_limits_are_kept(demand in demand(), linked in sizes(), flash in 0_u32..30_000, ram in 0_u32..30_000) {
        let limits = Limits { flash: Bytes::new(flash), ram: Bytes::new(ram) };
        match whole(limits, &demand, &within(&demand, linked)) {
            Ok(plan) => check_protection(&plan, &demand),
            Err(Failure::TooLittle { limit, needed, parts, .. }) => {
                prop_assert!(needed > u64::from(limit.get()));
                prop_assert!(needed >= parts.iter().map(|part| part.size).sum());
            }
            Err(other) => panic!("{other}"),
        }
    }
}

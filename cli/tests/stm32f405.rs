//! The board stm32f405: a chip that one can buy, with real flash, little memory, and timers of its own. A system runs there
//! unchanged, with the same actuator writes to the bit.

mod common;

use beryl_trace::decode;

use common::forbidden::{Misdeed, told};
use common::{application, beryl, change, flight, left, left_text, lock, root, threads};

const BOARD: &str = "stm32f405";

/// Bytes of trace records that wait in the board's memory at most (`kernel/boards/stm32f405/src/map.rs`).
const WAITING: usize = 0x2000;

/// The helicopter writes what it writes in a simulation for the board that it names. Its trace is longer than what the board
/// keeps of it, and whole.
#[test]
fn a_system_runs_unchanged_on_a_chip_that_one_can_buy() {
    let _lock = lock("flight_on_stm32f405");
    let system = flight("flight_on_stm32f405").display().to_string();
    let said = beryl(&["run", &system, "--board", BOARD, "--for", "1s"]).ended(0);
    let last = "flight_on_stm32f405: 50 actuator writes, identical on sim and stm32f405; 0 deadline misses";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    beryl(&["sim", &system, "--for", "1s"]).ended(0);
    assert_eq!(
        left_text("flight_on_stm32f405", "stm32f405.recording"),
        left_text("flight_on_stm32f405", "sim.recording")
    );
    let trace = left("flight_on_stm32f405", "stm32f405.trace");
    assert!(trace.len() > 2 * WAITING, "{} bytes", trace.len());
    decode(&trace).expect("a whole trace");
}

const NOT_ITS_OWN: &str = "access to memory that isn't its own";
const SYSTEM: &str = "access to a register of the kernel's";

/// Threads that do one forbidden thing each, and what the kernel makes of it.
const MISDEEDS: [Misdeed; 12] = [
    ("write_kernel", "store(0x2000_0000)", "access to memory that isn't its own at address 0x20000000"),
    ("write_flash", "store(0x0800_0000)", "access to memory that isn't its own at address 0x08000000"),
    ("read_kernel", "load(0x0800_0000)", "access to memory that isn't its own at address 0x08000000"),
    // The same flash where the processor begins.
    ("read_kernels_alias", "load(4)", "access to memory that isn't its own at address 0x00000004"),
    ("write_neighbour", "store((&raw const __beryl_memory_steady).addr())", NOT_ITS_OWN),
    ("write_text", "store(write_text as *const () as usize & !3)", NOT_ITS_OWN),
    ("write_clock", "store(0x4000_0c24)", "access to memory that isn't its own at address 0x40000c24"),
    ("write_alarm", "store(0x4000_002c)", "access to memory that isn't its own at address 0x4000002c"),
    ("stop_clocks", "store(0x4002_3800)", "access to memory that isn't its own at address 0x40023800"),
    // A bit of the alarm's as a word of its own.
    ("write_alarms_bit", "store(0x4200_0000)", "access to memory that isn't its own at address 0x42000000"),
    ("mask_lines", "store(0xe000_e180)", SYSTEM),
    ("unprotect", "store(0xe000_ed94)", SYSTEM),
];

#[test]
fn user_mode_is_refused_what_isnt_its_own() {
    let _lock = lock("forbidden_on_stm32f405");
    let (faults, said) = told("forbidden_on_stm32f405", BOARD, &MISDEEDS, "");
    assert_eq!(faults.len(), MISDEEDS.len(), "{said}");
    for ((thread, fault), (name, _, expected)) in faults.iter().zip(MISDEEDS) {
        assert!(thread == name && fault.starts_with(expected), "{name}: {thread}: {fault}, not {expected}");
    }
    assert!(said.contains(&format!("; 0 deadline misses; {} faults", MISDEEDS.len())), "{said}");
}

/// A server of the bus and the converter, one that has a line and pulses, and a client of the first, which has no device.
const SERVED: &str = r#"[process.servers]
memory = "64"
devices = ["spi1", "converter"]

[process.makers]
memory = "64"
devices = ["uart2", "timer3", "port_a"]

[thread.client]
process = "one"
band = "priorities"
priority = 4
entry = "client"
stack = "512"
uses = ["devices.call"]

[thread.server]
process = "servers"
band = "priorities"
priority = 8
entry = "server"
stack = "512"
uses = ["devices.serve"]

[thread.maker]
process = "makers"
band = "priorities"
priority = 2
entry = "maker"
stack = "512"

[endpoint.devices]
request = "int"
reply = "int"
"#;

const SERVED_CODE: &str = r#"//! Device servers, and a client.
#![no_std]

use beryl_user::endpoint::{Client, Server};
use beryl_user::{call, println};

/// Asks for what the bus answers, and for two voltages.
pub fn client(mut devices: Client<i32, i32>) -> ! {
    for request in [1, 0x100, 0x101] {
        match devices.call(&request) {
            Ok(-1) => println!("{request:#x}: silent"),
            Ok(reply) => println!("{request:#x}: {reply:#x}"),
            Err(_) => println!("{request:#x}: refused"),
        }
    }
    call::stop()
}

/// A byte for the bus, or an input of the converter from 0x100 on.
#[cfg(target_os = "none")]
pub fn server(mut devices: Server<i32, i32>) -> ! {
    use beryl_stm32f4::{converter::Converter, device, spi::Bus};
    let bus = Bus::start(device::spi1(), 3);
    let converter = Converter::start(device::converter());
    devices.serve(|request| {
        let reply = match request {
            byte @ 0..0x100 => bus.exchange(byte as u8).map(i32::from),
            input => converter.convert(input as u8).map(i32::from),
        };
        reply.unwrap_or(-1)
    })
}

/// As fast as a line is, and a servo's middle.
#[cfg(target_os = "none")]
pub fn maker() -> ! {
    use beryl_stm32f4::pins::{Pin, Pins};
    use beryl_stm32f4::{device, pulses::{Channel, Pulses}, serial::Line};
    let pins = Pins::new(device::port_a());
    if let (Some(pulse), Some(line)) = (Pin::new(6), Pin::new(2)) {
        pins.device(pulse, 2);
        pins.device(line, 7);
    }
    Pulses::start(device::timer3(), 80, 20_000).width(Channel::One, 1_500);
    let line = Line::start(device::uart2(), 347);
    for byte in *b"pulses" {
        if line.send(byte).is_err() {
            panic!();
        }
    }
    call::stop()
}

#[cfg(not(target_os = "none"))]
pub fn server(mut devices: Server<i32, i32>) -> ! {
    devices.serve(|_| 0)
}

#[cfg(not(target_os = "none"))]
pub fn maker() -> ! {
    call::stop()
}
"#;

/// In the emulator nobody is at the bus, so it answers zero, and the converter never says that it is done, which its server tells its
/// client. So what is seen here is that servers in user mode reach their devices, and go on; what they do to each register is
/// seen beside models of these (`user/stm32f4`).
#[test]
fn device_servers_reach_their_devices_in_user_mode() {
    let name = "served_on_stm32f405";
    let _lock = lock(name);
    let system = threads(name, "app", SERVED);
    change(&system.join("beryl.toml"), "[process.one]\n", "[process.one]\ndevices = [\"uart0\"]\n");
    change(&system.join("beryl.toml"), "name = \"mps2-an385\"", "name = \"stm32f405\"");
    application(&system, name, SERVED_CODE);
    let library = root().join("user/stm32f4");
    change(
        &system.join("app/Cargo.toml"),
        "[dependencies]\n",
        &format!("[dependencies]\nberyl-stm32f4 = {{ path = {library:?} }}\n"),
    );
    let said = beryl(&["run", &system.display().to_string(), "--for", "50ms", "--unchecked"]).ended(0);
    let printed: Vec<_> = said.lines().filter(|line| line.starts_with("  0x")).collect();
    assert_eq!(printed, ["  0x1: 0x0", "  0x100: silent", "  0x101: silent"], "{said}");
    assert!(said.contains("; 0 deadline misses"), "{said}");
    assert!(!said.contains("faults"), "{said}");
}

const DONE: &str = r#"[thread.done]
process = "one"
band = "priorities"
priority = 4
entry = "done"
stack = "512"
"#;

const DONE_CODE: &str = r#"//! Nothing to do.
#![no_std]

/// Nothing.
pub fn done() -> ! {
    beryl_user::call::stop()
}
"#;

/// Behind 2^31 ticks two of the alarm's instants lie so close together that it is set a tick ahead, which is less than an
/// instruction here: it has to go off although it is due before anything else can be written to the timer.
#[test]
fn an_alarm_that_is_due_at_once_goes_off() {
    let name = "idle_on_stm32f405";
    let _lock = lock(name);
    let system = threads(name, "app", DONE);
    change(&system.join("beryl.toml"), "name = \"mps2-an385\"", "name = \"stm32f405\"\nspeed = 10");
    application(&system, name, DONE_CODE);
    let said = beryl(&["run", &system.display().to_string(), "--for", "108s", "--unchecked"]).ended(0);
    assert!(said.contains("; 0 deadline misses"), "{said}");
}

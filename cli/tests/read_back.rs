//! What is read back from linked programs for RISC-V: each instruction as another tool reads it, and stacks that the
//! emulator finds as deep as was computed, and no deeper.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::process::Command;

use beryl_builder::Project;
use beryl_builder::board::Board;
use beryl_builder::board::code::effect::{Effect, Operation, Source, Transfer};
use beryl_builder::board::code::instruction::{Flow, Instruction};
use beryl_builder::board::code::{Image, Processor, image};
use beryl_builder::emulator::log;
use beryl_builder::parsed::Variant;

use common::{application, beryl, flight, folder, lock, threads};

mod common;

/// The board whose processor it is.
const BOARD: &str = "virt";
/// Who reads it otherwise.
const READER: &str = "riscv64-unknown-elf-objdump";

/// What is compared of an instruction.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    length: u32,
    flow: Flow,
    /// The register that it sets.
    sets: Option<u8>,
    /// The register and the distance of what it loads or stores, and whether it stores.
    memory: Option<(u8, i32, bool)>,
    /// The number that it adds to a register, or sets one to.
    number: Option<i32>,
}

#[test]
fn each_instruction_is_read_as_another_tool_reads_it() {
    let name = "read_back";
    let _lock = lock(name);
    let system = flight(name).display().to_string();
    beryl(&["build", &system, "--board", BOARD]).ended(0);
    for program in ["kernel", "navigation", "control"] {
        let path = folder().join("build").join(name).join(format!("{program}.elf"));
        let elf = fs::read(&path).expect("a linked program");
        let file = image::parse(&elf).expect("for a processor that is read");
        let image = Image::new(&file).expect("symbols");
        let options = ["-d", "-z", "-j", ".text", "-M", "no-aliases,numeric"];
        let output = Command::new(READER).args(options).arg(&path).output().expect("binutils for RISC-V");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut compared = 0;
        for (address, length, words) in text.lines().filter_map(instruction_of) {
            // What the other tool takes for data: instructions of extensions that the file doesn't name.
            if words[0].starts_with('.') {
                continue;
            }
            let code = image.code(address).expect("code");
            let ours = image.decode(code, address).unwrap_or_else(|reason| panic!("{words:?}: {reason}"));
            assert_eq!(seen(&ours), said(address, length, &words), "{program} at {address:#x}: {words:?}");
            compared += 1;
        }
        assert!(compared > 500, "{program}: {compared}");
    }
}

/// All instructions of two bytes, whether a compiler makes them or not.
#[test]
fn each_half_word_is_read_as_another_tool_reads_it() {
    // Those of four bytes end in ones, and what begins with this isn't of these processors.
    let halves: Vec<u16> = (0..=u16::MAX).filter(|half| half & 3 != 3).collect();
    let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    let path = folder().join("halves.bin");
    fs::write(&path, &bytes).expect("written");
    let options = ["-D", "-z", "-b", "binary", "-m", "riscv:rv32", "-M", "no-aliases,numeric"];
    let output = Command::new(READER).args(options).arg(&path).output().expect("binutils for RISC-V");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut compared = 0;
    for (address, length, words) in text.lines().filter_map(instruction_of) {
        let code = usize::try_from(address).ok().and_then(|place| bytes.get(place..)).expect("a half-word");
        let ours = Processor::Riscv.decode(code, address);
        let is_others = words[0].starts_with("c.f") || words[0].starts_with('.');
        match ours {
            // Those that set nothing are hints, which are none of ours to refuse.
            _ if is_others => {}
            Ok(ours) if words.len() > 1 && words[1] == "x0" && ours.flow == Flow::On => {}
            Ok(ours) => {
                assert_eq!(seen(&ours), said(address, length, &words), "{words:?}");
                compared += 1;
            }
            // It shows shifts by 32 bits and more, which only processors of 64 have.
            Err(_) if words[0].starts_with("c.s") && words[words.len() - 1].len() == 4 => {}
            // And a frame of nothing, which is reserved.
            Err(_) if words[0] == "c.addi16sp" && words[2] == "0" => {}
            Err(reason) => panic!("{words:?}: {reason}"),
        }
    }
    assert!(compared > 28_000, "{compared}");
}

/// Address, length and words of a line `80000010:\t03428293\taddi\tx5,x5,52 # a remark`.
fn instruction_of(line: &str) -> Option<(u32, u32, Vec<String>)> {
    let (address, rest) = line.split_once(":\t")?;
    let (bytes, text) = rest.split_once('\t')?;
    let address = u32::from_str_radix(address.trim(), 16).ok()?;
    let length = u32::try_from(bytes.trim().len() / 2).ok()?;
    let text = text.split(" #").next()?.split(" <").next()?;
    let words = text.split(['\t', ',', '(', ')', ' ']).filter(|word| !word.is_empty());
    Some((address, length, words.map(str::to_owned).collect()))
}

/// What the other tool says.
fn said(address: u32, length: u32, words: &[String]) -> Seen {
    let name = words[0].strip_prefix("c.").unwrap_or(&words[0]);
    let register = |place: usize| words[place].strip_prefix('x').and_then(|number| number.parse::<u8>().ok());
    let number = |place: usize| {
        let word = &words[place];
        let hexadecimal = word.strip_prefix("0x").map(|digits| i32::from_str_radix(digits, 16));
        hexadecimal.unwrap_or_else(|| word.parse()).unwrap_or_else(|_| panic!("{words:?}"))
    };
    let target = |place: usize| {
        // It shows those below zero with 64 bits.
        let address = u64::from_str_radix(words[place].trim_start_matches("0x"), 16).expect("an address");
        u32::try_from(address & 0xffff_ffff).expect("32 bits")
    };
    let real = |register: Option<u8>| register.filter(|register| *register != 0);
    let jump = |to: u32| if to == address { Flow::Halt } else { Flow::Jump(to) };
    let through = |to: u8, from: u8, distance: i32| match (to, from, distance) {
        (0, 1 | 5, 0) => Flow::Return,
        (0, ..) => Flow::JumpRegister,
        _ => Flow::CallRegister,
    };
    let nothing = Seen { length, flow: Flow::On, sets: None, memory: None, number: None };
    match name {
        "j" => Seen { flow: jump(target(1)), ..nothing },
        "jal" if words.len() == 2 => Seen { flow: Flow::Call(target(1)), ..nothing },
        "jal" if register(1) == Some(0) => Seen { flow: jump(target(2)), ..nothing },
        "jal" => Seen { flow: Flow::Call(target(2)), ..nothing },
        "jr" => Seen { flow: through(0, register(1).expect("a register"), 0), ..nothing },
        "jalr" if words.len() == 2 => Seen { flow: Flow::CallRegister, ..nothing },
        "jalr" => {
            let [to, from] = [1, 3].map(|place| register(place).expect("a register"));
            Seen { flow: through(to, from, number(2)), ..nothing }
        }
        "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" => Seen { flow: Flow::Jump(target(3)), ..nothing },
        "beqz" | "bnez" => Seen { flow: Flow::Jump(target(2)), ..nothing },
        "ebreak" | "unimp" => Seen { flow: Flow::Halt, ..nothing },
        "mret" => Seen { flow: Flow::Return, ..nothing },
        "lb" | "lh" | "lw" | "lbu" | "lhu" | "lwsp" => Seen {
            sets: real(register(1)),
            memory: register(3).map(|base| (base, number(2), false)),
            ..nothing
        },
        "sb" | "sh" | "sw" | "swsp" => {
            Seen { memory: register(3).map(|base| (base, number(2), true)), ..nothing }
        }
        "lr.w" => {
            Seen { sets: real(register(1)), memory: register(2).map(|base| (base, 0, false)), ..nothing }
        }
        "lui" => Seen { sets: real(register(1)), number: Some(number(2) << 12), ..nothing },
        "auipc" => {
            let number = Some(address.cast_signed().wrapping_add(number(2) << 12));
            Seen { sets: real(register(1)), number, ..nothing }
        }
        "addi" | "li" | "addi4spn" | "addi16sp" => {
            let by = number(words.len() - 1);
            let is_move = by == 0 && name != "li" && register(2) != Some(0);
            let number = Some(by).filter(|_| !is_move && register(1) != Some(0));
            Seen { sets: real(register(1)), number, ..nothing }
        }
        "ecall" | "fence" | "fence.i" | "wfi" | "nop" => nothing,
        _ => Seen { sets: real(register(1)), ..nothing },
    }
}

/// The same of our own.
fn seen(instruction: &Instruction) -> Seen {
    let effect = &instruction.effect;
    let memory = match effect {
        Effect::Transfer(Transfer { base, registers, is_load, .. }) => {
            Some((*base, registers[0].1, !is_load))
        }
        _ => None,
    };
    let number = match effect {
        Effect::Move { from: Source::Number(number), .. } => Some(number.cast_signed()),
        Effect::Compute { operation, second: Source::Number(number), .. } if *operation == Operation::Add => {
            Some(number.cast_signed())
        }
        _ => None,
    };
    let written: Vec<u8> = (1..32).filter(|register| effect.writes() >> register & 1 == 1).collect();
    // A call of the kernel is one of a function.
    let sets = if let [one] = written[..] { Some(one) } else { None };
    Seen { length: instruction.length, flow: instruction.flow.clone(), sets, memory, number }
}

/// Threads whose jobs go all ways through their code, some deep: by calls, by a table of jumps, and with more room at
/// once than an instruction has bits for.
const DEEP: &str = r"#![no_std]
use core::hint::black_box;
use beryl_user::period::Period;

#[inline(never)]
fn room<const WORDS: usize>(seed: u32) -> u32 {
    black_box(&mut [seed; WORDS])[0]
}

#[inline(never)]
fn deeper<const WORDS: usize>(seed: u32) -> u32 {
    let mut words = [seed; WORDS];
    black_box(&mut words)[0] ^ room::<20>(words[1]) ^ words[2]
}

#[inline(never)]
fn one_of(choice: u32) -> u32 {
    match choice & 7 {
        0 => room::<4>(choice) ^ 3,
        1 => deeper::<9>(choice) ^ 5,
        2 => room::<33>(choice) ^ 9,
        3 => deeper::<70>(choice) ^ 1,
        4 => choice ^ 77,
        5 => room::<6>(choice) ^ 11,
        6 => deeper::<5>(choice) ^ 21,
        _ => room::<7>(choice) ^ 8,
    }
}

pub fn calls(mut period: Period) -> ! {
    loop {
        period.wait();
        black_box(deeper::<50>(7));
    }
}

pub fn chooses(mut period: Period) -> ! {
    loop {
        period.wait();
        for choice in 0..8 {
            black_box(one_of(black_box(choice)));
        }
    }
}

pub fn wide(mut period: Period) -> ! {
    loop {
        period.wait();
        black_box(deeper::<1000>(7));
    }
}
";
/// Their names and stacks.
const THREADS: [(&str, u32); 3] = [("calls", 1024), ("chooses", 1024), ("wide", 8192)];

#[test]
fn stacks_get_as_deep_as_computed_and_no_deeper() {
    let name = "deep_on_virt";
    let _lock = lock(name);
    let mut text = String::new();
    for (priority, (thread, stack)) in (1..).zip(THREADS) {
        text += &format!(
            "[thread.{thread}]\nprocess = \"one\"\nband = \"priorities\"\npriority = {priority}\nentry = \"{thread}\"\n\
             period = \"10ms\"\nworst = \"2ms\"\nstack = \"{stack}\"\n\n"
        );
    }
    let system = threads(name, "app", &text);
    application(&system, name, DEEP);
    let path = system.display().to_string();
    beryl(&["run", &path, "--board", BOARD, "--for", "25ms"]).ended(0);
    let built = beryl(&["build", &path, "--board", BOARD]).ended(0);
    let variant = Variant { board: Board::named(BOARD), ..Variant::default() };
    let project = Project::load(&system, variant).expect("it is right");
    let pointers = pointers(name, &project);
    let mut compared = Vec::new();
    for (thread, stack) in project.assembly.threads.iter().zip(&project.places.stacks) {
        let end = stack.address + stack.length;
        let lowest = pointers.range(stack.address..=end).next().expect("each has run");
        let (used, needed) = (end - lowest, needed(&built, &thread.name));
        assert_eq!(used, needed, "{}: used, and computed", thread.name);
        compared.push(thread.name.as_str());
    }
    compared.sort_unstable();
    assert_eq!(compared, ["calls", "chooses", "idle", "wide"]);
}

/// Bytes that a thread needs, by the build.
fn needed(said: &str, thread: &str) -> u32 {
    let mut lines = said.lines().map(str::trim).skip_while(|line| *line != "Stacks").skip(1);
    let start = format!("{thread} ");
    let line = lines.find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{thread}: {said}"));
    let number = line.split_once("bytes,").and_then(|(_, need)| need.trim().split(' ').next()?.parse().ok());
    number.unwrap_or_else(|| panic!("{line}"))
}

/// What the stack pointer was in user code, by a run of what was built.
fn pointers(name: &str, project: &Project) -> BTreeSet<u32> {
    const LOG: &str = "pointers.txt";
    let board = project.plan.board;
    let out = folder().join("out").join(name).join(BOARD);
    let image = folder().join("build").join(name).join("image.bin");
    let window = board.device(board.environment).expect("a window").interval.base;
    let text = built_text(name);
    let speed = project.description.board.speed;
    let status = Command::new(board.processor.emulator[0])
        .current_dir(&out)
        .args(board.emulated)
        .args(["-display", "none", "-monitor", "none", "-serial", "null"])
        .args(["-icount", &format!("shift={speed},sleep=off,align=off")])
        .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(image)
        .args(["-device", &format!("loader,file=window.bin,addr={window:#x},force-raw=on")])
        .args(["-singlestep", "-d", "exec,cpu,nochain", "-D", LOG])
        .args(["-dfilter", &format!("{:#x}..{:#x}", text.start, text.end)])
        .status()
        .expect("the emulator");
    assert!(status.success(), "{status}");
    let log = fs::read_to_string(out.join(LOG)).expect("its log");
    let (mut is_user, mut pointers) = (false, BTreeSet::new());
    for line in log.lines() {
        // The filter takes whole pieces of code, of which some begin before.
        is_user = log::address(line).map_or(is_user, |address| text.contains(&address));
        let word = line.split_once("x2/sp").and_then(|(_, rest)| rest.split_whitespace().next());
        let pointer = word.and_then(|word| u32::from_str_radix(word, 16).ok());
        pointers.extend(pointer.filter(|_| is_user));
    }
    pointers
}

/// Where the code of its process is.
fn built_text(name: &str) -> Range<u32> {
    let elf = fs::read(folder().join("build").join(name).join("one.elf")).expect("a linked program");
    let file = image::parse(&elf).expect("for a processor that is read");
    let code = Image::new(&file).expect("symbols");
    let mut places = code.half_words().map(|(address, _)| address);
    let first = places.next().expect("code");
    first..places.last().expect("more of it")
}

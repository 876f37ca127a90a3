//! The helicopter gets another program in flight: in the simulator, on the emulated board, over a serial line; and is
//! told why where it gets none.

use std::fs;
use std::path::Path;

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_syscode::Instruction;
use beryl_trace::{Happening, Names, Recording, Sample, decode};
use common::places::{millisecond, places};
use common::{assert_recorded, beryl, example, folder, left, left_text, lock};

mod common;

/// What the files of a swap are called.
const SWAPPED: &str = "swap.sim";

/// What a machine's last run left: when programs took over, in ticks, and what was recorded.
fn run_of(machine: &str) -> (Vec<u64>, Recording) {
    let names = Names::parse(&left_text("landing", "names.json")).expect("names");
    let events = decode(&left("landing", &format!("{machine}.trace"))).expect("a whole trace");
    let swap = |event: &beryl_trace::Event| match event.happening {
        Happening::Swap { instant, .. } => Some(instant.ticks()),
        _ => None,
    };
    (events.iter().filter_map(swap).collect(), Recording::of(&events, &names))
}

/// What is told of a swap and of the way back, without the instants; how many steps a check takes is the kernel's.
const TOLD: [&str; 10] = [
    "a loader answers; room for 1024 bytes, no order yet",
    "swap 1: receiving",
    "swap 1: waiting for its instant",
    "swap 1: accepted, waiting for the end of a period",
    "swap: it runs",
    "back 2: waiting for its instant",
    "back 2: being checked",
    "back: it runs",
    "another program took over",
    "another program took over",
];

/// The lines under the link's title, without their instants.
fn told(said: &str) -> Vec<&str> {
    let lines = said.lines().skip_while(|line| !line.starts_with("Link, ")).skip(1);
    let lines = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_once(" s: "));
    lines.map(|(_, line)| line.split(", after").next().unwrap_or(line)).collect()
}

/// Ticks of 40 ns in a millisecond.
const MILLISECOND: u64 = 25_000;

fn before(milliseconds: u64, recording: &Recording) -> Vec<&Sample> {
    recording.actuators.iter().filter(|row| row.instant.nanoseconds() < milliseconds * 1_000_000).collect()
}

#[test]
fn the_helicopter_lands_in_flight_and_goes_back_to_hover() {
    let _lock = lock("landing");
    let landing = example("landing");
    let plain = beryl(&["sim", &landing, "--for", "3s"]);
    assert_eq!(plain.code, Some(0), "{plain:?}");
    let (none, undisturbed) = run_of("sim");
    let ran = beryl(&["swap", &landing, "land.tdl", "--at", "1s", "--back", "2s", "--for", "3s"]);
    let said = ran.ended(0);
    let (swaps, recording) = run_of(SWAPPED);
    assert_eq!((none, swaps), (vec![], vec![1020 * MILLISECOND, 2020 * MILLISECOND]));
    assert_eq!(before(1020, &recording), before(1020, &undisturbed));
    assert_ne!(recording.actuators, undisturbed.actuators, "another law is in command");
    assert_eq!(told(&said), TOLD);
}

#[test]
fn an_order_that_nobody_believes_changes_no_value() {
    let _lock = lock("landing");
    let landing = example("landing");
    beryl(&["sim", &landing, "--for", "1s"]).ended(0);
    let (_, undisturbed) = run_of("sim");
    let key = folder().join(format!("stranger-{}.key", std::process::id()));
    beryl(&["keygen", &key.display().to_string()]).ended(0);
    let arguments = ["swap", &landing, "land.tdl", "--for", "1s", "--key", &key.display().to_string()];
    let said = beryl(&arguments).ended(1);
    for half in [key.clone(), key.with_extension("pub")] {
        fs::remove_file(half).expect("half a key");
    }
    assert!(said.contains("swap refused: the order isn't signed with the key that it knows"), "{said}");
    let (swaps, recording) = run_of(SWAPPED);
    assert_eq!((swaps, recording), (vec![], undisturbed));
}

/// The container of land.tdl, changed by `change` at its instructions, with a checksum that fits.
fn container(change: impl Fn(&mut [u8; 4])) -> Vec<u8> {
    let place = Path::new(&example("landing")).to_owned();
    let project =
        beryl_builder::Project::load(&place, beryl_builder::Variant::default()).expect("it is right");
    let containers = beryl_builder::emit::container::containers(&project);
    let mut bytes = containers.into_iter().find(|(name, _)| name == "land.bsc").expect("land.bsc").1;
    let header = match bytes[3] {
        b'1' => 20,
        b'2' => 24,
        _ => 28,
    };
    let durations = usize::from(bytes[12]);
    let count = usize::from(bytes[10]);
    for word in bytes[header + 8 * durations..].chunks_exact_mut(4).take(count) {
        change(word.first_chunk_mut().expect("a word"));
    }
    let end = bytes.len() - 4;
    let checksum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn a_container_is_sent_and_one_that_the_checker_refuses_changes_no_value() {
    let _lock = lock("landing");
    let landing = example("landing");
    beryl(&["sim", &landing, "--for", "1s"]).ended(0);
    let (_, undisturbed) = run_of("sim");
    let file = folder().join(format!("sent-{}.bsc", std::process::id()));
    let path = file.display().to_string();
    let send = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("a container");
        beryl(&["swap", &landing, &path, "--for", "1s"])
    };
    let well = container(|_| ());
    send(&well).ended(0);
    assert_eq!(run_of(SWAPPED).0.len(), 1);
    // It releases a task that doesn't belong to its module.
    let greedy = container(|word| {
        if word[0] == 0x02 {
            word[1] = 60;
        }
    });
    assert_ne!(greedy, well);
    let said = send(&greedy).ended(1);
    assert!(said.contains("swap refused: the kernel's checker found that "), "{said}");
    assert_eq!(run_of(SWAPPED), (vec![], undisturbed));
    // A damaged file isn't even sent.
    let damaged = send(&well[..well.len() - 1]);
    assert!(damaged.code == Some(1) && damaged.err.contains("the file is cut off"), "{damaged:?}");
    fs::remove_file(&file).expect("the container");
}

/// Programs by hand, in the names of the image: one that breaks a rule, one that is late, one whose
/// certificate is wrong, one that is too heavy.
#[test]
fn what_the_checker_refuses_is_shown_with_the_shortest_run() {
    let _lock = lock("landing");
    let landing = example("landing");
    let file = folder().join(format!("refused-{}.bsc", std::process::id()));
    let path = file.display().to_string();
    let land = beryl_assembler::Program::from_bytes(&container(|_| ())).expect("land.bsc");
    let send = |code: &[Instruction], certificate: &[u32]| {
        let code = code.iter().map(|instruction| instruction.encode()).collect();
        let (certificate, start) = (certificate.to_vec(), 0);
        let durations = vec![Duration::from_ticks(10 * MILLISECOND)];
        let program = beryl_assembler::Program { code, certificate, start, durations, ..land.clone() };
        fs::write(&file, program.to_bytes()).expect("a container");
        let said = beryl(&["swap", &landing, &path, "--for", "1s"]).ended(1);
        let why = said
            .lines()
            .skip_while(|line| !line.contains("swap refused"))
            .take_while(|line| !line.is_empty());
        why.map(|line| format!("{}\n", line.split_once(" s: ").map_or(line, |(_, line)| line)))
            .collect::<String>()
    };
    let period = Instruction::Period {};
    let releases = |count| Instruction::Releases { first: ThreadId(0), deadline: 0, count };
    let (future, end) = (Instruction::Future { delay: 0, address: 0 }, Instruction::Return {});
    let backward = Instruction::Jump { address: 1 };
    let all = Instruction::Calls { first: DriverId(0), count: land.drivers.len() as u8 };
    let (later, unless) = (Instruction::Future { delay: 0, address: 4 }, Instruction::Branch { address: 6 });
    let said = [
        send(&[period, releases(1), Instruction::Branch { address: 4 }, future, future, backward], &[]),
        send(&[period, releases(3), future, end], &[]),
        send(&[period, releases(3), future, end], &[9_000_000, 1]),
        send(&[period, releases(1), future, end], &[1]),
        send(&[period, releases(1), later, end, unless, all, all, all, all, future, end], &[]),
    ];
    fs::remove_file(&file).expect("the container");
    assert_recorded("landing/broken.txt", &said.join("\n"));
}

#[test]
fn on_each_board_it_is_the_same_flight() {
    let _lock = lock("landing");
    let landing = example("landing");
    for board in places("the helicopter lands", &[]) {
        let (name, millisecond) = (board.name, millisecond(board));
        let arguments = ["swap", &landing, "land.tdl", "--board", name, "--on", name];
        let said = beryl(&[&arguments[..], &["--at", "8s", "--back", "9s"]].concat()).ended(0);
        let last = format!("landing: 500 actuator writes, identical on sim and {name}; 0 deadline misses");
        assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
        let (simulated, flown) = (run_of(SWAPPED).0, run_of(&format!("swap.{name}")).0);
        assert_eq!(simulated, flown);
        // How long the check takes there decides in which period; it is soon.
        let is_soon = |(swap, at): (&u64, u64)| (at * millisecond..(at + 200) * millisecond).contains(swap);
        assert!(flown.len() == 2 && flown.iter().zip([8000, 9000]).all(is_soon), "{flown:?}");
    }
}

/// Nobody's own order is refused there, and the flight goes on as it was.
#[test]
fn a_forged_order_changes_nothing_on_any_board() {
    let _lock = lock("landing");
    let landing = example("landing");
    let key = folder().join(format!("forger-{}.key", std::process::id()));
    beryl(&["keygen", &key.display().to_string()]).ended(0);
    for board in places("an order is forged", &[]) {
        let order = ["swap", &landing, "land.tdl", "--board", board.name, "--on", board.name, "--for", "6s"];
        let said = beryl(&[&order[..], &["--key", &key.display().to_string()]].concat()).ended(1);
        let refusals =
            said.matches("swap refused: the order isn't signed with the key that it knows").count();
        assert_eq!(refusals, 2, "in the simulation and on the board: {said}");
        let end =
            format!("landing: 300 actuator writes, identical on sim and {}; 0 deadline misses", board.name);
        assert_eq!(said.lines().last(), Some(end.as_str()), "{said}");
        assert!(run_of(&format!("swap.{}", board.name)).0.is_empty());
    }
    for half in [key.clone(), key.with_extension("pub")] {
        fs::remove_file(half).expect("half a key");
    }
}

#[test]
fn what_cannot_be_sent_is_said_with_a_reason_and_a_proposal() {
    let _lock = lock("landing");
    let landing = example("landing");
    let mut said = String::new();
    for arguments in [
        &["hover.tdl"][..],
        &["land.tdl", "--on", "moon"],
        &["land.tdl", "--at", "2s", "--back", "1s"],
        &["land.tdl", "--at", "2s", "--for", "1s"],
        &["land.tdl", "--key", "no.key"],
        &["land.tdl", "--at", "9999999s"],
        &["nothing.bsc"],
        &["land.tdl", "--on", "sim", "--port", "line"],
        &["land.tdl", "--baud", "12"],
        &["land.tdl", "--port", "/dev/null"],
        &[],
        &["--previous", "Helicopter", "--back", "1s"],
        &["--previous", "Plane"],
    ] {
        let ran = beryl(&[&["swap", &landing], arguments].concat());
        said += &format!("$ beryl swap examples/landing {}\n{}\n", arguments.join(" "), ran.everything());
    }
    let ran = beryl(&["swap", &example("helicopter"), "land.tdl"]);
    said += &format!("$ beryl swap examples/helicopter land.tdl\n{}\n", ran.everything());
    assert_recorded("landing/refused.txt", &said);
}

#[test]
fn a_key_is_made_once_and_its_secret_half_is_its_owners() {
    let place = folder().join(format!("keys-{}", std::process::id()));
    fs::create_dir_all(&place).expect("a folder");
    let (secret, public) = (place.join("my.key"), place.join("my.pub"));
    let name = secret.display().to_string();
    beryl(&["keygen", &name]).ended(0);
    let halves = [&secret, &public].map(|path| fs::read_to_string(path).expect("half a key"));
    let pair = ed25519_compact::KeyPair::from_pem(&halves[0]).expect("a key");
    assert_eq!(beryl_link::PublicKey::parse(&halves[1]), Some(beryl_link::PublicKey::new(*pair.pk)));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&secret).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let again = beryl(&["keygen", &name]);
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains("exists; a key that boards know is not replaced"), "{again:?}");
    assert_eq!([&secret, &public].map(|path| fs::read_to_string(path).expect("half a key")), halves);
    fs::remove_file(&secret).expect("the secret half");
    assert_eq!(beryl(&["keygen", &name]).code, Some(1), "half of a pair is there");
    assert!(!secret.exists());
    assert_eq!(beryl(&["keygen", &public.display().to_string()]).code, Some(1), "both halves in one file");
    fs::remove_dir_all(&place).expect("the folder");
}

#[test]
fn the_key_of_the_example_is_a_pair() {
    let place = Path::new(&example("landing")).to_owned();
    let read = |name: &str| fs::read_to_string(place.join(name)).expect("half a key");
    let pair = ed25519_compact::KeyPair::from_pem(&read("link.key")).expect("a key");
    let public = beryl_link::PublicKey::parse(&read("link.pub"));
    assert_eq!(public, Some(beryl_link::PublicKey::new(*pair.pk)));
}

/// What the manual says of the loader's process; the compilers that are possible differ a little.
#[test]
fn the_loader_takes_no_more_text_than_the_manual_says() {
    let _lock = lock("landing");
    beryl(&["build", &example("landing")]).ended(0);
    let process = fs::read(folder().join("build/landing/loader.elf")).expect("a linked process");
    let text = beryl_path::section_sizes(&process).expect("sections").text;
    assert!((20_000..28_000).contains(&text), "{text} bytes of text");
}

/// A board at the end of a serial line: a loader whose slot accepts everything.
#[cfg(target_os = "linux")]
#[test]
fn a_board_at_a_serial_line_gets_the_program() {
    use std::os::fd::AsRawFd;

    let _lock = lock("landing");
    let landing = example("landing");
    beryl(&["build", &landing]).ended(0);
    let identity = fs::read_to_string(folder().join("build/landing/identity.txt")).expect("an identity");
    let (near, far) = serial2::SerialPort::pair().expect("a serial line");
    let path = fs::read_link(format!("/proc/self/fd/{}", far.as_raw_fd())).expect("its name");
    let board = board::start(near, &identity);
    let port = path.display().to_string();
    let said = beryl(&["swap", &landing, "land.tdl", "--port", &port, "--back", "1s"]).ended(0);
    assert_eq!(told(&said).first().copied(), Some(TOLD[0]), "{said}");
    assert!(["swap: it runs", "back: it runs"].iter().all(|line| told(&said).contains(line)), "{said}");
    let land = fs::read(folder().join("build/landing/land.bsc")).expect("the program");
    beryl(&["swap", &landing, "--previous", "Helicopter", "--port", &port]).ended(0);
    assert_eq!(board.end(), [board::Done::Written(land), board::Done::Back, board::Done::Back]);
    drop(far);
}

#[cfg(target_os = "linux")]
mod board {
    //! A board that is a thread.

    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    use beryl_link::loader::Post;
    use beryl_link::slot::CallRefused;
    use beryl_link::{Challenge, Identity, Loader, Pace, Progress, PublicKey, SinceReset, Slot};
    use serial2::SerialPort;

    /// What the slot was asked for.
    #[derive(Debug, PartialEq, Eq)]
    pub enum Done {
        Written(Vec<u8>),
        Back,
    }

    pub struct Board {
        is_over: Arc<AtomicBool>,
        thread: JoinHandle<Vec<Done>>,
    }

    impl Board {
        /// Switches it off; what was done.
        pub fn end(self) -> Vec<Done> {
            self.is_over.store(true, Ordering::Relaxed);
            self.thread.join().expect("the board ends")
        }
    }

    /// A slot that accepts everything.
    #[derive(Default)]
    struct Willing(Vec<Done>);

    impl Slot for Willing {
        fn write(&mut self, container: &[u8]) -> Result<(), CallRefused> {
            self.0.push(Done::Written(container.to_vec()));
            Ok(())
        }

        fn check(&mut self) -> Result<Progress, CallRefused> {
            Ok(Progress::Running)
        }

        fn rollback(&mut self) -> Result<(), CallRefused> {
            self.0.push(Done::Back);
            Ok(())
        }
    }

    pub fn start(mut line: SerialPort, identity: &str) -> Board {
        let key = include_str!("../../examples/landing/link.pub");
        let identity = PublicKey::parse(identity).expect("32 bytes in hexadecimal digits");
        let post = Post {
            key: PublicKey::included(key),
            identity: Identity(*identity.bytes()),
            slot: 0,
            challenge: Challenge::default(),
            numbers: SinceReset::default(),
        };
        let is_over = Arc::new(AtomicBool::new(false));
        let mut loader = Loader::<_, 1024>::new(post);
        line.set_read_timeout(Duration::from_millis(10)).expect("a timeout");
        let off = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let (mut slot, mut bytes, mut now) = (Willing::default(), [0; 64], 0);
            while !off.load(Ordering::Relaxed) {
                // Nothing has come, or the other side isn't there yet.
                let count = line.read(&mut bytes).unwrap_or(0);
                for byte in &bytes[..count] {
                    if let Some(answer) = loader.take(*byte, now) {
                        line.write_all(answer.as_ref()).expect("a listener");
                    }
                }
                // It waits for nothing but bytes.
                if let Pace::At(tick) = loader.work(&mut slot, now) {
                    now = tick;
                }
            }
            slot.0
        });
        Board { is_over, thread }
    }
}

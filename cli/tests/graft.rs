//! A process is replaced while the system runs: its word is another one afterwards, nobody else notices, and what doesn't
//! fit or isn't signed is refused, with its reason.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant as HostInstant};

use beryl_abi::process_image::{self, Misfit, offset};
use beryl_abi::{DecodedNote, Instant, ProcessId, SlotId};
use beryl_builder::board::Board;
use beryl_builder::emit::names::names;
use beryl_builder::emulator::{self, Accesses};
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant, image};
use beryl_link::{Challenge, Command, Order, Outcome, Patience, Reason, Refusal, Sender, SignedOrder};
use beryl_trace::{Event, Happening, Names, Recording, Statistics, Tick, decode};
use common::places::{millisecond, places};
use common::{beryl, example, folder, left, left_text, lock, root};
use ed25519_compact::{KeyPair, SecretKey, Seed};

mod common;

/// The example with another process `speaker`: everything else of the application is the example's.
fn next(word: &str) -> PathBuf {
    let system = folder().join("systems/graft");
    fs::create_dir_all(system.join("app/src")).expect("a folder");
    for file in ["beryl.toml", "graft.tdl"] {
        fs::copy(Path::new(&example("graft")).join(file), system.join(file)).expect("a copy");
    }
    let own = |path: &str| root().join(path).display().to_string();
    let manifest = format!(
        "[package]\nname = \"graft-next\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         beryl-user = {{ path = {:?} }}\ngraft = {{ path = {:?} }}\n",
        own("user"),
        own("examples/graft/app")
    );
    fs::write(system.join("app/Cargo.toml"), manifest).expect("written");
    let code = format!(
        "//! Another speaker.\n#![no_std]\n\npub use graft::{{loader, receiver, show_count, steady_impl}};\n\n\
         /// Says another word.\npub fn speaker(mut period: beryl_user::period::Period) -> ! {{\n    loop {{\n        \
         beryl_user::trace::tell_at_once(1, u32::from_le_bytes(*b{word:?}));\n        period.wait();\n    }}\n}}\n"
    );
    fs::write(system.join("app/src/lib.rs"), code).expect("written");
    system
}

/// The words that the speaker said, each once for as long as it said nothing else.
fn words(events: &[Event]) -> Vec<String> {
    let said = events.iter().filter_map(|event| match event.happening {
        Happening::Note(DecodedNote::Event { event: 1, value, .. }) => Some(value.to_le_bytes()),
        _ => None,
    });
    let mut words: Vec<String> = said.map(|word| String::from_utf8_lossy(&word).into_owned()).collect();
    words.dedup();
    words
}

/// Which processes began anew.
fn begun_anew(events: &[Event], names: &Names) -> Vec<(String, bool)> {
    let begun = events.iter().filter_map(|event| match event.happening {
        Happening::Note(DecodedNote::Restart { process, is_allowed, .. }) => {
            Some((names.process(process).to_string(), is_allowed))
        }
        _ => None,
    });
    begun.collect()
}

#[test]
fn another_process_takes_its_place_and_nobody_else_notices() {
    let _lock = lock("graft");
    let (graft, next) = (example("graft"), next("new!").display().to_string());
    for board in places("a process is replaced", &[]) {
        takes_its_place(&graft, &next, board.name);
    }
}

fn takes_its_place(graft: &str, next: &str, board: &str) {
    let said = beryl(&["build", next, "--board", board, "--process", "speaker", "--unchecked"]).ended(0);
    assert!(said.contains(" of 2048 bytes, once for each of its rooms"), "{said}");
    let built = folder().join("build/graft/speaker.1.brp").display().to_string();
    // A machine with little time for the exchange needs a longer run.
    let ran = [3, 12, 48].into_iter().find_map(|seconds| {
        let length = format!("{seconds}s");
        let ran =
            beryl(&["swap", graft, &built, "--board", board, "--on", board, "--for", &length, "--unchecked"]);
        println!("{ran:?}");
        ran.out.contains("swap: it runs, after ").then_some((seconds, ran))
    });
    let (seconds, ran) = ran.expect("an exchange that comes to its end");
    let said = ran.ended(0);
    let writes = 100 * seconds;
    assert!(
        said.contains(&format!(
            "graft: {writes} actuator writes, identical on sim and {board}; 0 deadline misses"
        )),
        "{said}"
    );
    let names = Names::parse(&left_text("graft", "names.json")).expect("names");
    let events = decode(&left("graft", &format!("swap.{board}.trace"))).expect("a whole trace");
    assert_eq!(words(&events), ["old ", "new!"]);
    assert_eq!(begun_anew(&events, &names), [("speaker".to_owned(), true)]);
}

#[test]
fn where_it_can_not_be_the_command_says_so() {
    let _lock = lock("graft");
    let graft = example("graft");
    let none = beryl(&["build", &graft, "--process", "plant", "--unchecked"]);
    assert!(none.everything().contains("process `plant` can't be replaced"), "{none:?}");
    let unknown = beryl(&["build", &graft, "--process", "speeker", "--unchecked"]);
    assert!(unknown.everything().contains("there is no process `speeker`"), "{unknown:?}");
    let file = folder().join("no-process.brp");
    fs::write(&file, [7; 64]).expect("written");
    let foreign = beryl(&["swap", &graft, &file.display().to_string(), "--unchecked"]);
    assert!(foreign.everything().contains("or is no process"), "{foreign:?}");
    let simulated = beryl(&["swap", &graft, "--previous", "speaker", "--unchecked"]);
    assert!(simulated.everything().contains("a process is replaced on a board only"), "{simulated:?}");
}

/// What is sent, and what comes of it.
struct Sent {
    what: &'static str,
    order: SignedOrder,
    process: Vec<u8>,
    outcome: Expected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Runs,
    Refused(Refusal),
}

/// The system, and two processes for it.
struct System {
    project: Project,
    built: image::Built,
    key: SecretKey,
    process: ProcessId,
    /// Another speaker, for its first and for its second room.
    rooms: [Vec<u8>; 2],
}

impl System {
    fn new(board: &'static Board) -> System {
        let workshop = Workshop::new(&folder());
        let variant = Variant { board: Some(board), ..Variant::default() };
        let load = |folder: &Path| Project::load(folder, variant).expect("it is right");
        let (project, next) = (load(example("graft").as_ref()), load(&next("new!")));
        let position = project.assembly.processes.iter().position(|process| process.name == "speaker");
        let position = position.expect("a speaker");
        let replacement = image::replacement(&next, &workshop, position, |_| ()).expect("it fits");
        let rooms: Vec<_> = replacement.files.iter().map(|file| fs::read(file).expect("a process")).collect();
        let key = fs::read_to_string(project.folder.join("link.key")).expect("the key");
        System {
            built: image::build(&project, &workshop, |_| ()).expect("an image"),
            key: KeyPair::from_pem(&key).expect("a key").sk,
            process: ProcessId(u8::try_from(position).expect("small")),
            rooms: rooms.try_into().expect("two rooms"),
            project,
        }
    }

    fn order(&self, number: u64, command: Command) -> Order {
        Order {
            identity: beryl_link::Identity(self.built.identity.0),
            challenge: Challenge::default(),
            number,
            at: 0,
            command,
            slot: SlotId::of_process(self.process).0,
            length: 0,
            digest: [0; 64],
        }
    }

    fn sent(&self, number: u64, what: &'static str, process: &[u8], outcome: Expected) -> Sent {
        let order = self.order(number, Command::Swap).describing(process);
        Sent { what, order: SignedOrder::sign(order, &self.key), process: process.to_vec(), outcome }
    }

    /// A process with words that were changed, and the right checksum for them.
    fn changed(&self, change: impl Fn(&mut Vec<u32>)) -> Vec<u8> {
        let words =
            self.rooms[0].chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four")));
        let mut words: Vec<u32> = words.collect();
        change(&mut words);
        let sum = words[8..].iter().copied().fold(process_image::NO_WORDS, process_image::and_word);
        words[at(offset::CHECKSUM)] = sum;
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// All that is wrong, then what is right, and the way back.
    fn conversation(&self) -> Vec<Sent> {
        let whole = &self.rooms[0];
        let threads = usize::from(whole[24]);
        let stretch = 8 + threads;
        let entry = (8..stretch).find(|word| whole[4 * word..4 * word + 4] != [0; 4]).expect("an entry");
        let refused = |reason| Expected::Refused(Refusal::plain(reason));
        let misfit = |misfit: Misfit, number: u32| {
            Expected::Refused(Refusal { reason: Reason::Check, details: [u32::from(misfit as u16), number] })
        };
        let mut numbers = 1..;
        let mut signed = |what, process: &[u8], outcome| {
            self.sent(numbers.next().expect("a number"), what, process, outcome)
        };
        let thread = u32::try_from(entry - 8).expect("small");
        let mut all = vec![
            signed("of another format", &self.changed(|words| words[0] ^= 1), misfit(Misfit::Format, 0)),
            signed("longer than it says", &[whole.as_slice(), &[0; 8]].concat(), misfit(Misfit::Length, 0)),
            signed("for the other room", &self.rooms[1], misfit(Misfit::Room, 0)),
            signed("for another process", &self.changed(|words| words[4] ^= 1), misfit(Misfit::Layout, 0)),
            signed(
                "with another checksum",
                &{
                    let mut bytes = whole.clone();
                    let last = bytes.len() - 1;
                    bytes[last] ^= 0x80;
                    bytes
                },
                misfit(Misfit::Checksum, 0),
            ),
            signed(
                "with an entry elsewhere",
                &self.changed(|words| words[entry] = 0x101),
                misfit(Misfit::Entry, thread),
            ),
            signed(
                "that fills the kernel's memory",
                &self.changed(|words| words[stretch + 5] = self.built.plan.kernel.ram.base),
                misfit(Misfit::Memory, 1),
            ),
        ];
        let number = all.len() as u64 + 1;
        let wrong = |change: &dyn Fn(&mut Order), key: &SecretKey| {
            let mut order = self.order(number, Command::Swap).describing(whole);
            change(&mut order);
            SignedOrder::sign(order, key)
        };
        let stranger = KeyPair::from_seed(Seed::new([9; 32])).sk;
        let mut torn = whole.clone();
        torn[100] ^= 4;
        let others: [(_, SignedOrder, &[u8], _); 6] = [
            ("forged", wrong(&|_| (), &stranger), whole, refused(Reason::Signature)),
            (
                "for another image",
                wrong(&|order| order.identity.0[0] ^= 1, &self.key),
                whole,
                refused(Reason::Image),
            ),
            (
                "for another slot",
                wrong(&|order| order.slot = 0, &self.key),
                whole,
                Expected::Refused(Refusal::with(Reason::Slot, SlotId::of_process(self.process).0.into())),
            ),
            (
                "too long",
                wrong(&|order| order.length = 2049, &self.key),
                whole,
                Expected::Refused(Refusal::with(Reason::TooLong, 2048)),
            ),
            (
                "replayed",
                wrong(&|order| order.number = number - 1, &self.key),
                whole,
                Expected::Refused(Refusal::with(Reason::Replay, number - 1)),
            ),
            ("flipped on the way", wrong(&|_| (), &self.key), &torn, refused(Reason::Digest)),
        ];
        all.extend(others.map(|(what, order, process, outcome)| Sent {
            what,
            order,
            process: process.to_vec(),
            outcome,
        }));
        all.push(self.sent(number + 1, "right", whole, Expected::Runs));
        let back = SignedOrder::sign(self.order(number + 2, Command::Back).describing(&[]), &self.key);
        all.push(Sent { what: "the way back", order: back, process: Vec::new(), outcome: Expected::Runs });
        all
    }
}

/// The position of a word.
fn at(offset: u32) -> usize {
    usize::try_from(offset / 4).expect("small")
}

/// The whole conversation; nothing if the run was over before.
fn converse(
    conversation: &[Sent],
    mut input: UnixStream,
    output: UnixStream,
) -> Option<BTreeMap<usize, Outcome>> {
    const PATIENCE: Patience =
        Patience { answer: 10_000_000_000, order: 60_000_000_000, pause: 20_000_000, tries: 5 };
    output.set_read_timeout(Some(Duration::from_millis(20))).expect("a timeout");
    let (mut output, start) = (output, HostInstant::now());
    let now = || u64::try_from(start.elapsed().as_nanos()).expect("a short test");
    let (mut outcomes, mut sequence) = (BTreeMap::new(), 0);
    greet(&mut input, &mut output, &now)?;
    for (index, sent) in conversation.iter().enumerate() {
        let mut sender = Sender::new(sent.order, PATIENCE, sequence);
        while sender.outcome().is_none() {
            if let Some(frame) = sender.say(&sent.process, now()) {
                input.write_all(frame.as_ref()).ok()?;
            }
            hear(&mut sender, &mut output, &now)?;
        }
        sequence = sender.sequence();
        outcomes.insert(index, sender.outcome().expect("it is over"));
    }
    // The run goes on, and what it still says has to go somewhere.
    thread::spawn(move || while matches!(output.read(&mut [0; 256]), Ok(1..) | Err(_)) {});
    Some(outcomes)
}

/// Asks who is there until somebody says so: there are consoles that drop what comes before anybody listens.
fn greet(input: &mut UnixStream, output: &mut UnixStream, now: &impl Fn() -> u64) -> Option<()> {
    const PATIENCE: Patience =
        Patience { answer: 500_000_000, order: 500_000_000, pause: 20_000_000, tries: 100 };
    let mut sender = Sender::hello(PATIENCE, 0);
    while sender.outcome().is_none() {
        if let Some(frame) = sender.say(&[], now()) {
            input.write_all(frame.as_ref()).ok()?;
        }
        hear(&mut sender, output, now)?;
    }
    Some(())
}

/// Takes what has come; nothing if the line is at its end.
fn hear(sender: &mut Sender, output: &mut UnixStream, now: &impl Fn() -> u64) -> Option<()> {
    let mut bytes = [0; 256];
    match output.read(&mut bytes) {
        Ok(0) => None,
        Ok(count) => {
            bytes[..count].iter().for_each(|byte| {
                sender.hear(*byte, now());
            });
            Some(())
        }
        Err(reason) if reason.kind() == std::io::ErrorKind::WouldBlock => Some(()),
        Err(_) => None,
    }
}

/// All that is wrong is refused with its reason while the old one goes on; then the new one comes, and the old one again.
#[test]
fn what_is_wrong_changes_nothing_and_is_answered_with_the_reason() {
    let _lock = lock("graft");
    for board in places("orders about a process are refused", &[]) {
        emulator::require(board, "a conversation").expect("the emulator");
        answers_rightly(&System::new(board), board);
    }
}

fn answers_rightly(system: &System, board: &Board) {
    /// How long the board runs, in seconds, if this machine has little time for it.
    const SECONDS: [u64; 3] = [6, 20, 60];
    let conversation = system.conversation();
    let run = SECONDS.iter().find_map(|seconds| {
        // Nobody asks the environment for anything.
        let length = Instant::from_ticks(seconds * 1000 * millisecond(board));
        let window = Accesses::default().window(board, length).expect("it fits");
        let place = folder().join("out/graft/conversation");
        fs::create_dir_all(&place).expect("a folder");
        let awake = system.built.awake.as_ref().expect("an idle thread");
        let speed = system.project.description.board.speed;
        let (run, outcomes) = emulator::run_linked(board, awake, &window, speed, &place, |input, output| {
            Ok(converse(&conversation, input, output))
        })
        .expect("the board runs to the end");
        Some((run, outcomes?))
    });
    let (run, outcomes) = run.expect("a conversation that comes to its end");
    for (index, sent) in conversation.iter().enumerate() {
        let is_right = match (outcomes[&index], sent.outcome) {
            (Outcome::Running { .. }, Expected::Runs) => true,
            (Outcome::Refused(found), Expected::Refused(expected)) => found == expected,
            _ => false,
        };
        assert!(is_right, "{}: {:?} instead of {:?}", sent.what, outcomes[&index], sent.outcome);
    }
    let names = names(&system.project.assembly, Tick::new(system.project.tick(), 1).expect("a tick"));
    let events = decode(&run.trace).expect("a whole trace");
    let statistics = Statistics::of(&events, &names);
    assert_eq!((statistics.failures(), statistics.faults.len()), (0, 0), "{statistics}");
    assert_eq!(words(&events), ["old ", "new!", "old "]);
    assert_eq!(begun_anew(&events, &names), [("speaker".to_owned(), true), ("speaker".to_owned(), true)]);
    // What the other process shows is what it always shows.
    let shown = Recording::of(&events, &names).actuators;
    let counts: Vec<_> = shown.iter().map(|row| row.value.clone()).collect();
    let expected: Vec<Vec<u8>> =
        (0..counts.len()).map(|count| (count as i32).to_le_bytes().to_vec()).collect();
    assert_eq!(counts, expected);
}

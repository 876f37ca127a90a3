//! The line to a running system, cut and damaged everywhere: the flight goes on, and what runs is one program or the
//! other, whole.
//!
//! The tests speak with the simulated system themselves, byte by byte, as `beryl swap` does.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use beryl_abi::Instant;
use beryl_builder::board::Board;
use beryl_builder::emit::container::containers;
use beryl_builder::emit::names::names;
use beryl_builder::emulator::{self, Accesses};
use beryl_builder::workshop::Workshop;
use beryl_builder::{Identity, Project, Variant, image};
use beryl_link::{Challenge, Command as Do, Order, Outcome, Patience, Reason, Refusal, Sender, SignedOrder};
use beryl_trace::{Event, Happening, Names, Recording, Sample, Statistics, Tick, decode};
use common::places::{millisecond, places};
use common::{example, finish, folder, lock, program};
use ed25519_compact::{KeyPair, SecretKey};

mod common;

/// Length of a run in ticks of 40 ns: 0.5 s.
const LENGTH: u64 = 12_500_000;
/// Nanoseconds that a byte takes on the line to the board.
const BYTE: u64 = 200_000;
/// When nothing was heard for so many nanoseconds, a request is repeated.
const PATIENCE: Patience = Patience { answer: 50_000_000, order: 60_000_000, pause: 5_000_000, tries: 3 };

/// The system, built once.
struct System {
    program: PathBuf,
    container: Vec<u8>,
    identity: Identity,
    key: SecretKey,
    names: Names,
    /// What the actuators are told if nothing is sent.
    undisturbed: Recording,
}

static SYSTEM: LazyLock<System> = LazyLock::new(|| {
    let _lock = lock("landing");
    // It flies some thousand times, so it's worth while to compile it as for users, whatever others do.
    let ran = finish(
        program(&["sim", &example("landing"), "--for", "500ms"])
            .env("CARGO_PROFILE_SIMULATION_OPT_LEVEL", "1"),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let project =
        Project::load(example("landing").as_ref(), Variant::default()).expect("the example is right");
    let names = names(&project.assembly, Tick::new(project.tick(), 1).expect("a tick"));
    let key = fs::read_to_string(project.folder.join("link.key")).expect("the key");
    let mut system = System {
        program: folder().join("target/beryl/simulation/simulation/landing-simulation"),
        container: containers(&project).pop().expect("land.bsc").1,
        identity: beryl_builder::simulate::identity(&project),
        key: KeyPair::from_pem(&key).expect("a key").sk,
        undisturbed: Recording::default(),
        names,
    };
    system.undisturbed = system.fly(None, |_, byte| vec![byte], |_, byte| vec![byte]).recording;
    system
});

/// What came of a flight.
struct Flight {
    events: Vec<Event>,
    recording: Recording,
    outcome: Option<Outcome>,
    /// Bytes that were said and heard.
    said: usize,
    heard: usize,
}

impl Flight {
    /// The rooms of the programs that took over.
    fn swaps(&self) -> usize {
        self.events.iter().filter(|event| matches!(event.happening, Happening::Swap { .. })).count()
    }
}

impl System {
    fn order(&self, number: u64) -> SignedOrder {
        let order = Order {
            identity: beryl_link::Identity(self.identity.0),
            challenge: Challenge::default(),
            number,
            at: 0,
            command: Do::Swap,
            slot: 0,
            length: 0,
            digest: [0; 64],
        };
        SignedOrder::sign(order.describing(&self.container), &self.key)
    }

    /// A flight in which somebody speaks. `there` and `back` say what becomes of each byte, by its number.
    fn fly(
        &self,
        sender: Option<Sender>,
        there: impl Fn(usize, u8) -> Vec<u8>,
        back: impl Fn(usize, u8) -> Vec<u8>,
    ) -> Flight {
        static FLIGHTS: AtomicUsize = AtomicUsize::new(0);
        let number = FLIGHTS.fetch_add(1, Ordering::Relaxed);
        let trace = folder().join(format!("link-{}-{number}.bin", std::process::id()));
        let mut child = Command::new(&self.program)
            .args(["--ticks", &LENGTH.to_string(), "--peer", "pipe", "--trace"])
            .arg(&trace)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the simulation starts");
        let mut line = Line { sender, coming: VecDeque::new(), free: 0, now: 0, said: 0, heard: 0 };
        line.serve(&mut child, &self.container, there, back);
        let ended = child.wait_with_output().expect("the simulation ends");
        assert!(ended.status.success(), "{ended:?}");
        let bytes = fs::read(&trace).expect("a trace");
        fs::remove_file(&trace).expect("the trace was there");
        let events = decode(&bytes).expect("a whole trace");
        let statistics = Statistics::of(&events, &self.names);
        assert_eq!((statistics.failures(), statistics.faults.len()), (0, 0), "a miss or a fault");
        let recording = Recording::of(&events, &self.names);
        let outcome = line.sender.and_then(|sender| sender.outcome());
        Flight { events, recording, outcome, said: line.said, heard: line.heard }
    }
}

/// The line between a sender and the simulation.
struct Line {
    sender: Option<Sender>,
    coming: VecDeque<(u64, u8)>,
    free: u64,
    now: u64,
    said: usize,
    heard: usize,
}

impl Line {
    fn serve(
        &mut self,
        child: &mut Child,
        container: &[u8],
        there: impl Fn(usize, u8) -> Vec<u8>,
        back: impl Fn(usize, u8) -> Vec<u8>,
    ) {
        let mut questions = BufReader::new(child.stdout.as_mut().expect("a stream"));
        let answers = child.stdin.as_mut().expect("a stream");
        loop {
            let mut question = [0; 10];
            questions.read_exact(&mut question).expect("a question");
            let instant = u64::from_le_bytes(*question.first_chunk().expect("eight bytes"));
            match question[8] {
                0 => {
                    self.fill(container, &there);
                    let (instant, byte) = self.coming.front().copied().unwrap_or((u64::MAX, 0));
                    let answer = [&instant.to_le_bytes()[..], &[byte]].concat();
                    answers.write_all(&answer).expect("a listener");
                }
                1 => {
                    self.now = instant;
                    for byte in back(self.heard, question[9]) {
                        self.sender.iter_mut().for_each(|sender| {
                            sender.hear(byte, instant);
                        });
                    }
                    self.heard += 1;
                }
                2 => {
                    self.coming.pop_front();
                }
                _ => return,
            }
        }
    }

    /// Lets the sender say its next frame, whenever that is due. A request that is repeated may meet its answer on
    /// the way: that happens on real lines, too.
    fn fill(&mut self, container: &[u8], there: &impl Fn(usize, u8) -> Vec<u8>) {
        let Some(sender) = self.sender.as_mut().filter(|_| self.coming.is_empty()) else { return };
        let Some(due) = sender.due() else { return };
        let begin = due.max(self.now).max(self.free);
        let Some(frame) = sender.say(container, begin) else { return };
        let mut instant = begin;
        for byte in frame.as_ref() {
            instant += BYTE;
            self.coming.extend(there(self.said, *byte).into_iter().map(|byte| (instant, byte)));
            self.said += 1;
        }
        self.free = instant;
    }
}

/// In how many shares the flights have their turn.
const SHARES: usize = 4;

/// Flies once for each number below `count` whose turn it is, on all processors of this machine.
fn fly_each(count: usize, flight: impl Fn(usize) + Sync) {
    let numbers = beryl_testing::whose_turn(0..count, SHARES);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for worker in 0..workers {
            let (flight, numbers) = (&flight, &numbers);
            scope.spawn(move || numbers.iter().skip(worker).step_by(workers).copied().for_each(flight));
        }
    });
}

fn sender(system: &System) -> Option<Sender> {
    Some(Sender::new(system.order(1), PATIENCE, 0))
}

fn well(_: usize, byte: u8) -> Vec<u8> {
    vec![byte]
}

/// One program or the other, whole: before the swap the flight is the undisturbed one, value by value.
fn is_whole(system: &System, flight: &Flight) {
    let swap = flight.events.iter().find_map(|event| match event.happening {
        Happening::Swap { instant, .. } => Some(instant),
        _ => None,
    });
    let until = swap.unwrap_or(Instant::from_ticks(LENGTH));
    let before = |recording: &Recording| {
        let until = Tick::new(40, 1).expect("a tick").logical(until);
        let is_before = |row: &&Sample| row.instant < until;
        recording.actuators.iter().filter(is_before).cloned().collect::<Vec<_>>()
    };
    assert_eq!(before(&flight.recording), before(&system.undisturbed));
}

/// How many bytes go each way when all is well.
fn lengths(system: &System) -> (usize, usize) {
    let flight = system.fly(sender(system), well, well);
    assert!(matches!(flight.outcome, Some(Outcome::Running { .. })), "{:?}", flight.outcome);
    assert_eq!(flight.swaps(), 1);
    is_whole(system, &flight);
    (flight.said, flight.heard)
}

#[test]
fn a_line_that_is_cut_at_any_byte_never_disturbs_the_flight() {
    let system = &*SYSTEM;
    let (said, heard) = lengths(system);
    fly_each(said + heard, |cut| {
        let [there, back] = [cut, cut.wrapping_sub(said)];
        let lost = |cut: usize| move |number, byte| if number >= cut { vec![] } else { vec![byte] };
        let flight = match cut < said {
            true => system.fly(sender(system), lost(there), well),
            false => system.fly(sender(system), well, lost(back)),
        };
        is_whole(system, &flight);
        assert!(flight.swaps() <= 1, "cut at {cut}");
        // Whoever doesn't hear the end doesn't know it; whoever does hears the truth.
        let runs = matches!(flight.outcome, Some(Outcome::Running { .. }));
        assert!(!runs || flight.swaps() == 1, "cut at {cut}");
    });
}

#[test]
fn a_flipped_bit_in_any_byte_costs_a_repetition_at_most() {
    let system = &*SYSTEM;
    let (said, heard) = lengths(system);
    fly_each(said + heard, |place| {
        let [there, back] = [place, place.wrapping_sub(said)];
        let flip = |place: usize| {
            move |number: usize, byte: u8| vec![if number == place { byte ^ 1 << (place % 8) } else { byte }]
        };
        let flight = match place < said {
            true => system.fly(sender(system), flip(there), well),
            false => system.fly(sender(system), well, flip(back)),
        };
        is_whole(system, &flight);
        assert!(
            matches!(flight.outcome, Some(Outcome::Running { .. })),
            "byte {place}: {:?}",
            flight.outcome
        );
        assert_eq!(flight.swaps(), 1, "byte {place}");
    });
}

#[test]
fn what_is_wrong_changes_nothing_and_is_answered_with_the_reason() {
    let system = &*SYSTEM;
    let wrong = |change: fn(&mut Order)| {
        let mut order = *system.order(1).order();
        change(&mut order);
        SignedOrder::sign(order, &system.key)
    };
    let mut foreign = *system.order(1).bytes();
    foreign[207] ^= 1;
    let cases = [
        (SignedOrder::decode(&foreign).expect("an order"), Refusal::plain(Reason::Signature)),
        (wrong(|order| order.identity.0[31] ^= 1), Refusal::plain(Reason::Image)),
        (wrong(|order| order.slot = 1), Refusal::with(Reason::Slot, 0)),
        (wrong(|order| order.number = 0), Refusal::with(Reason::Replay, 0)),
        (wrong(|order| order.length = 1025), Refusal::with(Reason::TooLong, 1024)),
    ];
    for (order, refusal) in cases {
        let sender = Some(Sender::new(order, PATIENCE, 0));
        let flight = system.fly(sender, well, well);
        assert_eq!(flight.outcome, Some(Outcome::Refused(refusal)));
        assert_eq!(flight.recording.actuators, system.undisturbed.actuators, "{refusal}");
    }
}

/// On the emulated board nothing paces the line: noise comes as fast as the receiver fetches it. How much of
/// it the host brings in one flight isn't ours to say, so flights go on until enough was heard, and each must
/// be undisturbed.
#[test]
fn noise_that_never_ends_makes_nobody_late_on_the_board() {
    LazyLock::force(&SYSTEM);
    let _lock = lock("landing");
    let accesses = fs::read(folder().join("out/landing/sim/accesses.bin")).expect("a simulated run");
    let accesses = Accesses::parse(&accesses).expect("whole");
    for board in places("noise on the line", &[]) {
        bears_noise(board, &accesses);
    }
}

fn bears_noise(board: &'static Board, accesses: &Accesses) {
    const FLIGHTS: usize = 20;
    const FRAMES: usize = 5;
    let variant = Variant { board: Some(board), ..Variant::default() };
    let project = Project::load(example("landing").as_ref(), variant).expect("the example is right");
    let names = names(&project.assembly, Tick::new(project.tick(), 1).expect("a tick"));
    emulator::require(board, "noise on the board").expect("the emulator");
    let built = image::build(&project, &Workshop::new(&folder()), |_| ()).expect("an image");
    let window = accesses.window(board, Instant::from_ticks(500 * millisecond(board))).expect("it fits");
    let place = folder().join("out/landing/noise");
    fs::create_dir_all(&place).expect("a folder");
    let speed = project.description.board.speed;
    let awake = built.awake.as_ref().expect("an idle thread");
    let mut heard = 0;
    for _ in 0..FLIGHTS {
        let (run, answered) = emulator::run_linked(board, awake, &window, speed, &place, noise)
            .expect("the board runs to the end");
        let events = decode(&run.trace).expect("a whole trace");
        let statistics = Statistics::of(&events, &names);
        assert_eq!((statistics.failures(), statistics.faults.len()), (0, 0), "{statistics}");
        // Without the gap between two bytes it is several times as much.
        let worst =
            statistics.tasks.iter().filter_map(|task| task.worst_response).map(|worst| worst.number()).max();
        assert!(worst.is_some_and(|worst| worst < 1_500_000), "{statistics}");
        heard += answered;
        if heard >= FRAMES {
            return;
        }
    }
    panic!("in {FLIGHTS} flights the board has refused only {heard} frames");
}

/// Says all bytes over and over until the board is gone; answers how many frames it has answered.
fn noise(mut input: impl Write, mut output: impl Read + Send + 'static) -> std::io::Result<usize> {
    let answers = thread::spawn(move || {
        let mut bytes = Vec::new();
        // However it ends, what has come stays.
        output.read_to_end(&mut bytes).ok();
        bytes.iter().filter(|byte| **byte == 0).count()
    });
    let noise: Vec<u8> = (0..=255).collect();
    while input.write_all(&noise).is_ok() {}
    Ok(answers.join().expect("the answers end"))
}

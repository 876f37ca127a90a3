//! Both ends on a line: what goes well, and every cut, flipped bit, repetition and refusal.

mod line;

use beryl_link::frame::Heard;
use beryl_link::{
    Answer, Challenge, Command, Frames, Identity, Order, Outcome, Phase, Reason, Refusal, Request, Sender,
    SignedOrder,
};
use ed25519_compact::{KeyPair, Seed};
use line::{
    BUSY, CHALLENGE, IDENTITY, Line, PATIENCE, ROOM, SLOT, Way, back, loader_with, order, program, secret,
    signed, well,
};

const RUNS: Outcome = Outcome::Running { steps: 3 };

/// What the board answers to these bytes, then to nothing but work.
fn answers(line: &mut Line, bytes: &[u8]) -> Vec<Answer> {
    let said = line.feed(bytes);
    let mut frames = Frames::default();
    let mut all = Vec::new();
    for byte in said {
        if let Some(Heard::Frame(frame)) = frames.take(byte) {
            all.extend(Answer::decode(&frame));
        }
    }
    all
}

fn ask(line: &mut Line, request: Request<'_>) -> Answer {
    let all = answers(line, request.encode(1).as_ref());
    assert_eq!(all.len(), 1, "{all:?}");
    all[0]
}

fn reason(line: &mut Line, request: Request<'_>) -> Option<Refusal> {
    match ask(line, request) {
        Answer::Refused { refusal, .. } => Some(refusal),
        _ => None,
    }
}

#[test]
fn a_program_is_sent_checked_and_runs_and_the_previous_one_comes_back() {
    let mut line = Line::new();
    let Outcome::Welcome(welcome) = line.exchange(Sender::hello(PATIENCE, 0), &[], well) else {
        panic!("nobody is there")
    };
    assert_eq!((welcome.identity, welcome.challenge, welcome.last), (IDENTITY, CHALLENGE, 0));
    assert_eq!((welcome.slot, welcome.room), (SLOT, ROOM as u32));
    let (first, second) = (program(1, ROOM), program(2, 333));
    assert_eq!(line.swap(1, &first), RUNS);
    assert_eq!(line.swap(2, &second), RUNS);
    let outcome = line.exchange(Sender::new(back(3), PATIENCE, 0), &[], well);
    assert_eq!(outcome, Outcome::Running { steps: 0 });
    assert_eq!(line.slot.ran, [first.clone(), second.clone(), first.clone()]);
    assert_eq!((line.slot.written.clone(), line.board.last()), (vec![first, second], 3));
}

#[test]
fn an_order_goes_through_its_phases_one_by_one() {
    let (mut line, program) = (Line::new(), program(1, 200));
    let signed = SignedOrder::sign(Order { at: 500, ..order(1, &program) }, &secret());
    let mut seen = vec![ask(&mut line, Request::Order(signed.bytes()))];
    for offset in [0, 192] {
        let bytes = &program[offset..(offset + 192).min(200)];
        seen.push(ask(&mut line, Request::Piece { offset: offset as u32, bytes }));
    }
    let mut last = Phase::Waiting;
    for now in [499, 500, 501, 502, 503, 504, 505, 506, 507] {
        line.now = now;
        line.work();
        let Answer::Standing(standing) = ask(&mut line, Request::Ask) else { panic!("refused") };
        if standing.phase != last {
            seen.push(Answer::Standing(standing));
        }
        last = standing.phase;
        assert!(now >= 500 || line.slot.written.is_empty(), "handed over before its instant");
    }
    let standing = |phase, count| Answer::Standing(beryl_link::Standing { number: 1, phase, count });
    assert_eq!(
        seen,
        [
            standing(Phase::Receiving, 0),
            standing(Phase::Receiving, 192),
            standing(Phase::Waiting, 0),
            standing(Phase::Checking, 0),
            standing(Phase::Accepted, 3),
            standing(Phase::Running, 3),
        ]
    );
}

/// Bytes that an undisturbed exchange of this program takes, there and back.
fn lengths(program: &[u8]) -> (usize, usize) {
    let mut line = Line::new();
    assert_eq!(line.swap(1, program), RUNS);
    (line.sent.len(), line.answered.len())
}

#[test]
fn a_line_that_is_cut_for_a_while_at_any_byte_loses_nothing_but_time() {
    let program = program(1, 250);
    let (there, back) = lengths(&program);
    for (way, length) in [(Way::ToBoard, there), (Way::ToTools, back)] {
        for cut in 0..length {
            let mut line = Line::new();
            let sender = Sender::new(signed(1, &program), PATIENCE, 0);
            let outcome = line.exchange(sender, &program, |on, number, byte| {
                if on == way && (cut..cut + 30).contains(&number) { vec![] } else { vec![byte] }
            });
            assert_eq!(outcome, RUNS, "{way:?} cut at {cut}");
            assert_eq!(line.slot.ran, [program.as_slice()], "{way:?} cut at {cut}");
        }
    }
}

#[test]
fn a_line_that_stays_cut_leaves_nothing_or_the_whole_program_and_a_loader_that_goes_on() {
    let (first, second) = (program(1, 250), program(2, 100));
    let (there, back) = lengths(&first);
    for (way, length) in [(Way::ToBoard, there), (Way::ToTools, back)] {
        for cut in 0..length {
            let mut line = Line::new();
            let sender = Sender::new(signed(1, &first), PATIENCE, 0);
            let outcome =
                line.exchange(
                    sender,
                    &first,
                    |on, number, byte| {
                        if on == way && number >= cut { vec![] } else { vec![byte] }
                    },
                );
            assert_eq!(outcome, Outcome::Silence, "{way:?} cut at {cut}");
            assert!(line.slot.written.iter().all(|written| *written == first));
            assert_eq!(line.swap(2, &second), RUNS, "after {way:?} cut at {cut}");
            assert_eq!(line.slot.ran.last(), Some(&second));
            assert!(line.slot.written.len() <= 2);
        }
    }
}

#[test]
fn a_flipped_bit_anywhere_costs_a_repetition_at_most() {
    let program = program(1, 40);
    let (there, back) = lengths(&program);
    for (way, length) in [(Way::ToBoard, there), (Way::ToTools, back)] {
        for bit in 0..length * 8 {
            let mut line = Line::new();
            let sender = Sender::new(signed(1, &program), PATIENCE, 0);
            let outcome = line.exchange(sender, &program, |on, number, byte| {
                let mask = if on == way && number == bit / 8 { 1 << (bit % 8) } else { 0 };
                vec![byte ^ mask]
            });
            assert_eq!(outcome, RUNS, "{way:?} bit {bit}");
            assert_eq!(line.slot.written, [program.as_slice()], "{way:?} bit {bit}");
        }
    }
}

#[test]
fn whatever_comes_twice_is_done_once() {
    let (first, second) = (program(1, 500), program(2, 40));
    let mut line = Line::new();
    assert_eq!(line.swap(1, &first), RUNS);
    let all = line.sent.clone();
    // All of it again, while nothing else came: it is told what became of the order.
    let again = answers(&mut line, &all);
    let running =
        |answer: &&Answer| matches!(answer, Answer::Standing(standing) if standing.phase == Phase::Running);
    assert_eq!(again.iter().filter(running).count(), again.len(), "{again:?}");
    line.work();
    assert_eq!(line.slot.written, [first.as_slice()]);
    // After another order it is a replay.
    assert_eq!(line.swap(2, &second), RUNS);
    let replayed = answers(&mut line, &all);
    let refusal = Refusal::with(Reason::Replay, 2);
    assert_eq!(replayed[0], Answer::Refused { number: 1, refusal });
    for _ in 0..20 {
        line.work();
    }
    assert_eq!(line.slot.ran, [first, second]);
}

#[test]
fn an_older_order_that_was_held_back_never_comes_after_a_newer_one() {
    let (first, second) = (program(1, 40), program(2, 40));
    let mut line = Line::new();
    // Number 1 is signed, number 2 is sent; then somebody lets 1 through.
    assert_eq!(line.swap(2, &second), RUNS);
    assert_eq!(line.swap(1, &first), Outcome::Refused(Refusal::with(Reason::Replay, 2)));
    assert_eq!(line.slot.ran, [second]);
}

#[test]
fn a_reset_forgets_numbers_and_only_another_challenge_stops_a_replay() {
    let program = program(1, 40);
    let mut line = Line::new();
    assert_eq!(line.swap(1, &program), RUNS);
    let mut forgetful = Line::new();
    answers(&mut forgetful, &line.sent);
    forgetful.work();
    assert_eq!(forgetful.slot.written, [program.as_slice()], "this board has nothing to tell old from new");
    let mut careful = Line::with(loader_with(Challenge([1; 16])));
    let said = answers(&mut careful, &line.sent);
    let refusal = Refusal::plain(Reason::Challenge);
    assert_eq!(said[0], Answer::Refused { number: 1, refusal });
    careful.work();
    assert!(careful.slot.written.is_empty());
}

#[test]
fn a_piece_that_was_changed_by_somebody_who_knows_the_checksum_is_found_and_the_program_sent_again() {
    let program = program(1, 250);
    let mut line = Line::new();
    let signed = signed(1, &program);
    ask(&mut line, Request::Order(signed.bytes()));
    ask(&mut line, Request::Piece { offset: 0, bytes: &[0; 192] });
    let answer = ask(&mut line, Request::Piece { offset: 192, bytes: &program[192..] });
    assert_eq!(answer, Answer::Refused { number: 1, refusal: Refusal::plain(Reason::Digest) });
    line.work();
    assert!(line.slot.written.is_empty());
    let outcome = line.exchange(Sender::new(signed, PATIENCE, 0), &program, well);
    assert_eq!((outcome, line.slot.written), (RUNS, vec![program]));
}

#[test]
fn a_piece_that_comes_again_or_leaves_a_gap_changes_nothing() {
    let program = program(1, 600);
    let mut line = Line::new();
    ask(&mut line, Request::Order(signed(1, &program).bytes()));
    let mut came = |offset: usize, length: usize| {
        let bytes = &program[offset..offset + length];
        match ask(&mut line, Request::Piece { offset: offset as u32, bytes }) {
            Answer::Standing(standing) => (standing.phase, standing.count),
            refused => panic!("{refused:?}"),
        }
    };
    let places =
        [(192, 100), (0, 192), (0, 192), (0, 100), (100, 150), (400, 100), (192, 8), (0, 0), (200, 192)];
    let counts = places.map(|(offset, length)| came(offset, length));
    let expected = [0, 192, 192, 192, 192, 192, 200, 200, 392].map(|count| (Phase::Receiving, count));
    assert_eq!(counts, expected);
    assert_eq!([came(392, 192), came(584, 16)], [(Phase::Receiving, 584), (Phase::Waiting, 0)]);
}

/// An order that is right but for one thing.
fn wrong(change: impl FnOnce(&mut Order)) -> SignedOrder {
    let mut order = order(5, &program(1, 40));
    change(&mut order);
    SignedOrder::sign(order, &secret())
}

#[test]
fn every_refusal_of_an_order_has_its_reason_and_changes_nothing() {
    let program = program(1, 40);
    let stranger = KeyPair::from_seed(Seed::new([8; 32])).sk;
    let cases = [
        (wrong(|order| order.identity = Identity([0; 32])), Refusal::plain(Reason::Image)),
        (wrong(|order| order.challenge = Challenge([1; 16])), Refusal::plain(Reason::Challenge)),
        (wrong(|order| order.slot = 0), Refusal::with(Reason::Slot, u64::from(SLOT))),
        (wrong(|order| order.length = ROOM as u32 + 1), Refusal::with(Reason::TooLong, ROOM as u64)),
        (wrong(|order| order.length = u32::MAX), Refusal::with(Reason::TooLong, ROOM as u64)),
        (wrong(|order| order.number = 3), Refusal::with(Reason::Replay, 4)),
        (wrong(|order| order.number = 0), Refusal::with(Reason::Replay, 4)),
        (wrong(|order| order.at = 1 << 33), Refusal::with(Reason::Late, (1 << 33) + 1)),
        (SignedOrder::sign(order(5, &program), &stranger), Refusal::plain(Reason::Signature)),
    ];
    let mut line = Line::new();
    assert_eq!(line.swap(4, &program), RUNS);
    line.now = (1 << 33) + 1;
    for (signed, refusal) in cases {
        let answer = ask(&mut line, Request::Order(signed.bytes()));
        assert_eq!(answer, Answer::Refused { number: signed.order().number, refusal });
        assert_eq!(line.board.last(), 4, "{refusal}");
    }
    assert_eq!(line.swap(5, &program), RUNS);
}

#[test]
fn every_other_refusal_has_its_reason() {
    let mut line = Line::new();
    let signed = signed(1, &program(1, 40));
    let refused = |line: &mut Line, bytes: &[u8]| match answers(line, bytes)[..] {
        [Answer::Refused { refusal, .. }] => refusal,
        ref other => panic!("{other:?}"),
    };
    assert_eq!(refused(&mut line, b"noise\0"), Refusal::plain(Reason::Damaged));
    let unknown = beryl_link::Outgoing::new(beryl_link::Frame { kind: 0x55, sequence: 1, payload: b"?" });
    assert_eq!(refused(&mut line, unknown.as_ref()), Refusal::plain(Reason::Unknown));
    assert_eq!(reason(&mut line, Request::Ask), Some(Refusal::plain(Reason::NoOrder)));
    let piece = Request::Piece { offset: 0, bytes: b"piece" };
    assert_eq!(reason(&mut line, piece), Some(Refusal::plain(Reason::NoOrder)));
    let short = Request::Order(&signed.bytes()[1..]);
    assert_eq!(reason(&mut line, short), Some(Refusal::plain(Reason::Malformed)));
    let long = Request::Piece { offset: 0, bytes: &[0; 193] };
    assert_eq!(reason(&mut line, long), Some(Refusal::plain(Reason::Unknown)));
    assert_eq!(reason(&mut line, Request::Order(signed.bytes())), None);
    for offset in [36, 40, u32::MAX] {
        let outside = Request::Piece { offset, bytes: b"piece" };
        assert_eq!(reason(&mut line, outside), Some(Refusal::with(Reason::Outside, 40)), "{offset}");
    }
    assert_eq!(
        line.swap(2, b"bad program"),
        Outcome::Refused(Refusal { reason: Reason::Check, details: [7, 3] })
    );
    let outcome = line.exchange(Sender::new(back(3), PATIENCE, 0), &[], well);
    assert_eq!(outcome, Outcome::Refused(Refusal::with(Reason::Kernel, u64::from(BUSY))));
    assert!(line.slot.ran.is_empty());
}

#[test]
fn while_a_program_is_checked_or_waits_no_other_order_is_taken() {
    let (first, second) = (program(1, 40), program(2, 40));
    let mut line = Line::new();
    ask(&mut line, Request::Order(signed(1, &first).bytes()));
    ask(&mut line, Request::Piece { offset: 0, bytes: &first });
    let mut refused = 0;
    while line.slot.ran.is_empty() {
        line.work();
        if line.slot.ran.is_empty() {
            let answer = reason(&mut line, Request::Order(signed(2, &second).bytes()));
            assert_eq!(answer, Some(Refusal::plain(Reason::Busy)));
            refused += 1;
        }
    }
    assert_eq!((refused, line.board.last()), (6, 1));
    assert_eq!(line.swap(2, &second), RUNS);
}

#[test]
fn text_between_frames_is_passed_over_on_both_sides() {
    let program = program(1, 250);
    let mut line = Line::new();
    let sender = Sender::new(signed(1, &program), PATIENCE, 0);
    // After each end of a frame, a line of text: the next frame brings its own beginning.
    let outcome = line.exchange(sender, &program, |_, _, byte| match byte {
        0 => b"\0 a line of text\n\0".to_vec(),
        byte => vec![byte],
    });
    assert_eq!((outcome, line.slot.ran), (RUNS, vec![program]));
}

#[test]
fn a_way_back_needs_an_order_of_its_own_each_time() {
    let (first, second) = (program(1, 40), program(2, 40));
    let mut line = Line::new();
    assert_eq!([line.swap(1, &first), line.swap(2, &second)], [RUNS; 2]);
    let done = Outcome::Running { steps: 0 };
    assert_eq!(line.exchange(Sender::new(back(3), PATIENCE, 0), &[], well), done);
    // The same order again is not another step back.
    assert_eq!(line.exchange(Sender::new(back(3), PATIENCE, 0), &[], well), done);
    assert_eq!(line.slot.ran, [first.clone(), second.clone(), first.clone()]);
    assert_eq!(line.exchange(Sender::new(back(4), PATIENCE, 0), &[], well), done);
    assert_eq!(line.slot.ran, [first.clone(), second.clone(), first, second]);
    assert_eq!(back(4).order().command, Command::Back);
}

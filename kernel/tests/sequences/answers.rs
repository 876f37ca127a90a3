//! Servers that are policed: one works for a request so long at most, and is stopped if it takes longer.

use beryl_abi::{EndpointId, ThreadId};
use beryl_kernel::Event;

use crate::assert_story;
use crate::host::Do::{self, At};
use crate::host::asks::Wait::{AtMost, Forever};
use crate::host::asks::{await_period, await_request, call, call_for, give, reply, sleep_until, take};
use crate::host::draft::{Answering, Draft, Queue};
use crate::host::{Rig, only_records};

const SERVER: ThreadId = ThreadId(3);

/// Threads 0, 1 and 2 are clients, 0 the most urgent; 3 serves them within three ticks, the least urgent of all; 4 idles.
fn shop() -> (Draft<Answering>, EndpointId) {
    let mut draft = Draft::<Answering>::new(&[Queue::Fixed]);
    clients(&mut draft);
    draft.free(1, 0, 1);
    let endpoint = draft.endpoint(SERVER, 8, 8);
    (draft, endpoint)
}

fn clients(draft: &mut Draft<Answering>) {
    for (process, priority) in [(0, 9), (0, 7), (2, 5)] {
        draft.free(process, 0, priority);
    }
}

/// The clients sleep until these ticks, and the server goes on.
fn begun(draft: Draft<Answering>, until: [u64; 3], script: &[Do]) -> Rig<Answering> {
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    until.into_iter().for_each(|instant| rig.step(sleep_until(instant)));
    script.iter().for_each(|step| rig.step(*step));
    rig
}

/// What was told behind tick 0.
fn told(rig: &Rig<Answering>) -> Vec<String> {
    let told = only_records(rig.kernel.machine.log.clone());
    told.into_iter().skip_while(|line| line.starts_with("0 ")).collect()
}

fn fault(at: u64) -> String {
    format!("{at} fault 3: client kept waiting for longer than the hold")
}

fn is_answered(rig: &Rig<Answering>, line: &str) {
    let log = &rig.kernel.machine.log;
    assert!(log.iter().any(|told| told == line), "not `{line}`: {log:#?}");
}

fn nobody_is_stopped(rig: &Rig<Answering>) {
    assert!(!told(rig).iter().any(|line| line.contains("fault")), "{:#?}", told(rig));
}

/// It gets the request at 5, and another one waits from 6 on. Both learn it.
#[test]
fn who_does_not_answer_in_time_is_stopped_with_the_tick_that_is_too_much() {
    let (draft, shop) = shop();
    let script = [
        await_request(shop, 0, Forever),
        At(5),
        call(shop, [1, 0]),
        At(6),
        call(shop, [2, 0]),
        At(9),
        sleep_until(1000),
    ];
    let rig = begun(draft, [6, 5, 1000], &script);
    assert_story(
        &told(&rig),
        &[
            "5 switch 4 to 1",
            "5 switch 1 to 3",
            "6 switch 3 to 0",
            "6 switch 0 to 3",
            &fault(9),
            "9 switch 3 to 0",
            "9 switch 0 to 1",
        ],
    );
    is_answered(&rig, "9 returns to 0: EndpointCall PeerDied");
    is_answered(&rig, "9 returns to 1: EndpointCall PeerDied");
}

/// It works for itself until 40, where a request waits for it for three ticks already, and then three ticks for that.
#[test]
fn what_it_does_before_somebody_comes_is_nobodys_loss() {
    let (draft, shop) = shop();
    let script = [
        At(37),
        call(shop, [1, 0]),
        At(40),
        await_request(shop, 0, Forever),
        At(43),
        reply(shop, [1, 0]),
        sleep_until(900),
        At(100),
    ];
    nobody_is_stopped(&begun(draft, [37, 1000, 1000], &script));
    // A tick longer isn't possible.
    let (draft, shop) = self::shop();
    let script = [At(37), call(shop, [1, 0]), At(40), await_request(shop, 0, Forever), At(44)];
    assert!(told(&begun(draft, [37, 1000, 1000], &script)).contains(&fault(44)));
}

/// It doesn't take the request that comes at 5, and needn't while nobody comes.
#[test]
fn who_does_not_take_a_request_in_time_is_stopped_too() {
    let (draft, shop) = shop();
    let rig = begun(draft, [5, 1000, 1000], &[At(5), call(shop, [1, 0]), At(100)]);
    assert_story(&told(&rig), &["5 switch 3 to 0", "5 switch 0 to 3", &fault(9), "9 switch 3 to 0"]);
    // 0 gives up at 7, and the server finds nobody at 8: the next one that comes waits as long as any.
    let (draft, shop) = self::shop();
    let script = [
        At(5),
        call_for(shop, [1, 0], AtMost(2)),
        At(7),
        sleep_until(30),
        At(8),
        await_request(shop, 0, AtMost(2)),
        At(30),
        call(shop, [1, 0]),
        At(33),
        await_request(shop, 0, Forever),
        At(100),
    ];
    let rig = begun(draft, [5, 1000, 1000], &script);
    assert_eq!(told(&rig).iter().filter(|line| line.contains("fault")).collect::<Vec<_>>(), [&fault(37)]);
}

/// 0 and 1 wait at once, from 5 on. Each answer begins the next request.
#[test]
fn each_request_has_as_long() {
    let (draft, shop) = shop();
    let script = [
        await_request(shop, 0, Forever),
        At(5),
        call(shop, [1, 0]),
        At(6),
        call(shop, [2, 0]),
        At(8),
        reply(shop, [0, 0]),
        // 1 has its answer, and the server works for 0
        At(11),
        reply(shop, [0, 0]),
        sleep_until(20),
        sleep_until(1000),
        At(20),
        call(shop, [3, 0]),
        At(100),
    ];
    let rig = begun(draft, [6, 5, 1000], &script);
    assert!(told(&rig).contains(&fault(24)), "{:#?}", told(&rig));
    assert_eq!(told(&rig).iter().filter(|line| line.contains("fault")).count(), 1);
}

/// 0 runs from 6 to 10, above 1 that is being served.
#[test]
fn while_it_is_preempted_its_time_does_not_pass() {
    let (draft, shop) = shop();
    let script =
        [await_request(shop, 0, Forever), At(5), call(shop, [1, 0]), At(10), sleep_until(1000), At(100)];
    let rig = begun(draft, [6, 5, 1000], &script);
    let last = [&fault(13), "13 switch 3 to 1"].map(str::to_owned);
    assert!(told(&rig).ends_with(&last), "{:#?}", told(&rig));
}

/// 0 gives up at 7. The server goes on in its own place, for the rest of its time; then 1 may ask again, and is told.
#[test]
fn a_client_that_gives_up_changes_nothing() {
    let (draft, shop) = shop();
    let script = [
        await_request(shop, 0, Forever),
        At(5),
        call_for(shop, [1, 0], AtMost(2)),
        At(7),
        sleep_until(1000),
        At(100),
    ];
    let rig = begun(draft, [5, 1000, 1000], &script);
    assert_story(
        &told(&rig),
        &[
            "5 switch 4 to 0",
            "5 switch 0 to 3",
            "7 switch 3 to 0",
            "7 switch 0 to 3",
            &fault(9),
            "9 switch 3 to 4",
        ],
    );
}

/// It sleeps in the place of its client, which is the first: no `hold` counts for that.
#[test]
fn who_sleeps_instead_is_stopped_at_once() {
    let (draft, shop) = shop();
    let script =
        [await_request(shop, 0, Forever), At(5), call(shop, [1, 0]), At(6), sleep_until(50), At(100)];
    let rig = begun(draft, [5, 1000, 1000], &script);
    assert_story(&told(&rig), &["5 switch 4 to 0", "5 switch 0 to 3", &fault(6), "6 switch 3 to 0"]);
    is_answered(&rig, "6 returns to 0: EndpointCall PeerDied");
}

/// Nobody polices 0, which serves 1 for as long as it likes, and sleeps.
#[test]
fn who_is_not_policed_takes_the_time_it_likes() {
    let (mut draft, _) = shop();
    let other = draft.endpoint(ThreadId(0), 8, 8);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    let script = [
        await_request(other, 0, Forever),
        call(other, [1, 0]),
        At(50),
        sleep_until(90),
        At(95),
        reply(other, [0, 0]),
    ];
    script.into_iter().for_each(|step| rig.step(step));
    nobody_is_stopped(&rig);
    assert_eq!(rig.state().running(), ThreadId(1));
}

/// It waits for a semaphore that 2 owns, as every client would.
#[test]
fn waiting_for_its_turn_is_no_sleep_and_takes_none_of_its_time() {
    let (mut draft, shop) = shop();
    let lock = draft.binary();
    let script = [
        await_request(shop, 0, Forever),
        At(5),
        take(lock),
        At(6),
        call(shop, [1, 0]),
        At(8),
        take(lock),
        // 2 works in the place of 0
        At(20),
        give(lock),
        At(21),
        give(lock),
        reply(shop, [0, 0]),
    ];
    let rig = begun(draft, [6, 1000, 5], &script);
    nobody_is_stopped(&rig);
    is_answered(&rig, "21 returns to 0: EndpointCall Success 0 0");
}

/// Every ten ticks it has a job; the third comes before the second is over, in which it has got a request.
#[test]
fn a_new_job_gives_it_no_new_time() {
    let mut draft = Draft::<Answering>::new(&[Queue::Fixed]);
    clients(&mut draft);
    let server = draft.periodic(1, 0, 1, 10);
    draft.row(server).catch_up = 1;
    let shop = draft.endpoint(server, 8, 8);
    let script = [
        At(23),
        await_request(shop, 0, Forever),
        At(25),
        call(shop, [1, 0]),
        At(27),
        await_period(),
        At(100),
    ];
    let rig = begun(draft, [25, 1000, 1000], &script);
    assert!(told(&rig).contains(&fault(29)), "{:#?}", told(&rig));
}

/// Its process begins anew; what it had to answer is over, whatever its clock says.
#[test]
fn who_begins_anew_owes_no_answer() {
    let (mut draft, shop) = shop();
    draft.restart(1, 2, 1000);
    let script = [
        await_request(shop, 0, Forever),
        At(5),
        call(shop, [1, 0]),
        At(9),
        // 0 was told, and sleeps; the server works for itself
        sleep_until(1000),
        At(30),
    ];
    let rig = begun(draft, [5, 1000, 1000], &script);
    assert_eq!(told(&rig).iter().filter(|line| line.contains("fault")).count(), 1, "{:#?}", told(&rig));
    assert_eq!(rig.state().running(), SERVER);
}

//! Two kernels beside each other, as on two cores: each goes as it would alone, whatever the other does
//! between its steps. Nothing of a kernel lies outside of its value.

mod host;

use beryl_abi::CallNumber::{Complete, Yield};
use beryl_abi::FaultKind;
use beryl_kernel::{Event, System};
use beryl_testing::{Draw, XorShiftStar as Random};
use host::asks::{Wait, give, receive, send, take};
use host::draft::{Draft, Queue, Small};
use host::{Do, Rig};

/// A task that comes every few ticks, above two threads that share a semaphore and a mailbox; and what happens to them.
fn drawn(seed: u64) -> (System<Small>, Vec<Do>) {
    let mut random = Random::from_zero(seed);
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2), Queue::Fixed]);
    let task = draft.task(0, 0, 0);
    draft.free(1, 1, 2);
    draft.free(2, 1, 1);
    let (semaphore, mailbox) = (draft.binary(), draft.mailbox(4, 2));
    draft.release_every(task, random.within(4, 9));
    let asks = [
        take(semaphore),
        give(semaphore),
        send(mailbox, [random.next() as u32 & 0xFF, 0], Wait::Poll),
        receive(mailbox, 0, Wait::AtMost(5)),
        Do::Call(Complete),
        Do::Call(Complete),
        Do::Call(Yield),
        Do::Fault(FaultKind::Usage),
    ];
    let mut now = 0;
    let script = (0..80).map(|_| match random.once_in(3) {
        true => {
            now += random.within(1, 5);
            Do::At(now)
        }
        false => *random.one_of(&asks),
    });
    let script = script.collect();
    (draft.finish().0, script)
}

#[test]
fn each_goes_as_it_would_alone() {
    for seed in 0..100 {
        let (one, other) = (drawn(2 * seed), drawn(2 * seed + 1));
        let alone = [&one, &other].map(|(system, script)| host::play(system, script).kernel.machine.log);
        let mut rigs = [Rig::new(&one.0), Rig::new(&other.0)];
        rigs.iter_mut().for_each(|rig| {
            rig.raise(Event::Start);
        });
        let mut random = Random::from_zero(seed);
        let mut scripts = [one.1.iter(), other.1.iter()];
        while scripts.iter().any(|script| script.len() > 0) {
            let turn = random.below(2);
            scripts[turn].next().into_iter().for_each(|event| rigs[turn].step(*event));
        }
        let beside = rigs.map(|rig| rig.kernel.machine.log);
        assert!(
            alone[0] != alone[1] && alone.iter().all(|log| log.len() > 40),
            "seed {seed}: little happens"
        );
        assert!(beside == alone, "seed {seed}: {beside:#?} instead of {alone:#?}");
    }
}

//! The variant that publishes outputs when a job completes, not at the end of its logical execution
//! time: the counter-example to determinism that recordings are compared with.

use beryl_abi::CallNumber::Complete;
use beryl_kernel::Event;

use crate::assert_story;
use crate::host::Do::{At, Call, Write};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Rig, run};

#[test]
fn outputs_become_visible_at_completion() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let [fast, slow] = [draft.task(0, 0, 0), draft.task(0, 0, 0)];
    let publish = draft.copy(fast, 0x100, 0x200, 4);
    let read = draft.copy(slow, 0x200, 0x300, 4);
    let code = [
        release(fast, 0),
        call(read),
        release(slow, 1),
        future(0, 7),
        RETURN,
        call(publish),
        RETURN,
        release(fast, 0),
        future(0, 0),
        RETURN,
    ];
    let program = draft.program(&[10, 20], &code);
    draft.on_completion(fast, program, 5);
    let script = [
        At(3),
        Write(0x100, 1),
        Call(Complete),
        At(11),
        Write(0x100, 2),
        Call(Complete),
        At(12),
        Call(Complete),
        At(20),
    ];
    assert_story(
        &run(&draft.finish().0, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 copy 0x200 to 0x300, 4 bytes",
            "0 driver 1 at 0 = 0",
            "0 release 1 at 0 by 20",
            "0 arm 10",
            "0 switch 2 to 0",
            "3 complete 0",
            // at the instant of the completion, and the program's trigger stays where it was
            "3 copy 0x100 to 0x200, 4 bytes",
            "3 driver 0 at 3 = 1",
            "3 arm 10",
            "3 switch 0 to 1",
            "10 release 0 at 10 by 20",
            "10 arm 20",
            "10 switch 1 to 0",
            "11 complete 0",
            "11 copy 0x100 to 0x200, 4 bytes",
            "11 driver 0 at 11 = 2",
            "11 arm 20",
            "11 switch 0 to 1",
            "12 complete 1",
            "12 switch 1 to 2",
            "20 release 0 at 20 by 30",
            "20 copy 0x200 to 0x300, 4 bytes",
            "20 driver 1 at 20 = 2",
            "20 release 1 at 20 by 40",
            "20 arm 30",
            "20 switch 2 to 0",
        ],
    );
}

/// A completion that isn't recorded has a short way, which E code at completions mustn't take.
#[test]
fn outputs_become_visible_whether_or_not_that_is_recorded() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(0, 0, 0);
    let publish = draft.copy(task, 0x100, 0x200, 4);
    let program = draft.program(&[10], &[release(task, 0), future(0, 0), RETURN, call(publish), RETURN]);
    draft.on_completion(task, program, 3);
    let system = draft.finish().0;
    let play = |is_tracing| {
        let mut rig = Rig::new(&system);
        rig.kernel.state.set_tracing(is_tracing);
        rig.raise(Event::Start);
        [At(3), Write(0x100, 7), Call(Complete), At(11)].iter().for_each(|step| rig.step(*step));
        rig.kernel.state.set_tracing(true);
        rig
    };
    let (mut quiet, mut loud) = (play(false), play(true));
    assert_eq!([quiet.host().word(0x200), loud.host().word(0x200)], [7, 7]);
    assert_eq!(quiet.state(), loud.state());
}

#[test]
fn a_task_that_is_released_again_while_it_completes_simply_goes_on() {
    use crate::host::Do::Late;
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(0, 0, 0);
    let publish = draft.copy(task, 0x100, 0x200, 4);
    let program = draft.program(&[10], &[release(task, 0), future(0, 0), RETURN, call(publish), RETURN]);
    draft.on_completion(task, program, 3);
    let story = run(&draft.finish().0, &[Late(10), Call(Complete), At(12), Call(Complete)]);
    assert_story(
        &story,
        &[
            "0 release 0 at 0 by 10",
            "0 arm 10",
            "0 switch 1 to 0",
            // the call comes when the next release is due already: first the completion
            "10 complete 0",
            "10 copy 0x100 to 0x200, 4 bytes",
            "10 driver 0 at 10 = 0",
            // then the release, of the same task: its call returns, and nobody is switched to
            "10 release 0 at 10 by 20",
            "10 arm 20",
            "12 complete 0",
            "12 copy 0x100 to 0x200, 4 bytes",
            "12 driver 0 at 12 = 0",
            "12 arm 20",
            "12 switch 0 to 1",
        ],
    );
}

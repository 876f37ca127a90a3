//! The console's receiver as a stream of bytes: for a thread, which sleeps until something comes, and for a task, beside which
//! others run meanwhile.
#![allow(missing_docs)]

use beryl_ecosystem::executor::{Event, Executor};
use beryl_ecosystem::serial::{AsyncInput, Input};
use beryl_user::fake::{End, Fake};
use beryl_user::interrupt::Interrupt;
use beryl_user::println;
use embedded_io::Read;

/// What is looked for and not there is waited for, an interrupt each time; a byte that is there isn't.
#[test]
fn a_thread_sleeps_until_a_byte_comes() {
    let fake = Fake::new();
    let (line, unmasked) = fake.interrupt();
    // The second interrupt has no byte with it.
    fake.typed([Some(b'a'), None, Some(b'b'), None, None, Some(b'c')]);
    fake.coming([line.bits(), line.bits(), line.bits()]);
    let read = fake.run(|| {
        let mut input = Input::new(line);
        assert_eq!(input.read(&mut []), Ok(0), "no room, and nobody looks");
        [(); 3].map(|()| {
            // One byte, whatever the room: the device holds no more.
            let mut room = [0; 4];
            assert_eq!(input.read(&mut room), Ok(1));
            room[0]
        })
    });
    assert_eq!(&read, b"abc");
    // The first wait finds the line open.
    assert_eq!(unmasked.take(), 2);
}

static EXECUTOR: Executor = Executor::new();
static CAME: Event = Event::new();

#[embassy_executor::task]
async fn echo(line: Interrupt) {
    let mut input = AsyncInput::new(line, &CAME);
    assert_eq!(embedded_io_async::Read::read(&mut input, &mut []).await, Ok(0));
    loop {
        let mut room = [0; 4];
        assert_eq!(embedded_io_async::Read::read(&mut input, &mut room).await, Ok(1));
        println!("read {}", char::from(room[0]));
    }
}

#[embassy_executor::task]
async fn beside() {
    println!("others run");
}

/// A task that waits for a byte keeps no other from running, and goes on with each event of its line.
#[test]
fn a_task_lets_others_run_until_a_byte_comes() {
    let fake = Fake::new();
    let (line, unmasked) = fake.interrupt();
    let ((wake, _), woken) = (fake.notifier(), fake.notification());
    let bits = line.bits();
    fake.typed([None, Some(b'x'), None, None, Some(b'y')]);
    fake.coming([bits, bits, bits]);
    let end = fake.thread(|| {
        EXECUTOR.run(wake, &woken, [(bits, &CAME)], |spawner| {
            spawner.spawn(echo(line).expect("room for a task"));
            spawner.spawn(beside().expect("room for a task"));
        })
    });
    assert_eq!(end, End::NoNotification);
    assert_eq!(fake.printed(), "others run\nread x\nread y\n");
    // Before each wait, the last in vain; the first finds the line open.
    assert_eq!(unmasked.take(), 3);
}

//! The threads of the hostile process that the description gives its objects: what each is good for is in the numbers of
//! calls, so the handles stay unused on the board.

use beryl_user::condition::Condition;
use beryl_user::endpoint::{Client, Server};
use beryl_user::event_group::Source;
use beryl_user::lock::Lock;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::notification::Notifier;
use beryl_user::semaphore::{Binary, Counting};
use beryl_user::state::Writer;

use crate::wild;

/// Uses what it has a little in the right way, then goes wrong.
#[expect(clippy::too_many_arguments, reason = "it is given one object of each kind")]
pub fn with_objects(
    mut word: Lock<i32>,
    mut units: Counting,
    mut post: Sender<[i32; 2]>,
    mut long: Sender<[i32; 8]>,
    mut back: Receiver<[i32; 8]>,
    _stand: Client<[i32; 4], [i32; 4]>,
    mut flags: Source,
    mut ring: Notifier,
    mut level: Writer<[i32; 4]>,
) -> ! {
    word.with(|word| *word = 1);
    let _ = units.signal();
    let _ = post.try_send(&[1, 2]);
    let _ = long.try_send(&[7; 8]);
    let _ = back.try_receive();
    flags.set(1);
    ring.notify();
    level.write(&[1, 2, 3, 4]);
    wild()
}

/// The other user of the lock; it has the semaphores, too.
pub fn with_locks(
    mut word: Lock<i32>,
    mut own: Binary<()>,
    mut shared: Binary<()>,
    turn: Condition,
    mut desk: Client<[i32; 2], [i32; 2]>,
) -> ! {
    word.with(|word| *word = 2);
    let _ = own.try_wait().map(drop);
    let _ = shared.try_wait().map(drop);
    turn.signal();
    let _ = desk.call(&[1, 2]);
    wild()
}

/// A server that serves nobody.
pub fn stands(_stand: Server<[i32; 4], [i32; 4]>) -> ! {
    wild()
}

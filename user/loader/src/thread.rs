//! The loader's thread: carries bytes, and works while there is something to do.

use beryl_link::loader::Post;
use beryl_link::slot::CallRefused;
use beryl_link::{Challenge, Identity, Loader, Pace, Progress, PublicKey, SinceReset};
use beryl_user::interrupt::Interrupt;
use beryl_user::mailbox::Receiver;
use beryl_user::slot::Slot;
use beryl_user::time::{Duration, Instant, Wait, now};
use beryl_user::{call, console};

use crate::piece::{Piece, bytes};

/// Ticks between two looks at a program that waits to take over.
const LOOK: Duration = Duration::from_ticks(1 << 15);
/// The longest wait for a byte; then it looks at the clock, and waits again.
const LONGEST: Duration = Duration::from_ticks(1 << 29);

/// Serves the link with room for a program of so many bytes.
///
/// The numbers of orders are kept until the next reset, and the board has nothing to choose a challenge with.
pub fn load<const ROOM: usize>(
    key: PublicKey,
    slot: Slot,
    mut line: Receiver<Piece>,
    mut sent: Interrupt,
) -> ! {
    let identity = Identity(slot.image());
    let post = Post {
        key,
        identity,
        slot: slot.number(),
        challenge: Challenge::default(),
        numbers: SinceReset::default(),
    };
    let mut loader = Loader::<_, ROOM>::new(post);
    let mut slot = KernelSlot(slot);
    let mut pace = Pace::Never;
    loop {
        if let Ok(piece) = line.receive_for(wait(pace)) {
            for byte in bytes(&piece) {
                if let Some(answer) = loader.take(byte, now().ticks()) {
                    send(answer.as_ref(), &mut sent);
                }
            }
        }
        pace = loader.work(&mut slot, now().ticks());
    }
}

/// How long to wait for bytes before there is other work.
fn wait(pace: Pace) -> Wait {
    match pace {
        Pace::Now => Wait::Poll,
        Pace::At(tick) => Wait::AtMost(Instant::from_ticks(tick).since(now()).min(LONGEST)),
        Pace::Soon => Wait::AtMost(LOOK),
        Pace::Never => Wait::Forever,
    }
}

/// Sends bytes; while the device sends one, others run. Where it doesn't tell when it has sent one, the next waits for
/// that here, at this thread's urgency.
fn send(bytes: &[u8], sent: &mut Interrupt) {
    if sent.is_silent() {
        return bytes.iter().for_each(|byte| console::put(*byte));
    }
    for byte in bytes {
        console::transmit(*byte);
        if sent.wait().is_err() {
            call::stop();
        }
    }
}

/// The kernel's slot.
struct KernelSlot(Slot);

impl beryl_link::Slot for KernelSlot {
    fn write(&mut self, container: &[u8]) -> Result<(), CallRefused> {
        self.0.write(container).map_err(refused)
    }

    fn check(&mut self) -> Result<Progress, CallRefused> {
        self.0.check().map_err(refused).map(|progress| match progress {
            beryl_user::slot::Progress::More => Progress::More,
            beryl_user::slot::Progress::Accepted => Progress::Accepted,
            beryl_user::slot::Progress::Running => Progress::Running,
            // Nothing was written, so nothing can have been wrong with it.
            beryl_user::slot::Progress::Nothing => Progress::Refused { reason: 0, address: 0 },
            beryl_user::slot::Progress::Refused { reason, address } => {
                Progress::Refused { reason: reason.into(), address: address.into() }
            }
        })
    }

    fn rollback(&mut self) -> Result<(), CallRefused> {
        self.0.rollback().map_err(refused)
    }
}

fn refused(error: call::CallError) -> CallRefused {
    CallRefused(error as u32)
}

//! A guest that tries a safe to which it has no right, its host, and the warden who hears of it.
#![no_std]

use beryl_abi::MailboxId;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::period::Period;
use beryl_user::supervisor::{Report, Supervisor};
use beryl_user::trace;

/// The safe's number: mailboxes are numbered in the order of the description.
const SAFE: MailboxId = MailboxId(1);
/// How often the guest tries it in a job.
const TRIES: i32 = 3;

/// Who is watched, as the description names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Who has no right to the safe.
    Guest,
}

/// Hears of everything, and writes it down.
pub fn warden(mut reports: Supervisor<Watched>) -> ! {
    loop {
        if let Ok(Report { who: Watched::Guest, what, count, .. }) = reports.hear() {
            trace::tell(what as u16, u32::from(count));
        }
    }
}

/// Opens what comes.
pub fn host(
    mut period: Period,
    mut door: Receiver<[i32; 2]>,
    mut safe: Receiver<[i32; 2]>,
    mut into: Sender<[i32; 2]>,
) -> ! {
    loop {
        let _ = into.try_send(&[1, 1]);
        while safe.try_receive().is_ok() {}
        while door.try_receive().is_ok() {}
        period.wait();
    }
}

/// Knocks, and tries the safe.
pub fn guest(mut period: Period, mut door: Sender<[i32; 2]>) -> ! {
    // SAFETY: messages are of this type. That the thread has no right to send them is the point: the kernel refuses.
    let mut safe = unsafe { Sender::<[i32; 2]>::new(SAFE) };
    loop {
        let _ = door.try_send(&[0, 0]);
        for number in 0..TRIES {
            let _ = safe.try_send(&[number, 0]);
        }
        period.wait();
    }
}

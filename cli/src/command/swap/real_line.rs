//! The line to a board, real or emulated: two streams of bytes, and this machine's clock.

use std::io::{self, Read, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::session::{News, Session};

/// The longest wait for a byte before checking the clock.
const LOOK: Duration = Duration::from_millis(20);

/// Runs a session over two streams until it is over. `tell` gets the news with the time since the start in
/// nanoseconds. A closed line ends the session.
pub fn speak(
    session: &mut Session,
    incoming: impl Read + Send + 'static,
    outgoing: &mut impl Write,
    mut tell: impl FnMut(u64, &News),
) -> io::Result<()> {
    let start = Instant::now();
    let now = || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let heard = listen(incoming);
    while !session.is_over() {
        if let Some(frame) = session.say(now()) {
            match outgoing.write_all(frame.as_ref()).and_then(|()| outgoing.flush()) {
                // The other end is gone.
                Err(reason) if is_gone(&reason) => return Ok(()),
                sent => sent?,
            }
        }
        let wait =
            session.due().map_or(LOOK, |due| Duration::from_nanos(due.saturating_sub(now())).min(LOOK));
        match heard.recv_timeout(wait) {
            Ok(bytes) => bytes.into_iter().for_each(|byte| session.hear(byte, now())),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        session.news().iter().for_each(|news| tell(now(), news));
    }
    Ok(())
}

/// Reads a stream on a thread of its own. The thread ends with the stream, or at the next bytes after the
/// receiver is dropped.
pub fn listen(mut stream: impl Read + Send + 'static) -> std::sync::mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = [0; 256];
        loop {
            match stream.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => {
                    if sender.send(bytes[..count].to_vec()).is_err() {
                        break;
                    }
                }
                Err(reason) if is_passing(&reason) => {}
                Err(_) => break,
            }
        }
    });
    receiver
}

/// Whether the other end is gone.
pub fn is_gone(reason: &io::Error) -> bool {
    matches!(reason.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

/// Whether nothing has come yet.
fn is_passing(reason: &io::Error) -> bool {
    matches!(reason.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

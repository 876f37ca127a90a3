//! Listening to a board: at a serial line, or at any two streams.

use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use beryl_abi::Classes;
use beryl_builder::{Project, image};
use beryl_link::tracing::choose;

use super::Record;
use super::recorder::{Recorder, Sink};
use crate::command::swap::{Shared, is_gone, listen};
use crate::console::{Console, Failure, WELL};
use crate::files::{keep_statements, names_of, workshop};

/// The longest wait for a byte before checking the clock.
const LOOK: Duration = Duration::from_millis(50);
/// How often to ask the board for classes until it confirms them.
const ASK: Duration = Duration::from_millis(500);
/// After this long a silent board is dead: even a board with nothing to report sends its clock.
pub const SILENCE: Duration = Duration::from_secs(20);

/// Records from a board at a serial line, for the requested length.
pub fn record(
    record: &Record,
    port: &Path,
    project: &Project,
    path: &Path,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let shared = Shared::open(port, record.baud)
        .with_context(|| format!("can't open the serial line {}", port.display()))?;
    let built = image::build(project, &workshop(), |step| console.step(step))?;
    let mut recorder = Recorder::create(path, &names_of(project)?)?;
    keep_statements(path, &built.statements)?;
    recorder.expect(built.identity);
    console.step(format_args!("recording from {}", port.display()));
    let length = Duration::from_nanos(record.span.length.get());
    let incoming = shared.clone();
    let mut outgoing = shared;
    let end = until(&mut recorder, incoming, &mut outgoing, record.classes, Some(length), SILENCE);
    recorder.report(&port.display().to_string(), console);
    end?;
    Ok(ExitCode::from(WELL))
}

/// Records until the line is closed or the time is up.
///
/// # Errors
/// If the line breaks or stays silent, or the file can't grow.
pub fn until<S: Sink>(
    recorder: &mut Recorder<S>,
    incoming: impl Read + Send + 'static,
    outgoing: &mut impl Write,
    classes: Option<Classes>,
    length: Option<Duration>,
    silence: Duration,
) -> Result<()> {
    follow(recorder, &listen(incoming), outgoing, classes, length, silence)
}

/// The same for bytes that are already being received.
pub fn follow<S: Sink>(
    recorder: &mut Recorder<S>,
    heard: &Receiver<Vec<u8>>,
    outgoing: &mut impl Write,
    classes: Option<Classes>,
    length: Option<Duration>,
    silence: Duration,
) -> Result<()> {
    let start = Instant::now();
    let (mut last_heard, mut last_asked) = (start, None);
    while length.is_none_or(|length| start.elapsed() < length) {
        let wanted = classes.filter(|classes| recorder.told() != Some(*classes));
        if let Some(classes) = wanted.filter(|_| last_asked.is_none_or(|last: Instant| last.elapsed() > ASK))
        {
            match outgoing.write_all(choose(classes.0).as_ref()).and_then(|()| outgoing.flush()) {
                // The other end is gone.
                Err(reason) if is_gone(&reason) => return Ok(()),
                sent => sent.context("the board can't be asked for classes")?,
            }
            last_asked = Some(Instant::now());
        }
        match heard.recv_timeout(LOOK) {
            Ok(bytes) => {
                recorder.hear(&bytes)?;
                last_heard = Instant::now();
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) if last_heard.elapsed() < silence => {}
            Err(RecvTimeoutError::Timeout) => {
                return Err(anyhow!(
                    "the board has said nothing for {} s; does it run an image with a [trace], and is the line's speed right? What came \
                     before is in the file",
                    silence.as_secs()
                ));
            }
        }
    }
    Ok(())
}

//! A swap on a board at a serial line.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use beryl_builder::{Project, image};
use beryl_link::Patience;
use serial2::SerialPort;

use super::order::Order;
use super::session::{News, Session};
use super::{real_line, report};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::workshop;

/// Nanoseconds of this machine's time.
const PATIENCE: Patience =
    Patience { answer: 1_000_000_000, order: 5_000_000_000, pause: 50_000_000, tries: 5 };

/// Sends the orders over a serial line to a board that runs the system's image.
pub fn swap(path: &Path, project: &Project, order: &Order, console: &Console) -> Result<ExitCode, Failure> {
    let mut port = Shared::open(path, order.baud)
        .with_context(|| format!("can't open the serial line {}", path.display()))?;
    let built = image::build(project, &workshop(), |step| console.step(step))?;
    console.title(format_args!("Link, at {}", path.display()));
    let mut session = Session::new(order.plan(built.identity), PATIENCE);
    let mut refused = false;
    real_line::speak(&mut session, port.clone(), &mut port, |instant, news| {
        refused |= matches!(news, News::Refused(..));
        report::tell(instant, news, |shown| order.why(project, shown), console);
    })
    .with_context(|| format!("the serial line {} broke", path.display()))?;
    if !session.is_over() {
        return Err(anyhow!("the serial line {} was closed", path.display()).into());
    }
    report::end(session, console)?;
    Ok(ExitCode::from(if refused { REFUSED } else { WELL }))
}

/// A serial line shared by two threads, one for each direction.
#[derive(Clone)]
pub struct Shared(Arc<SerialPort>);

impl Shared {
    /// Opens a serial line at `baud` bits a second.
    ///
    /// # Errors
    /// If there is no such line, or it can't be configured.
    pub fn open(path: &Path, baud: u32) -> std::io::Result<Shared> {
        let mut port = SerialPort::open(path, baud)?;
        port.set_read_timeout(Duration::from_millis(100))?;
        Ok(Shared(Arc::new(port)))
    }
}

impl std::io::Read for Shared {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(bytes)
    }
}

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

//! The wire of an emulated board's network device: a socket of this machine, behind which another program has the other end.
//!
//! Each frame crosses with its length before it, in four bytes, the highest first. The board's time goes no faster than the
//! host's then, so that the program has time to answer; when it does, is the host's affair.

use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::{Outcome, Serial, boot, spoken};
use crate::board::BOARDS;
use crate::error::BuildError;
use crate::plan::Board;

/// The device that has a wire.
const DEVICE: &str = "ethernet";
/// Bytes of a socket's name, which the system limits.
const LONGEST: usize = 107;

/// A socket that somebody listens on.
#[derive(Clone, Debug)]
pub struct Wire(String);

impl Wire {
    /// The wire of a board's network device to the program that listens on the socket at `path`.
    ///
    /// # Errors
    /// The board has no such device, or there is no socket.
    pub fn to(board: &Board, path: &Path) -> Result<Wire, BuildError> {
        let refused = |message: String, proposal: String| BuildError::Limit { message, proposal };
        if board.device(DEVICE).is_none() {
            let others: Vec<_> = BOARDS
                .iter()
                .filter(|board| board.device(DEVICE).is_some())
                .map(|board| board.name)
                .collect();
            return Err(refused(
                format!("{} has no network", board.name),
                format!("leave `--network` out, or take one that has: {}", others.join(", ")),
            ));
        }
        let there = path.canonicalize().unwrap_or_else(|_| PathBuf::from(path));
        let is_socket = there.metadata().is_ok_and(|found| found.file_type().is_socket());
        if !is_socket {
            return Err(refused(
                format!("nobody listens at {}", path.display()),
                "start the program at the other end first, and name the Unix socket on which it listens"
                    .to_owned(),
            ));
        }
        match there.to_str().filter(|name| name.len() <= LONGEST) {
            Some(name) => Ok(Wire(name.replace(',', ",,"))),
            None => Err(refused(
                format!("the name of {} is no text, or longer than {LONGEST} bytes", path.display()),
                "let it listen at a shorter path".to_owned(),
            )),
        }
    }

    fn options(&self) -> [String; 4] {
        [
            "-netdev".to_owned(),
            format!("stream,id=wire,server=off,addr.type=unix,addr.path={}", self.0),
            "-net".to_owned(),
            "nic,model=lan9118,netdev=wire".to_owned(),
        ]
    }
}

/// A run as [`run`](super::run), with the board's network on a wire.
///
/// # Errors
/// As there; a program that doesn't answer any more is one, too.
pub fn run_on_wire(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
    wire: &Wire,
) -> Result<Outcome, BuildError> {
    let own = wire.options();
    let options: Vec<&str> = spoken::OPTIONS.into_iter().chain(own.iter().map(String::as_str)).collect();
    boot(board, image, window, speed, folder, &options, Serial::FileInTime, || Ok(()))
}

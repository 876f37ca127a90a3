//! Orders to the emulator, by its protocol for tests: a line of text for each, and one that answers it. The emulator's own
//! thread answers, while the board's waits here.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::rc::Rc;

use super::{Broken, Shared};

/// The other end, once it was needed. Copies have one stream: the emulator has one end of it.
#[derive(Clone)]
pub(crate) struct Orders {
    socket: PathBuf,
    stream: Rc<RefCell<Option<BufReader<UnixStream>>>>,
}

impl Orders {
    /// Orders through a socket.
    pub(crate) fn new(socket: PathBuf) -> Orders {
        Orders { socket, stream: Rc::default() }
    }

    /// Gives an order; what the emulator answers behind its consent.
    pub(crate) fn give(&self, order: &str) -> Result<String, Broken> {
        let broken = |reason: std::io::Error| Broken(format!("`{order}` to the emulator: {reason}"));
        let mut stream = self.stream.borrow_mut();
        let stream = match &mut *stream {
            Some(stream) => stream,
            None => {
                let connected = UnixStream::connect(&self.socket).map_err(broken)?;
                stream.insert(BufReader::new(connected))
            }
        };
        writeln!(stream.get_mut(), "{order}").map_err(broken)?;
        let mut answer = String::new();
        stream.read_line(&mut answer).map_err(broken)?;
        match answer.trim().strip_prefix("OK") {
            Some(answer) => Ok(answer.trim().to_owned()),
            None => Err(Broken(format!("the emulator answers `{}` to `{order}`", answer.trim()))),
        }
    }
}

/// All memory of a board, wherever it is.
pub(crate) struct Ordered(pub(crate) Orders);

impl Shared for Ordered {
    fn read(&self, address: u32, bytes: &mut [u8]) -> Result<(), Broken> {
        // The emulator ends if it is asked for nothing.
        if bytes.is_empty() {
            return Ok(());
        }
        let answer = self.0.give(&format!("read {address:#x} {}", bytes.len()))?;
        let digits = answer.strip_prefix("0x").unwrap_or_default();
        let pairs = digits
            .as_bytes()
            .chunks(2)
            .map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()));
        let read: Option<Vec<u8>> = pairs.collect();
        match read.filter(|read| read.len() == bytes.len()) {
            Some(read) => {
                bytes.copy_from_slice(&read);
                Ok(())
            }
            None => Err(Broken(format!("the emulator answers `{answer}` where bytes are due"))),
        }
    }

    fn write(&self, address: u32, bytes: &[u8]) -> Result<(), Broken> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut order = format!("write {address:#x} {} 0x", bytes.len());
        for byte in bytes {
            // A text has room for everything.
            let _ = write!(order, "{byte:02x}");
        }
        self.0.give(&order).map(drop)
    }
}

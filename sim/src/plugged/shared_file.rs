//! Memory of a board as a file: the emulator has mapped it, so both see the same bytes.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::{Broken, Shared};

/// The file, and the address of its first byte.
pub(crate) struct SharedFile {
    file: File,
    base: u32,
}

impl SharedFile {
    pub(crate) fn open(path: &Path, base: u32) -> Result<SharedFile, Broken> {
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(|reason| Broken(format!("{}: {reason}", path.display())))?;
        Ok(SharedFile { file, base })
    }

    fn place(&self, address: u32) -> Result<u64, Broken> {
        let place = address.checked_sub(self.base);
        place.map(u64::from).ok_or_else(|| Broken(format!("{address:#x} isn't in the shared memory")))
    }
}

impl Shared for SharedFile {
    fn read(&self, address: u32, bytes: &mut [u8]) -> Result<(), Broken> {
        let read = self.file.read_exact_at(bytes, self.place(address)?);
        read.map_err(|reason| Broken(format!("reading the shared memory: {reason}")))
    }

    fn write(&self, address: u32, bytes: &[u8]) -> Result<(), Broken> {
        let written = self.file.write_all_at(bytes, self.place(address)?);
        written.map_err(|reason| Broken(format!("writing the shared memory: {reason}")))
    }
}

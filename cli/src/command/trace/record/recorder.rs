//! Writes what arrives over a line into a trace file, frame by frame.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use beryl_abi::{Classes, Instant};
use beryl_builder::Identity;
use beryl_builder::workshop::replace;
use beryl_link::Frames;
use beryl_link::frame::Heard;
use beryl_link::tracing::Said;
use beryl_trace::Names;
use beryl_trace::file::Sealer;
use beryl_trace::trace_buffer::Drained;

use crate::console::Console;

/// The destination of a recording.
pub trait Sink: Write {
    /// Drops everything after the first `length` bytes, if possible.
    fn cut(&mut self, length: u64);
}

impl Sink for File {
    fn cut(&mut self, length: u64) {
        self.set_len(length).ok();
    }
}

/// A file that grows while a system runs. However the recording ends, the file holds whole blocks of records.
pub struct Recorder<S: Sink = File> {
    file: S,
    sealer: Sealer,
    path: PathBuf,
    frames: Frames,
    drained: Drained,
    /// The classes that the board says it traces.
    told: Option<Classes>,
    /// The image that the board should run, if known.
    image: Option<Identity>,
    /// Bytes that are in the file.
    written: u64,
    /// The number of invalid frames.
    damaged: u64,
}

impl Recorder {
    /// Creates a file, with the names beside it.
    ///
    /// # Errors
    /// If either can't be written.
    pub fn create(path: &Path, names: &Names) -> Result<Recorder> {
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        fs::create_dir_all(folder).with_context(|| format!("can't make the folder {}", folder.display()))?;
        let file = File::create(path).with_context(|| format!("can't write {}", path.display()))?;
        let json = names.to_json().context("the names can't be written")?;
        replace(&folder.join("names.json"), json.as_bytes())?;
        Recorder::begin(file, path)
    }
}

impl<S: Sink> Recorder<S> {
    /// Begins a file called `path`.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn begin(mut file: S, path: &Path) -> Result<Recorder<S>> {
        let (sealer, beginning) = Sealer::begin();
        file.write_all(&beginning).with_context(|| format!("can't write {}", path.display()))?;
        Ok(Recorder {
            file,
            sealer,
            path: path.to_owned(),
            frames: Frames::default(),
            drained: Drained::default(),
            told: None,
            image: None,
            written: u64::try_from(beginning.len()).unwrap_or_default(),
            damaged: 0,
        })
    }

    /// From now on, refuses notes of any other image.
    pub fn expect(&mut self, image: Identity) {
        self.image = Some(image);
    }

    /// The classes that the board has said it traces.
    pub fn told(&self) -> Option<Classes> {
        self.told
    }

    /// Takes bytes from the line.
    ///
    /// # Errors
    /// If another image runs than expected, or the file can't grow.
    pub fn hear(&mut self, bytes: &[u8]) -> Result<()> {
        for byte in bytes {
            let Some(Heard::Frame(frame)) = self.frames.take(*byte) else { continue };
            match Said::decode(&frame) {
                Some(Said::Tracing { classes, identity }) => {
                    self.told = Some(Classes(classes));
                    if self.image.as_ref().is_some_and(|image| image.0 != identity.0) {
                        return Err(anyhow!(
                            "the board runs another image, whose numbers mean other things; flash this system's, or name the folder of the other"
                        ));
                    }
                }
                Some(Said::Notes { before, time, notes }) => {
                    if !self.drained.take(before, Instant::from_ticks(time), notes) {
                        self.damaged += 1;
                    }
                    let records = self.drained.records();
                    self.keep(&records)?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Appends records in one write, so that a concurrent reader finds them whole.
    ///
    /// # Errors
    /// If the file can't grow; its contents stay.
    pub fn keep(&mut self, records: &[u8]) -> Result<()> {
        let blocks = self.sealer.seal(records);
        if let Err(reason) = self.file.write_all(&blocks).and_then(|()| self.file.flush()) {
            // A partial block is useless; if it can't be taken back, readers skip it and say so.
            self.file.cut(self.written);
            return Err(anyhow!(reason).context(format!(
                "{} can't grow beyond {} bytes; what is in it is readable",
                self.path.display(),
                self.written
            )));
        }
        self.written += u64::try_from(blocks.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    /// Reports what arrived.
    pub fn report(&self, from: &str, console: &Console) {
        let (notes, lost) = (self.drained.notes(), self.drained.lost());
        console.title(format_args!("Recorded from {from}"));
        console.say(format_args!("  {} bytes -> {}", self.written, self.path.display()));
        if let Some(classes) = self.told {
            console.say(format_args!("  told: {}", called(classes)));
        }
        if notes > 0 {
            console.say(format_args!("  {notes} notes came over the line, {lost} were lost"));
        }
        if lost > 0 {
            console.warn(format_args!(
                "{lost} of {} notes were lost: make [trace] `buffer` larger, or tell fewer `--classes`; where they are missing, the \
                 trace says so",
                notes.saturating_add(lost)
            ));
        }
        if self.damaged > 0 {
            console.warn(format_args!("{} frames held notes that mean nothing", self.damaged));
        }
        console.object(&serde_json::json!({
            "recorded": self.path, "from": from, "bytes": self.written, "notes": notes, "lost": lost,
            "classes": self.told.map(called),
        }));
    }
}

fn called(classes: Classes) -> String {
    let named = Classes::NAMED.iter().filter(|(_, class)| classes.has(*class));
    let names: Vec<_> = named.map(|(name, _)| *name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests;

//! What came over a line, into the file of a trace, frame by frame.

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

/// Where a recording goes.
pub trait Sink: Write {
    /// Takes back what is behind so many bytes, as far as that can be done.
    fn cut(&mut self, length: u64);
}

impl Sink for File {
    fn cut(&mut self, length: u64) {
        self.set_len(length).ok();
    }
}

/// A file that grows while a system runs. Whatever ends the recording, what is in the file is whole blocks of records.
pub struct Recorder<S: Sink = File> {
    file: S,
    sealer: Sealer,
    path: PathBuf,
    frames: Frames,
    drained: Drained,
    /// What the board says that it tells.
    told: Option<Classes>,
    /// The image that should be there, where it is known.
    image: Option<Identity>,
    /// Bytes that are in the file.
    written: u64,
    /// Frames that mean nothing.
    damaged: u64,
}

impl Recorder {
    /// A new file, and the names beside it.
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
    /// The beginning of a file that is called so.
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

    /// Refuses notes of another image from now on.
    pub fn expect(&mut self, image: Identity) {
        self.image = Some(image);
    }

    /// Which classes the board has said that it tells.
    pub fn told(&self) -> Option<Classes> {
        self.told
    }

    /// Bytes from the line.
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

    /// Puts records behind those that are there, at once: whoever reads the file meanwhile finds them whole.
    ///
    /// # Errors
    /// If the file can't grow; what is in it stays.
    pub fn keep(&mut self, records: &[u8]) -> Result<()> {
        let blocks = self.sealer.seal(records);
        if let Err(reason) = self.file.write_all(&blocks).and_then(|()| self.file.flush()) {
            // A part of a block says nothing; where it can't be taken back, readers leave it out and say so.
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

    /// Says what came.
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

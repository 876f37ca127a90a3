//! What came over a line, into the file of a trace, frame by frame.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use beryl_abi::{Classes, Instant};
use beryl_builder::Identity;
use beryl_builder::workshop::replace;
use beryl_link::Frames;
use beryl_link::frame::Heard;
use beryl_link::tracing::Said;
use beryl_trace::Names;
use beryl_trace::drained::Drained;

use crate::console::Console;

/// A file that grows while a system runs. Whatever ends the recording, what is in the file is whole records.
pub struct Recorder {
    file: File,
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
        Ok(Recorder {
            file,
            path: path.to_owned(),
            frames: Frames::default(),
            drained: Drained::default(),
            told: None,
            image: None,
            written: 0,
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

    /// Puts records behind those that are there.
    ///
    /// # Errors
    /// If the file can't grow; what is in it stays.
    pub fn keep(&mut self, records: &[u8]) -> Result<()> {
        self.file.write_all(records).with_context(|| {
            format!(
                "{} can't grow beyond {} bytes; what is in it is readable",
                self.path.display(),
                self.written
            )
        })?;
        self.written += u64::try_from(records.len()).unwrap_or(u64::MAX);
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

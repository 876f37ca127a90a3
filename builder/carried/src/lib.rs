//! The sources that images and simulations are made of: Beryl's crates for the target, the user's side and the simulator,
//! packed into the program that needs them. So it works wherever it is, without the checkout that it was built from.
#![forbid(unsafe_code)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The sources.
static ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/crates.tar.gz"));

/// Which sources these are: two programs with the same ones share a folder.
pub const DIGEST: &str = env!("BERYL_CARRIED");

/// The folder that can't be written.
#[derive(Debug, thiserror::Error)]
#[error("the crates that systems link can't be unpacked into {path}: {reason}")]
pub struct Unpacking {
    /// Where they should have gone.
    pub path: PathBuf,
    /// Why not.
    pub reason: io::Error,
}

/// Unpacks the sources into a folder of their own in `folder`, unless they are there, and returns that.
///
/// Several programs may do so at a time: each unpacks into a folder of its own, and the first to be done gives it its name.
///
/// # Errors
/// The folder that can't be written.
pub fn unpacked(folder: &Path) -> Result<PathBuf, Unpacking> {
    let place = folder.join(format!("crates-{}-{DIGEST}", env!("CARGO_PKG_VERSION")));
    if place.is_dir() {
        return Ok(place);
    }
    let partial = folder.join(format!("crates-{}.partial", std::process::id()));
    let failed = |reason| Unpacking { path: place.clone(), reason };
    fs::create_dir_all(&partial).map_err(failed)?;
    let plain = flate2::read::GzDecoder::new(ARCHIVE);
    tar::Archive::new(plain).unpack(&partial).map_err(failed)?;
    let named = fs::rename(&partial, &place);
    if named.is_err() {
        fs::remove_dir_all(&partial).map_err(failed)?;
    }
    // Another one was quicker, or it can't be done at all.
    named.or_else(|reason| if place.is_dir() { Ok(()) } else { Err(reason) }).map_err(failed)?;
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unpacked_is_there_once_and_whole() {
        let folder = std::env::temp_dir().join(format!("beryl-carried-{}", std::process::id()));
        let place = unpacked(&folder).expect("unpacked");
        for file in ["Cargo.toml", "Cargo.lock", "kernel/src/lib.rs", "user/src/lib.rs", "sim/Cargo.toml"] {
            let carried = fs::read(place.join(file)).expect(file);
            let own = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).expect(file);
            assert!(file == "Cargo.toml" || carried == own, "{file}");
        }
        let before = fs::metadata(place.join("Cargo.toml")).and_then(|data| data.modified()).expect("a time");
        assert_eq!(unpacked(&folder).expect("there"), place);
        let after = fs::metadata(place.join("Cargo.toml")).and_then(|data| data.modified()).expect("a time");
        assert_eq!(before, after, "it isn't unpacked twice");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is left half done");
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let file = std::env::temp_dir().join(format!("beryl-carried-file-{}", std::process::id()));
        fs::write(&file, "no folder").expect("written");
        let said = unpacked(&file).expect_err("it can't be").to_string();
        assert!(said.contains(&file.display().to_string()), "{said}");
        fs::remove_file(file).expect("removed");
    }
}

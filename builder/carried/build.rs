//! Packs the crates that generated ones link, with a workspace of their own.
//!
//! They are read from `crates`, where links lead to them: cargo follows these when it packs this crate, so that a package has
//! them as well as a checkout. A folder with a `Cargo.toml` would be left out as a package of its own, so manifests have
//! another name there.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use tar::{Builder, Header};

/// The crates that images and simulations link.
const CRATES: [&str; 22] = [
    "kernel",
    "kernel/abi",
    "kernel/boards/emulated",
    "kernel/boards/mps2",
    "kernel/boards/mps2-an385",
    "kernel/boards/mps2-an386",
    "kernel/boards/mps2-an505",
    "kernel/boards/mps2-an521",
    "kernel/boards/stm32f405",
    "kernel/boards/virt",
    "kernel/ports/common",
    "kernel/ports/cortex-m",
    "kernel/ports/riscv",
    "sim",
    "sim/table",
    "syscode",
    "user",
    "user/drain",
    "user/ecosystem",
    "user/link",
    "user/loader",
    "user/stm32f4",
];

/// What of a crate is carried.
const PARTS: [&str; 3] = [MANIFEST, OPTIONAL, "src"];
/// Not every crate has one.
const OPTIONAL: &str = "build.rs";
/// What manifests are called in `crates`, and in the archive.
const MANIFEST: &str = "manifest.toml";
const CARGOS: &str = "Cargo.toml";

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("crates");
    let mut archive = Archive(Builder::new(Vec::new()));
    archive.file(CARGOS, &workspace(&root)?)?;
    archive.file("Cargo.lock", &read(&root.join("lock.toml"))?)?;
    for name in CRATES {
        for part in PARTS {
            let (path, named) =
                (root.join(name.replace('/', "-")).join(part), if part == MANIFEST { CARGOS } else { part });
            if part != OPTIONAL || path.exists() {
                archive.add(&path, &format!("{name}/{named}"))?;
            }
        }
    }
    let plain = archive.0.into_inner()?;
    let digest = Sha256::digest(&plain);
    let short: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo:rustc-env=BERYL_CARRIED={short}");
    let file = fs::File::create(Path::new(&env::var("OUT_DIR")?).join("crates.tar.gz"))?;
    let mut packed = GzEncoder::new(file, Compression::best());
    std::io::Write::write_all(&mut packed, &plain)?;
    packed.finish()?;
    Ok(())
}

/// The workspace of these crates alone.
fn workspace(root: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut manifest: toml::Table = String::from_utf8(read(&root.join("workspace.toml"))?)?.parse()?;
    manifest.retain(|key, _| key == "workspace");
    let workspace =
        manifest.get_mut("workspace").and_then(toml::Value::as_table_mut).ok_or("no workspace")?;
    workspace.insert("members".to_owned(), toml::Value::from(CRATES.to_vec()));
    Ok(toml::to_string(&manifest)?.into_bytes())
}

fn read(path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    println!("cargo:rerun-if-changed={}", path.display());
    fs::read(path).map_err(|reason| format!("{}: {reason}", path.display()).into())
}

struct Archive(Builder<Vec<u8>>);

impl Archive {
    /// A file, or a folder with all that is in it.
    fn add(&mut self, path: &Path, name: &str) -> Result<(), Box<dyn Error>> {
        if !path.is_dir() {
            return self.file(name, &read(path)?);
        }
        println!("cargo:rerun-if-changed={}", path.display());
        let entries =
            fs::read_dir(path)?.map(|entry| Ok(entry?.file_name().into_string().unwrap_or_default()));
        let mut entries = entries.collect::<Result<Vec<_>, std::io::Error>>()?;
        entries.sort();
        entries.iter().try_for_each(|entry| self.add(&path.join(entry), &format!("{name}/{entry}")))
    }

    /// The same bytes whoever packs them, and when.
    fn file(&mut self, name: &str, content: &[u8]) -> Result<(), Box<dyn Error>> {
        let mut header = Header::new_gnu();
        header.set_size(u64::try_from(content.len())?);
        header.set_mode(0o644);
        Ok(self.0.append_data(&mut header, name, content)?)
    }
}

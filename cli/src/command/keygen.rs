//! `beryl keygen`: a key pair for the link to boards.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use beryl_link::PublicKey;
use ed25519_compact::{KeyPair, Seed};

use crate::console::{Console, Failure, WELL};

/// Make a key pair: the secret half signs programs, the public half goes into the image.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  beryl keygen link.key\n\nIt leaves link.key, which only you may read, and link.pub, \
                        which is part of the application:\n  PublicKey::included(include_str!(\"../../link.pub\"))"
)]
pub struct Keygen {
    /// The file of the secret half; the public half gets the same name with `.pub`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Keygen {
    /// Makes a pair and writes both halves; existing files stay.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let public = public_file(&self.file)?;
        for path in [&self.file, &public] {
            if path.exists() {
                return Err(anyhow!(
                    "{} exists; a key that boards know is not replaced. Name another file, or remove it first",
                    path.display()
                )
                .into());
            }
        }
        let pair = KeyPair::from_seed(Seed::generate());
        write(&self.file, &pair.sk.to_pem(), true)?;
        let key = PublicKey::new(*pair.pk);
        write(&public, &public_text(&key), false)?;
        console.say(format_args!(
            "{}: signs programs. Only you may read it; keep it away from boards and repositories.\n{}: what an image \
             needs to know whom to believe.",
            self.file.display(),
            public.display()
        ));
        console.object(&serde_json::json!({ "secret": self.file, "public": public, "key": digits(&key) }));
        Ok(ExitCode::from(WELL))
    }
}

fn public_file(secret: &Path) -> anyhow::Result<PathBuf> {
    let public = secret.with_extension("pub");
    match public == secret {
        true => Err(anyhow!("{} would be both halves; name the secret one otherwise", secret.display())),
        false => Ok(public),
    }
}

fn public_text(key: &PublicKey) -> String {
    format!("# The public half of a key for the link (Ed25519), by `beryl keygen`.\n{}\n", digits(key))
}

fn digits(key: &PublicKey) -> String {
    key.bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a new file; a secret one is readable only by its owner.
fn write(path: &Path, text: &str, is_secret: bool) -> anyhow::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_secret {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(path).with_context(|| format!("can't write {}", path.display()))?;
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        // Half a key is useless.
        let _ = fs::remove_file(path);
    }
    written.with_context(|| format!("can't write {}", path.display()))
}

/// Reads the secret half of a key.
pub fn read(path: &Path) -> anyhow::Result<KeyPair> {
    let text = fs::read_to_string(path).with_context(|| {
        format!("can't read the key {}; `beryl keygen` makes one, `--key` names it", path.display())
    })?;
    KeyPair::from_pem(&text).map_err(|reason| {
        anyhow!("{} holds no Ed25519 key ({reason}); `beryl keygen` makes one", path.display())
    })
}

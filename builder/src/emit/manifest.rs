//! Manifests of the generated crates.

use std::path::Path;

use crate::board::Processor;
use crate::emit::File;

/// A crate on which a generated one depends.
#[derive(Clone, Debug)]
pub struct Dependency<'a> {
    /// What it is called there.
    pub name: &'a str,
    /// What it is called itself.
    pub package: &'a str,
    /// Where it is.
    pub path: &'a Path,
    /// Which of its features are taken.
    pub features: &'a [&'a str],
}

/// The manifest of a generated crate. `kind` is its `[lib]` section, if it is a library.
#[must_use]
pub fn package(path: &str, name: &str, kind: &str, dependencies: &[Dependency<'_>]) -> File {
    let mut text = format!(
        "# Written by the builder; changes are lost.\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\n\
         edition = \"2024\"\npublish = false\n\n{kind}[dependencies]\n"
    );
    for Dependency { name, package, path, features } in dependencies {
        let features = if features.is_empty() { String::new() } else { format!(", features = {features:?}") };
        text += &format!(
            "{name} = {{ package = \"{package}\", path = {:?}{features} }}\n",
            path.display().to_string()
        );
    }
    File::new(format!("{path}/Cargo.toml"), text)
}

/// The crates that applications and environments name by their version, as if they came from a registry.
const PUBLISHED: [(&str, &str); 10] = [
    ("beryl-abi", "kernel/abi"),
    ("beryl-drain", "user/drain"),
    ("beryl-ecosystem", "user/ecosystem"),
    ("beryl-kernel", "kernel"),
    ("beryl-link", "user/link"),
    ("beryl-loader", "user/loader"),
    ("beryl-sim", "sim"),
    ("beryl-stm32f4", "user/stm32f4"),
    ("beryl-table", "sim/table"),
    ("beryl-user", "user"),
];

/// Whether a crate is one of these.
#[must_use]
pub fn is_published(package: &str) -> bool {
    PUBLISHED.iter().any(|(name, _)| *name == package)
}

/// What takes these crates from a folder, wherever a system says that it comes from a registry: for a system that is
/// there, in Beryl's own source tree, nothing. What tests make in its `target/` is like anybody's.
#[must_use]
pub fn patches(crates: &Path, system: &Path) -> String {
    if system.starts_with(crates) && !system.starts_with(crates.join("target")) {
        return String::new();
    }
    let rows = PUBLISHED
        .map(|(name, path)| format!("{name} = {{ path = {:?} }}\n", crates.join(path).display().to_string()));
    format!("\n[patch.crates-io]\n{}", rows.concat())
}

/// The manifest of a workspace of generated crates.
///
/// Overflow checks are on wherever application code runs, on the board as in the simulation: the
/// same mistake must show in both.
#[must_use]
pub fn workspace(path: &str, members: &[String], patches: &str) -> File {
    let members: Vec<_> = members.iter().map(|member| format!("{member:?}")).collect();
    let text = format!(
        "# Written by the builder; changes are lost.\n[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n\
         [profile.process]\ninherits = \"release\"\nopt-level = \"s\"\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n\
         debug = \"line-tables-only\"\noverflow-checks = true\n\n\
         [profile.simulation]\ninherits = \"release\"\nopt-level = 1\nincremental = true\noverflow-checks = true\n\
         debug = \"line-tables-only\"\n{patches}",
        members.join(", ")
    );
    File::new(format!("{path}/Cargo.toml"), text)
}

/// What cargo is told in that workspace: the compiler's options of each processor that has some.
#[must_use]
pub fn kernel_settings(processors: &[&Processor]) -> File {
    let mut text = "# Written by the builder; changes are lost.\n".to_owned();
    for processor in processors.iter().filter(|processor| !processor.kernel_options.is_empty()) {
        text += &format!("\n[target.{}]\nrustflags = {:?}\n", processor.target, processor.kernel_options);
    }
    File::new(".cargo/config.toml", text)
}

/// The manifest of a workspace in which a kernel is compiled, with Beryl's crates beside it.
///
/// A kernel has no overflow checks: it has no arithmetic that could overflow silently.
#[must_use]
pub fn kernel_workspace(kernel: &str, crates: &str) -> File {
    let text = format!(
        "# Written by the builder; changes are lost.\n[workspace]\nresolver = \"3\"\nmembers = [{kernel:?}]\nexclude = [{crates:?}]\n\n\
         [profile.kernel]\ninherits = \"release\"\nopt-level = \"s\"\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n\
         debug = \"line-tables-only\"\n"
    );
    File::new("Cargo.toml", text)
}

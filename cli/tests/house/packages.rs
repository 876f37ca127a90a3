//! Every crate could be published: it says what it is, under which licence, in which version it needs the others, and its
//! package has all that it is made of.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{code_of, manifest, members, root, sources};

#[test]
fn every_crate_says_what_it_is_and_in_which_version_it_needs_the_others() {
    let workspace = manifest(".")["workspace"].clone();
    let version = workspace["package"]["version"].as_str().expect("a version").to_owned();
    assert_named("the workspace", &workspace["dependencies"], &version);
    for folder in members() {
        let manifest = manifest(&folder);
        for entry in ["description", "license", "version"] {
            assert!(manifest["package"].get(entry).is_some(), "`{folder}` has no {entry}");
        }
        // Dependencies of tests may form a circle; cargo leaves out those without a version.
        for table in ["dependencies", "build-dependencies"] {
            manifest.get(table).into_iter().for_each(|table| assert_named(&folder, table, &version));
        }
    }
}

fn assert_named(who: &str, dependencies: &toml::Value, version: &str) {
    for (name, dependency) in dependencies.as_table().expect("a table") {
        if dependency.get("path").is_some() {
            let named = dependency.get("version").and_then(toml::Value::as_str);
            // Where others have published later ones under that name, it is exactly this one.
            let named = named.map(|named| named.trim_start_matches('='));
            assert_eq!(named, Some(version), "`{who}` needs `{name}` in another version");
        }
    }
}

/// Cargo packs what links lead to, so crates reach what lies elsewhere by a link.
#[test]
fn no_source_names_a_file_outside_of_its_package() {
    let mut named = 0;
    for folder in members() {
        let package = straight(&root().join(&folder));
        for source in sources(&package.join("src")) {
            // Tests aren't carried out from a package.
            if source.ends_with("tests.rs") || source.components().any(|part| part.as_os_str() == "tests") {
                continue;
            }
            for file in code_of(&source).lines().flat_map(included) {
                named += 1;
                let path = straight(&source.with_file_name(file));
                assert!(path.starts_with(&package), "{} names {}", source.display(), path.display());
            }
        }
    }
    assert!(named > 10, "only {named} files are named: this test looks for the wrong words");
}

/// The file that a line of code includes, or takes as a module.
fn included(line: &str) -> Option<&str> {
    let behind =
        ["include_str!(\"", "include_bytes!(\"", "#[path = \""].iter().find_map(|word| line.split_once(word));
    Some(behind?.1.split_once('"')?.0)
}

/// A path without its steps up, and without following links.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(straight.pop()),
            component => straight.push(component),
        }
    }
    straight
}

#[test]
fn links_lead_to_all_that_is_carried() {
    let end =
        |path: PathBuf| path.canonicalize().unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
    let root = end(root());
    let carried = root.join("builder/carried/crates");
    assert_eq!(end(carried.join("workspace.toml")), root.join("Cargo.toml"));
    assert_eq!(end(carried.join("lock.toml")), root.join("Cargo.lock"));
    let mut folders = 0;
    for folder in members() {
        let (links, of) = (carried.join(folder.replace('/', "-")), root.join(&folder));
        if !links.exists() {
            continue;
        }
        folders += 1;
        assert_eq!(end(links.join("manifest.toml")), of.join("Cargo.toml"));
        assert_eq!(end(links.join("src")), of.join("src"));
        assert_eq!(links.join("build.rs").exists(), of.join("build.rs").exists(), "{folder}");
    }
    let all = fs::read_dir(&carried)
        .expect("a folder")
        .filter(|entry| entry.as_ref().expect("readable").path().is_dir());
    assert_eq!(all.count(), folders, "there is a folder of links for a crate that there isn't");
}

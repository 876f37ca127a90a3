//! This program's tables equal those that the builder writes.

use std::process::Command;

use anyhow::Result;
use beryl_builder::Project;
use beryl_builder::emit::manifest::{Dependency, package, workspace};
use beryl_builder::emit::{File, tables as emitted};
use beryl_builder::toolchain::{host_cargo, root};
use beryl_builder::workshop::{Workshop, finish, lock_versions};

use super::as_text::told;
use crate::rooms::with_room;
use crate::trial::project;
use crate::written::{Kind, MORE, draw};

/// How many systems of each of the two kinds.
const COUNT: u64 = 40;

fn projects() -> Vec<(u64, Project)> {
    let seeds = (7_000_000..7_000_000 + COUNT).chain(MORE..MORE + COUNT);
    seeds.filter_map(|seed| Some((seed, project(&draw(seed, Kind::Any)).ok()?))).collect()
}

fn own(project: &Project) -> Result<String> {
    with_room!(project, Own => Ok(told(super::tables::<Own>(project, true)?)))
}

/// The output of a program made from the builder's tables: a text for each project.
fn builders(projects: &[(u64, Project)]) -> Vec<String> {
    let workshop = Workshop::new(&root().join("target/campaign"));
    let crates = [("beryl-abi", "kernel/abi"), ("beryl-kernel", "kernel")]
        .map(|(name, path)| (name, root().join(path)));
    let dependencies: Vec<_> =
        crates.iter().map(|(name, path)| Dependency { name, package: name, path, features: &[] }).collect();
    let mut manifest = package(".", "tables", "", &dependencies);
    manifest.text += &workspace(".", &[], "").text;
    let mut main = String::from("#![allow(dead_code)]\nmod as_text;\n");
    let mut files = vec![file("src/as_text.rs", include_str!("as_text.rs").to_owned())];
    let mut body = String::new();
    for (number, (_, project)) in projects.iter().enumerate() {
        let table = emitted::tables(project);
        files.push(file(&format!("src/t{number}.rs"), table.text));
        main += &format!("mod t{number};\n");
        body += &format!("    println!(\"{{}}{END}\", as_text::told(&t{number}::SYSTEM));\n");
    }
    main += &format!("fn main() {{\n{body}}}\n");
    files.extend([manifest, file("src/main.rs", main)]);
    workshop.write("tables", &files).expect("files");
    let folder = workshop.folder("tables");
    lock_versions(&folder).expect("a lock file");
    let target = workshop.target().join("tables");
    let mut cargo = host_cargo("build");
    cargo.arg("--manifest-path").arg(folder.join("Cargo.toml")).arg("--target-dir").arg(&target);
    finish("compiling the builder's tables", cargo).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let said = finish("telling the builder's tables", Command::new(target.join("debug/tables")));
    let said = String::from_utf8(said.unwrap_or_else(|wrong| panic!("{wrong:?}"))).expect("a text");
    said.split_terminator(&format!("{END}\n")).map(str::to_owned).collect()
}

fn file(path: &str, text: String) -> File {
    File { path: path.to_owned(), text }
}

/// Follows the tables of a system.
const END: &str = "end";

#[test]
fn tables_are_those_that_the_builder_writes() {
    let _alone = crate::board::alone("tables").expect("a lock");
    let projects = projects();
    let builders = builders(&projects);
    assert_eq!(builders.len(), projects.len());
    assert!(projects.len() > 50, "{}", projects.len());
    for ((seed, project), builders) in projects.iter().zip(&builders) {
        let own = own(project).expect("tables");
        for (own, other) in own.lines().zip(builders.lines()) {
            assert_eq!(own, other, "seed {seed}");
        }
        assert_eq!(own.lines().count(), builders.lines().count(), "seed {seed}");
    }
    for table in [
        "thread",
        "driver",
        "program",
        "semaphore",
        "mailbox",
        "endpoint",
        "notification",
        "interrupt",
        "state message",
        "program slot",
        "port",
    ] {
        let begin = format!("{table} 0:");
        assert!(builders.iter().any(|text| text.lines().any(|line| line.starts_with(&begin))), "no {table}");
    }
}

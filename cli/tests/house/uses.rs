//! Which files of a folder a file uses, by the paths in its code.

use std::collections::{BTreeMap, BTreeSet};

/// Modules by their paths, each with its code.
pub type Modules = BTreeMap<Vec<String>, String>;

/// Which others each of them uses. What a module only hands on belongs to the file below it that defines it.
pub fn uses(modules: &Modules) -> BTreeMap<String, BTreeSet<String>> {
    let used = |module: &[String], code: &str| {
        let absolute = paths(code).into_iter().filter_map(|path| absolute(module, path, modules));
        let owners = absolute.filter_map(|path| owner(&path, modules));
        owners.filter(|owner| owner != module).map(|owner| owner.join("::")).collect()
    };
    modules.iter().map(|(module, code)| (module.join("::"), used(module, code))).collect()
}

/// The paths in a file: what its `use` lists, and those in the code. What it hands on by `pub use` it doesn't use.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for statement in code.split_inclusive(';') {
        let is_use =
            |line: &&str| line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ");
        let line = statement.lines().find(|line| is_use(&line.trim_start()));
        let (before, listed) = match line.and_then(|line| statement.split_once(line).zip(Some(line))) {
            Some(((before, behind), line)) => (before, format!("{line}{behind}")),
            None => (statement, String::new()),
        };
        let is_of_path = |one: char| one.is_ascii_alphanumeric() || one == '_' || one == ':';
        let in_code = before.split(|one| !is_of_path(one)).filter(|word| word.contains("::"));
        paths.extend(in_code.map(segments));
        if let Some(tree) = listed.trim_start().strip_prefix("use ") {
            expand(tree.trim_end_matches(';'), &[], &mut paths);
        }
    }
    paths
}

fn segments(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The paths of a tree of `use`, with braces in braces.
fn expand(tree: &str, before: &[String], paths: &mut Vec<Vec<String>>) {
    let (head, list) = match tree.split_once('{') {
        Some((head, list)) => (head, list.trim_end().strip_suffix('}')),
        None => (tree.split(" as ").next().unwrap_or_default(), None),
    };
    let path = [before, &segments(head)].concat();
    let Some(list) = list else { return paths.push(path) };
    let (mut depth, mut from) = (0, 0);
    for (at, one) in list.char_indices().chain([(list.len(), ',')]) {
        depth += i32::from(one == '{') - i32::from(one == '}');
        if one == ',' && depth == 0 {
            // Behind the last comma of a list there may be nothing.
            if !list[from..at].trim().is_empty() {
                expand(&list[from..at], &path, paths);
            }
            from = at + 1;
        }
    }
}

/// A path from the root of the crate; nothing if it leads out of it.
fn absolute(module: &[String], path: Vec<String>, modules: &Modules) -> Option<Vec<String>> {
    let above = path.iter().take_while(|part| *part == "super").count();
    let first = path.first()?;
    match first.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "super" => Some([&module[..module.len().checked_sub(above)?], &path[above..]].concat()),
        "self" => Some([module, &path[1..]].concat()),
        _ => Some([module, &path].concat())
            .filter(|_| modules.contains_key(&[module, std::slice::from_ref(first)].concat())),
    }
}

/// The module with what a path names: the last one on it, or the one below that defines what comes next.
fn owner(path: &[String], modules: &Modules) -> Option<Vec<String>> {
    let length = (1..=path.len()).rev().find(|length| modules.contains_key(&path[..*length]))?;
    let (module, rest) = path.split_at(length);
    let below = modules.iter().filter(|(other, _)| other.starts_with(module));
    let defining: Vec<_> = rest
        .first()
        .map(|name| below.filter(|(_, code)| defines(code, name)).map(|(other, _)| other).collect())
        .unwrap_or_default();
    let is_its_own = defining.iter().any(|other| *other == module);
    match defining[..] {
        [other] if !is_its_own => Some(other.clone()),
        _ => Some(module.to_vec()),
    }
}

/// Whether something of this name that others see is defined there.
fn defines(code: &str, name: &str) -> bool {
    const KINDS: [&str; 8] = ["struct", "enum", "trait", "type", "fn", "const", "static", "const fn"];
    code.lines().map(str::trim_start).filter(|line| line.starts_with("pub")).any(|line| {
        KINDS.iter().any(|kind| {
            let behind = line.split_once(&format!(" {kind} {name}")).map(|(_, behind)| behind);
            behind.is_some_and(|rest| !rest.starts_with(|one: char| one.is_alphanumeric() || one == '_'))
        })
    })
}

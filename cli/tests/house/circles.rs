//! No circles: modules of the kernel, stages of the builder, and files of its largest stages use those below only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::uses::{Modules, uses};
use super::{root, sources};

/// Explorers and tests may look at everything.
const TESTS_OF_THE_KERNEL: &[&str] = &["explorer", "scheduling::bands::consistent"];

#[test]
fn no_module_of_the_kernel_uses_one_that_uses_it() {
    let modules = modules_of_the_kernel();
    let names: BTreeSet<_> = modules.keys().cloned().collect();
    let uses = modules.iter().map(|(module, text)| (module.clone(), used_by(module, text, &names))).collect();
    let left = in_or_above_a_circle(uses);
    assert!(left.is_empty(), "in or above a circle: {left:#?}");
}

/// What is left once whoever uses nothing that is left has been taken away, again and again.
fn in_or_above_a_circle(mut uses: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    while let Some(lowest) = uses.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()) {
        uses.remove(&lowest);
        uses.values_mut().for_each(|used| {
            used.remove(&lowest);
        });
    }
    uses
}

/// A stage of the builder takes what those before it have made, so none uses one that uses it.
#[test]
fn no_stage_of_the_builder_uses_one_that_uses_it() {
    let source = root().join("builder/src");
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources(&source) {
        let place = path.strip_prefix(&source).expect("inside").with_extension("");
        let stage = place.iter().next().expect("a name").to_string_lossy().into_owned();
        let code = code_of(&path);
        // `use crate::{one, other};` names several.
        let named = code.split("crate::").skip(1).flat_map(|rest| {
            let list = rest.strip_prefix('{').map_or(rest, |rest| rest.split("};").next().unwrap_or(rest));
            let ends = |one: char| !one.is_ascii_alphanumeric() && one != '_';
            let words = list.split(", ").map(|word| word.split(ends).next().unwrap_or_default().to_owned());
            words.take(if rest.starts_with('{') { usize::MAX } else { 1 }).collect::<Vec<_>>()
        });
        let used = named.filter(|word| *word != stage);
        uses.entry(stage.clone()).or_default().extend(used.filter(|word| word != "lib"));
    }
    uses.remove("lib");
    let stages: BTreeSet<_> = uses.keys().cloned().collect();
    uses.values_mut().for_each(|used| used.retain(|word| stages.contains(word)));
    assert!(uses["pipeline"].len() > 8, "the pipeline uses the stages: {uses:#?}");
    let left = in_or_above_a_circle(uses);
    assert!(left.is_empty(), "in or above a circle: {left:#?}");
}

/// Within a stage of many files it is the same for these.
#[test]
fn no_file_of_these_stages_uses_one_that_uses_it() {
    for stage in ["assembly", "description"] {
        let source = root().join("builder/src");
        let files = sources(&source.join(stage)).into_iter().chain([source.join(stage).with_extension("rs")]);
        let modules: Modules = files
            .filter(|path| !path.ends_with("tests.rs"))
            .map(|path| {
                let place = path.strip_prefix(&source).expect("inside").with_extension("");
                (place.iter().map(|part| part.to_string_lossy().into_owned()).collect(), code_of(&path))
            })
            .collect();
        let uses = uses(&modules);
        let count: usize = uses.values().map(BTreeSet::len).sum();
        assert!(count > 2 * uses.len(), "files of {stage} use each other: {uses:#?}");
        let left = in_or_above_a_circle(uses);
        assert!(left.is_empty(), "in or above a circle: {left:#?}");
    }
}

/// The modules of the kernel, each with its code.
pub(super) fn modules_of_the_kernel() -> BTreeMap<String, String> {
    let source = root().join("kernel/src");
    let mut folders = vec![source.clone()];
    let mut modules = BTreeMap::new();
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&source).expect("inside").with_extension("");
            let name = name.to_string_lossy().replace('/', "::");
            let is_of_tests = TESTS_OF_THE_KERNEL.iter().any(|tests| name.starts_with(tests));
            if name != "lib" && !is_of_tests {
                modules.insert(name, code_of(&path));
            }
        }
    }
    modules
}

/// A file without comments and tests.
pub(super) fn code_of(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("readable");
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The modules whose names stand in a module's code.
fn used_by(module: &str, code: &str, names: &BTreeSet<String>) -> BTreeSet<String> {
    let paths = code.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|one: char| !one.is_ascii_alphanumeric() && one != '_' && one != ':');
        rest[..end.unwrap_or(rest.len())].trim_end_matches(':').to_owned()
    });
    let longest = |path: String| {
        let parts: Vec<_> = path.split("::").collect();
        (1..=parts.len()).rev().map(|count| parts[..count].join("::")).find(|name| names.contains(name))
    };
    let above = module.rsplit_once("::").filter(|_| code.contains("super::"));
    let used = paths.filter_map(longest).chain(above.map(|(above, _)| above.to_owned()));
    used.filter(|used| used != module).collect()
}

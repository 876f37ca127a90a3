//! Every crate could be published: it says what it is, under which licence, and in which version it needs the others.

use super::{manifest, members};

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
            assert_eq!(named, Some(version), "`{who}` needs `{name}` in another version");
        }
    }
}

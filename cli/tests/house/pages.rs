//! The book: each document is found from its first page, and each link leads to a file that is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::root;

#[test]
fn every_page_of_the_book_is_found_from_its_first_and_every_link_leads_somewhere() {
    let mut found = BTreeSet::new();
    let mut ahead = vec![PathBuf::from("docs/README.md"), PathBuf::from("README.md")];
    while let Some(page) = ahead.pop() {
        if !found.insert(page.clone()) {
            continue;
        }
        let text = fs::read_to_string(root().join(&page)).expect("a page");
        for link in links(&text) {
            let to = plain(&page.with_file_name("").join(link));
            assert!(
                root().join(&to).exists(),
                "{} leads to {}, which isn't there",
                page.display(),
                to.display()
            );
            if to.extension().is_some_and(|extension| extension == "md") {
                ahead.push(to);
            }
        }
    }
    let mut pages = BTreeSet::new();
    collect(Path::new("docs"), &mut pages);
    let lost: Vec<_> = pages.difference(&found).collect();
    assert!(lost.is_empty(), "nothing leads to {lost:?}");
}

/// Where a page's links lead in this tree, without places inside of pages.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    let lines = text.lines().filter(move |line| {
        in_code ^= line.trim_start().starts_with("```");
        !in_code
    });
    let links =
        lines.flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split([')', '#']).next());
    links.filter(|link| !link.is_empty() && !link.contains("://") && !link.contains(' '))
}

/// A path without `..` in it.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
        plain
    })
}

fn collect(folder: &Path, pages: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(root().join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let path = folder.join(entry.file_name());
        match entry.file_type().expect("a type").is_dir() {
            true => collect(&path, pages),
            false if path.extension().is_some_and(|extension| extension == "md") => drop(pages.insert(path)),
            false => {}
        }
    }
}

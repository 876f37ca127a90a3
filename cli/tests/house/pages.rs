//! The book: each document is found from its first page, each link leads to a file and a place that are there, and the pages
//! that are made of it have a table of contents and a search.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use super::root;

#[test]
fn every_page_of_the_book_is_found_from_its_first_and_every_link_leads_somewhere() {
    let mut found = BTreeSet::new();
    let mut ahead = vec![PathBuf::from("docs/README.md"), PathBuf::from("README.md")];
    let (mut places, mut unknown) = (BTreeMap::new(), Vec::new());
    while let Some(page) = ahead.pop() {
        if !found.insert(page.clone()) {
            continue;
        }
        let text = fs::read_to_string(root().join(&page)).expect("a page");
        for link in links(&text) {
            let (link, place) =
                link.split_once('#').map_or((link, None), |(link, place)| (link, Some(place)));
            let to = match link.is_empty() {
                true => page.clone(),
                false => plain(&page.with_file_name("").join(link)),
            };
            assert!(
                root().join(&to).exists(),
                "{} leads to {}, which isn't there",
                page.display(),
                to.display()
            );
            if to.extension().is_some_and(|extension| extension == "md") {
                let known = places.entry(to.clone()).or_insert_with(|| places_of(&to));
                if let Some(place) = place.filter(|place| !known.contains(*place)) {
                    unknown.push(format!("{} leads to {}#{place}", page.display(), to.display()));
                }
                ahead.push(to);
            }
        }
    }
    assert!(unknown.is_empty(), "there are no such headings: {unknown:#?}");
    let pages = documents();
    let lost: Vec<_> = pages.difference(&found).collect();
    assert!(lost.is_empty(), "nothing leads to {lost:?}");
}

/// The pages that `./x book` makes are the documents and the examples, each once and by its own name.
#[test]
fn the_table_of_contents_has_every_page_once() {
    let contents = contents();
    let mut named = BTreeSet::new();
    for line in contents.lines().filter(|line| line.contains("](")) {
        let page = links(line).next().expect("a link");
        let title = line.split_once('[').and_then(|(_, rest)| rest.rsplit_once("](")).map(|(title, _)| title);
        assert!(named.insert(PathBuf::from(page)), "{page} is there twice");
        // The first two stand before the parts, under names of their own.
        if line.trim_start().starts_with('-') {
            let text = fs::read_to_string(root().join(page)).expect("a page");
            assert_eq!(title, text.lines().find_map(|line| line.strip_prefix("# ")), "{page}");
        }
    }
    let examples = fs::read_dir(root().join("examples")).expect("a folder");
    let examples = examples
        .map(|entry| Path::new("examples").join(entry.expect("an entry").file_name()).join("README.md"));
    let missing: Vec<_> = documents()
        .into_iter()
        .chain(examples.filter(|page| root().join(page).exists()))
        .filter(|page| !named.contains(page))
        .collect();
    assert!(missing.is_empty(), "`./x book` has no page for {missing:?}");
}

/// Where mdBook has been compiled, which `./x book` does, the pages are made: all of the contents, and a search over them.
#[test]
fn the_book_is_made_with_a_search() {
    if !root().join("target/tools/bin/mdbook").exists() {
        eprintln!("not tried: mdBook isn't there; `./x book` compiles it");
        return;
    }
    run(&["book", "pages"]);
    let pages = root().join("target/book/pages");
    for page in contents().lines().filter(|line| line.contains("](")).filter_map(|line| links(line).next()) {
        assert!(pages.join(page).with_extension("html").exists(), "{page}");
    }
    let index = fs::read_to_string(pages.join("searchindex.js")).expect("an index");
    assert!(index.contains("BERYL_HOME") && index.contains("docs/reference/files-and-variables.html"));
}

/// What `./x book contents` says.
fn contents() -> String {
    run(&["book", "contents"])
}

fn run(words: &[&str]) -> String {
    let output = Command::new("bash").arg("x").args(words).current_dir(root()).output().expect("bash starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// All documents.
fn documents() -> BTreeSet<PathBuf> {
    let mut pages = BTreeSet::new();
    collect(Path::new("docs"), &mut pages);
    pages
}

/// The lines of a page that aren't code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        in_code ^= line.trim_start().starts_with("```");
        !in_code
    })
}

/// Where a page's links lead in this tree.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let links =
        prose(text).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.is_empty() && !link.contains("://") && !link.contains(' '))
}

/// The places in a page that a link may name: its headings, in small letters, with hyphens for blanks and without other signs.
fn places_of(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(page)).expect("a page");
    let headings =
        prose(&text).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let letter = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
    };
    headings.map(|heading| heading.chars().filter_map(letter).collect()).collect()
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

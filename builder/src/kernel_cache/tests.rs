//! The same sources make the same kernel everywhere, once.

use std::time::Duration;

use super::*;
use crate::board::{Board, MEASURED};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

/// An empty folder for a test.
pub(crate) fn empty(name: &str) -> PathBuf {
    let folder = beryl_testing::folder(&root()).join("kernel_cache").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn what_is_one_letter_different_is_another_kernel() {
    let target = Board::named(MEASURED).expect("a board").processor.target;
    let toolchain = Toolchain::find(target).expect("a compiler");
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let all = [
        vec![file("a", "text"), file("b", "")],
        vec![file("a", "tex"), file("b", "t")],
        vec![file("b", "text"), file("a", "")],
        vec![file("ab", "text")],
        vec![file("a", "text")],
    ];
    let digests =
        all.map(|files| digest(&toolchain, target, &files.iter().collect::<Vec<_>>()).expect("a digest"));
    for (index, one) in digests.iter().enumerate() {
        assert!(digests[..index].iter().all(|other| other != one), "{index}");
    }
}

#[test]
fn all_crates_that_kernels_link_are_digested() {
    let manifest = |path: &Path| {
        let text = fs::read_to_string(path.join("Cargo.toml")).expect("a manifest");
        text.parse::<toml::Table>().expect("a manifest")
    };
    let workspace = manifest(&root());
    let known = &workspace["workspace"]["dependencies"];
    let (mut open, mut seen) =
        (vec!["beryl-mps2-an385", "beryl-mps2-an386", "beryl-virt", "beryl-kernel"], Vec::new());
    let mut packages = Vec::new();
    while let Some(name) = open.pop() {
        let path = known[name]["path"].as_str().expect("a path");
        assert!(
            LINKED.iter().any(|linked| format!("{path}/src").starts_with(linked)),
            "{path} is linked by kernels, and none of {LINKED:?}"
        );
        seen.push(name);
        packages.push(manifest(&root().join(path)));
        let dependencies = packages.last().and_then(|package| package.get("dependencies")?.as_table());
        for name in dependencies.into_iter().flat_map(toml::Table::keys) {
            let own =
                known.as_table().and_then(|known| known.get_key_value(name)).map(|(name, _)| name.as_str());
            open.extend(own.filter(|own| own.starts_with("beryl-") && !seen.contains(own)));
        }
    }
    assert!(seen.len() >= 6, "{seen:?}");
}

#[test]
fn what_nobody_asked_for_longest_goes_first() {
    let kept = empty("kept");
    let begin = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    for number in 0..5 {
        let path = kept.join(format!("{number}.elf"));
        fs::write(&path, [0; 10]).expect("written");
        let file = Lock::options().append(true).open(&path).expect("it is there");
        file.set_modified(begin + Duration::from_secs(number)).expect("a time");
    }
    assert!(asked_for(&kept.join("0.elf")).is_some_and(|kernel| kernel.len() == 10));
    make_room(&kept, 30);
    let left: Vec<_> = (0..5).filter(|number| kept.join(format!("{number}.elf")).exists()).collect();
    assert_eq!(left, [0, 3, 4], "the first one was asked for just now");
    assert!(asked_for(&kept.join("1.elf")).is_none());
}

#[test]
fn a_link_leads_where_it_is_told() {
    let folder = empty("links");
    let (one, other, at) = (folder.join("one"), folder.join("other"), folder.join("deep/crates"));
    for target in [&one, &one, &other] {
        link(target, &at).expect("a link");
        assert_eq!(&fs::read_link(&at).expect("a link"), target);
    }
    fs::remove_file(&at).expect("removed");
    fs::create_dir_all(&at).expect("a folder");
    let said = link(&one, &at).expect_err("a folder is in the way").to_string();
    assert!(said.contains("deep/crates"), "{said}");
}

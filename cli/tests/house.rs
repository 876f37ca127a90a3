//! The house: arrows between crates point down only, and unsafe code stays in the rooms that are for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "house/circles.rs"]
mod circles;
#[path = "house/packages.rs"]
mod packages;
#[path = "house/pages.rs"]
mod pages;
#[path = "house/papers.rs"]
mod papers;
#[path = "house/uses.rs"]
mod uses;

use circles::{code_of, modules_of_the_kernel};

/// What each crate may depend on. A crate that isn't here may not exist.
const ARROWS: &[(&str, &[&str])] = &[
    ("kernel/abi", &[]),
    ("testing", &[]),
    ("syscode", &["kernel/abi"]),
    ("syscode/assembler", &["kernel/abi", "syscode"]),
    ("syscode/generator", &["kernel/abi", "syscode/assembler", "syscode"]),
    ("kernel", &["kernel/abi", "syscode"]),
    ("user/link", &[]),
    ("user/drain", &["user/link", "user"]),
    ("user/loader", &["user/link", "user"]),
    ("user/stm32f4", &[]),
    ("user/ecosystem", &["user"]),
    ("kernel/ports/code", &[]),
    ("syscode/reference", &["kernel/abi", "syscode"]),
    ("kernel/ports/common", &["kernel/abi", "kernel"]),
    ("kernel/ports/cortex-m", &["kernel/abi", "kernel", "kernel/ports/common"]),
    ("kernel/ports/riscv", &["kernel/abi", "kernel", "kernel/ports/common"]),
    ("kernel/boards/emulated", &["kernel/abi", "kernel/ports/common"]),
    ("kernel/boards/virt", &["kernel/abi", "kernel/boards/emulated", "kernel/ports/riscv"]),
    ("kernel/boards/mps2", &["kernel/abi", "kernel/boards/emulated", "kernel/ports/cortex-m"]),
    ("kernel/boards/stm32f405", &["kernel/abi", "kernel/boards/emulated", "kernel/ports/cortex-m"]),
    ("kernel/boards/mps2-an385", &["kernel/boards/mps2"]),
    ("kernel/boards/mps2-an386", &["kernel/boards/mps2"]),
    ("kernel/boards/mps2-an505", &["kernel/boards/mps2"]),
    ("kernel/boards/mps2-an521", &["kernel/boards/mps2"]),
    ("kernel/boards/mps2-an385/crossed/app", &["user"]),
    ("kernel/boards/mps2-an385/faults/app", &["user"]),
    ("kernel/boards/mps2-an385/hostile/app", &["user"]),
    ("kernel/boards/mps2-an385/stranger/app", &["kernel/abi", "user"]),
    ("user", &["kernel/abi"]),
    ("sim", &["kernel/abi", "kernel", "sim/table", "user"]),
    ("sim/table", &["kernel/abi"]),
    ("timing", &[]),
    ("analysis", &[]),
    ("trace", &["kernel/abi"]),
    (
        "builder",
        &[
            "kernel/abi",
            "syscode",
            "kernel",
            "kernel/ports/cortex-m",
            "kernel/boards/mps2",
            "kernel/boards/mps2-an385",
            "kernel/boards/mps2-an386",
            "kernel/boards/mps2-an505",
            "kernel/boards/mps2-an521",
            "kernel/boards/stm32f405",
            "kernel/boards/virt",
            "kernel/ports/riscv",
            "kernel/ports/code",
            "timing",
            "analysis",
            "trace",
            "sim/table",
            "syscode/generator",
        ],
    ),
    ("builder/carried", &[]),
    (
        "cli",
        &[
            "bench/path",
            "builder/carried",
            "kernel/abi",
            "syscode/assembler",
            "user/link",
            "syscode",
            "timing",
            "analysis",
            "trace",
            "builder",
        ],
    ),
    (
        "bench",
        &[
            "kernel/abi",
            "syscode",
            "syscode/assembler",
            "syscode/generator",
            "syscode/reference",
            "kernel",
            "analysis",
            "builder",
            "trace",
            "bench/l4",
            "bench/path",
        ],
    ),
    ("bench/app", &["bench/board", "user", "user/ecosystem"]),
    ("bench/board", &["user"]),
    ("bench/breakdown", &["analysis", "testing"]),
    ("bench/buffers", &[]),
    ("bench/buffers/app", &["bench/board", "bench/buffers", "user"]),
    (
        "bench/campaign",
        &[
            "kernel/abi",
            "analysis",
            "bench",
            "bench/slack",
            "builder",
            "kernel",
            "sim",
            "testing",
            "timing",
            "trace",
            "user",
        ],
    ),
    ("bench/cores/app", &["user"]),
    ("bench/host", &["kernel/abi", "analysis", "builder", "kernel", "sim", "testing", "trace", "user"]),
    ("bench/check", &["bench/board", "syscode", "user"]),
    ("bench/drained", &["examples/helicopter/app", "user/drain", "user"]),
    ("bench/faces/app", &["bench/board", "user", "user/ecosystem"]),
    ("bench/l4", &["kernel/abi", "kernel", "testing"]),
    ("bench/l4/app", &["bench/board", "bench/l4", "user"]),
    ("bench/path", &["kernel/ports/code"]),
    ("bench/queues", &["kernel/abi", "kernel"]),
    ("bench/queues/app", &["kernel/abi", "bench/board", "bench/queues", "user"]),
    ("bench/restarts/app", &["bench/board", "user"]),
    ("bench/slack", &[]),
    ("bench/slack/app", &["bench/board", "bench/slack", "user"]),
    ("conformance/app", &["user"]),
    ("conformance/bell", &["kernel/abi", "sim"]),
    ("conformance/carrier", &["kernel/abi", "sim"]),
    ("conformance/numbers/app", &["user"]),
    ("conformance/numbers/choice", &["kernel/abi", "sim"]),
    ("examples/avionics/app", &["user"]),
    ("examples/babble/app", &["user"]),
    ("examples/console/app", &["user"]),
    ("examples/engine/app", &["user/drain", "user"]),
    ("examples/engine/road", &["kernel/abi", "sim"]),
    ("examples/ethernet/app", &["user"]),
    ("examples/logbook/app", &["user/ecosystem", "user"]),
    ("examples/ethernet/peer", &["kernel/abi", "sim"]),
    ("examples/formation/app", &["user", "examples/helicopter/app"]),
    ("examples/formation/plant", &["kernel/abi", "sim", "examples/helicopter/plant"]),
    ("examples/graft/app", &["user/loader", "user"]),
    ("examples/helicopter/app", &["user"]),
    ("examples/helicopter/plant", &["kernel/abi", "sim"]),
    ("examples/idle/app", &["syscode", "user"]),
    ("examples/landing/app", &["user/loader", "user", "examples/helicopter/app"]),
    ("examples/landing/plant", &["examples/helicopter/plant"]),
    ("examples/lift/app", &["user"]),
    ("examples/lift/shaft", &["kernel/abi", "sim"]),
    ("examples/limp/app", &["user"]),
    ("examples/meter/app", &["user"]),
    ("examples/meter/pipe", &["kernel/abi", "sim"]),
    ("examples/overload/app", &["user"]),
    ("examples/phoenix/app", &["user"]),
    ("examples/robot/app", &["user"]),
    ("examples/robot/room", &["kernel/abi", "sim"]),
    ("examples/runaway/app", &["user"]),
    ("examples/warden/app", &["user"]),
    ("examples/watchdog/app", &["user"]),
    ("examples/shell/app", &["user"]),
    ("examples/relay/app", &["user"]),
    ("examples/relay/stage", &["kernel/abi", "sim", "examples/relay/app"]),
    ("examples/sampler/app", &["user/loader", "user", "examples/meter/app"]),
    ("examples/sampler/stream", &["examples/meter/pipe"]),
    ("examples/network/app", &["user"]),
    ("examples/network/wire", &["kernel/abi", "sim"]),
    ("examples/storm/app", &["user"]),
    ("examples/stray/app", &["user"]),
    ("examples/reflective/app", &["user"]),
    ("examples/traced/app", &["user/drain", "user"]),
];

/// Crates that are rooms for unsafe code, each block with its argument.
const ROOMS: &[&str] = &[
    "kernel/ports/common",
    "kernel/ports/cortex-m",
    "kernel/ports/riscv",
    "kernel/boards/emulated",
    "kernel/boards/mps2",
    "kernel/boards/stm32f405",
    "kernel/boards/virt",
    "user",
    "user/stm32f4",
    "kernel/boards/mps2-an385/crossed/app",
    "kernel/boards/mps2-an385/faults/app",
    "kernel/boards/mps2-an385/hostile/app",
    "kernel/boards/mps2-an385/stranger/app",
];

/// Crates in which only files whose names begin so are unsafe: see
/// `docs/decisions/0012-unsafe-outside-its-rooms.md`.
const CORNERS: &[(&str, &[&str])] = &[
    ("sim", &["fiber", "plugged/plugin.rs", "plugged/turns.rs"]),
    ("bench/campaign", &["section.rs"]),
    (
        "bench/board",
        &[
            "calibration.rs",
            "calibration_riscv.rs",
            "device.rs",
            "fault.rs",
            "meter.rs",
            "reading.rs",
            "reading_riscv.rs",
            "register.rs",
            "ticker.rs",
        ],
    ),
    ("examples/console/app", &["wild.rs"]),
    ("examples/stray/app", &["pointer.rs", "privilege.rs"]),
    ("user/ecosystem", &["executor.rs", "log.rs", "sections.rs"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn manifest(folder: &str) -> toml::Table {
    let path = root().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn members() -> Vec<String> {
    let members = manifest(".")["workspace"]["members"].clone();
    members
        .as_array()
        .expect("a list")
        .iter()
        .map(|member| member.as_str().expect("a path").to_owned())
        .collect()
}

fn package(folder: &str) -> String {
    manifest(folder)["package"]["name"].as_str().expect("a name").to_owned()
}

#[test]
fn arrows_between_crates_point_down() {
    let members = members();
    let folders: BTreeMap<_, _> = members.iter().map(|folder| (package(folder), folder.as_str())).collect();
    for folder in &members {
        let (_, allowed) = ARROWS
            .iter()
            .find(|(name, _)| name == folder)
            .unwrap_or_else(|| panic!("`{folder}` has no place in the house"));
        let manifest = manifest(folder);
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for name in dependencies.into_iter().flat_map(toml::Table::keys) {
            if let Some(target) = folders.get(name) {
                assert!(allowed.contains(target), "`{folder}` may not depend on `{target}`");
            }
        }
    }
}

#[test]
fn the_kernel_depends_on_nothing_but_abi_and_syscode() {
    for folder in ["kernel/abi", "syscode", "kernel"] {
        let manifest = manifest(folder);
        let names: BTreeSet<_> =
            manifest["dependencies"].as_table().expect("a table").keys().map(String::as_str).collect();
        let allowed = BTreeSet::from(["beryl-abi", "beryl-syscode", "crc32fast"]);
        assert!(names.is_subset(&allowed), "{folder}: {names:?}");
    }
}

#[test]
fn unsafe_code_is_forbidden_outside_of_its_rooms() {
    for folder in members() {
        let is_corner = CORNERS.iter().any(|(corner, _)| *corner == folder);
        if ROOMS.contains(&folder.as_str()) || is_corner {
            continue;
        }
        let source = root().join(&folder).join("src");
        let roots: Vec<_> =
            ["lib.rs", "main.rs"].iter().map(|name| source.join(name)).filter(|path| path.exists()).collect();
        assert!(!roots.is_empty(), "{folder} has no root");
        for path in roots {
            let text = fs::read_to_string(&path).expect("readable");
            assert!(
                text.contains("#![forbid(unsafe_code)]"),
                "{} doesn't forbid unsafe code",
                path.display()
            );
        }
    }
}

#[test]
fn corners_are_unsafe_in_the_files_that_need_it_only() {
    let decision = fs::read_to_string(root().join("docs/decisions/0012-unsafe-outside-its-rooms.md"));
    let decision = decision.expect("the decision");
    for (folder, allowed) in CORNERS {
        let is_file = |name: &&&str| name.ends_with(".rs");
        for room in allowed.iter().filter(|name| !is_file(name)) {
            assert!(
                root().join(folder).join("src").join(room).is_dir(),
                "{folder}: {room} is neither file nor folder"
            );
        }
        for name in allowed.iter().filter(is_file) {
            assert!(decision.contains(name), "decision 0012 doesn't say why {folder}: {name} is unsafe");
        }
        let found = unsafe_files(&root().join(folder).join("src"));
        for file in &found {
            assert!(allowed.iter().any(|name| file.starts_with(name)), "{folder}: {file} is unsafe");
        }
        for name in *allowed {
            let is_used = found.iter().any(|file| file.starts_with(name));
            assert!(is_used, "{folder}: {name} isn't unsafe any more; take it off the list");
        }
    }
}

/// Code that the builder writes is no crate's, and what of it is unsafe has its reason in the same place.
#[test]
fn text_of_unsafe_glue_is_where_the_decision_says() {
    let decision = fs::read_to_string(root().join("docs/decisions/0012-unsafe-outside-its-rooms.md"));
    let decision = decision.expect("the decision");
    let found = unsafe_files(&root().join("builder/src/emit"));
    assert!(found.len() > 5, "{found:?}");
    for file in found {
        assert!(
            decision.contains(&format!("{file}`")),
            "decision 0012 doesn't say why text of {file} is unsafe"
        );
    }
}

/// The files under a folder that hold unsafe code, named from there.
fn unsafe_files(folder: &Path) -> Vec<String> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if is_unsafe(&fs::read_to_string(&path).expect("readable")) {
                found.push(path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned());
            }
        }
    }
    found
}

fn is_unsafe(text: &str) -> bool {
    text.lines().any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"].iter().any(|form| code.contains(form))
    })
}

/// Where boards and their port are named, and what is about one of them by its nature: bounds over machine
/// code, and figures by the files of the port's source.
const NAMING: &[&str] = &["builder/src/board/registry", "bench/path", "bench/src/purposes/rules.rs"];

/// Names of boards, ports and processors.
const NAMES: &[&str] =
    &["mps2", "beryl_cortex_m", "cortex-m", "thumbv", "beryl_virt", "beryl_riscv", "riscv32"];

#[test]
fn boards_and_their_port_are_named_in_the_registry_only() {
    let looked_at = |folder: &&String| {
        ["builder", "cli", "sim"].contains(&folder.as_str()) || folder.starts_with("bench")
    };
    // Tests write descriptions, and samples of commands name a board.
    let is_naming = |line: &str| !line.contains("beryl ") && NAMES.iter().any(|name| line.contains(name));
    let mut naming = BTreeSet::new();
    for folder in members().iter().filter(looked_at) {
        for path in sources(&root().join(folder).join("src")) {
            let name = path.strip_prefix(root()).expect("inside").display().to_string();
            if !name.contains("/tests") && code_of(&path).lines().any(is_naming) {
                naming.insert(name);
            }
        }
    }
    let is_allowed = |path: &&String| NAMING.iter().any(|allowed| path.starts_with(allowed));
    let others: Vec<_> = naming.iter().filter(|path| !is_allowed(path)).collect();
    assert!(others.is_empty(), "these name boards or their port, which is the registry's to do: {others:?}");
    assert!(
        naming.iter().any(|name| name.starts_with(NAMING[0])),
        "the registry names nothing: this test looks for the wrong words"
    );
}

/// The source files under a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).expect("readable") {
            let path = entry.expect("readable").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    found.extend(Some(path).filter(|path| path.extension().is_some_and(|end| end == "rs")))
                }
            }
        }
    }
    found
}

/// Whether a part of the kernel is there is asked where the table at the top of `kernel/src/parts.rs` says,
/// and nowhere else.
#[test]
fn parts_of_the_kernel_are_folders() {
    let table = fs::read_to_string(root().join("kernel/src/parts.rs")).expect("readable");
    let rows = table.lines().filter_map(|line| line.strip_prefix("//! | `")).map(|row| {
        let cells: Vec<_> = row.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        let [part, folder, doors, reason, _] = cells.as_slice() else { panic!("a row of four cells: {row}") };
        assert!(!reason.is_empty(), "{part} has no reason");
        let doors = doors.split(", ").map(|door| door.trim_end_matches(".rs").replace('/', "::"));
        (part.clone(), format!("{folder}::"), doors.filter(|door| !door.is_empty()).collect::<BTreeSet<_>>())
    });
    let modules = modules_of_the_kernel();
    let consulted = |code: &str, part: &str| {
        let mut places = code.split("S::").skip(1);
        places.any(|rest| {
            rest.strip_prefix(part)
                .is_some_and(|rest| !rest.starts_with(|one: char| one.is_alphanumeric() || one == '_'))
        })
    };
    let mut parts = 0;
    for (part, folder, doors) in rows {
        parts += 1;
        let asking =
            modules.iter().filter(|(name, code)| !name.starts_with(&folder) && consulted(code, &part));
        let asking: BTreeSet<_> = asking.map(|(name, _)| name.clone()).collect();
        assert_eq!(asking, doors, "who asks for {part} outside of {folder}");
    }
    assert!(parts >= 10, "the table has {parts} parts");
}

/// The recipe for objects names each file that has to be touched; one that is gone would send its reader astray.
#[test]
fn every_file_of_the_recipe_is_there() {
    let recipe = fs::read_to_string(root().join("docs/how-to-add-an-object.md")).expect("the recipe");
    let words: Vec<_> = recipe.split('`').skip(1).step_by(2).collect();
    let is_file = |word: &&&str| word.contains('/') && word.contains('.') && !word.contains(' ');
    let files: Vec<_> = words.iter().filter(is_file).collect();
    let missing: Vec<_> = files.iter().filter(|file| !root().join(file).is_file()).collect();
    assert!(missing.is_empty(), "the recipe names {missing:?}");
    assert!(files.len() > 80, "only {} files", files.len());
}

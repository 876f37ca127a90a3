//! Measuring the kernel: rows by a probe, code by the kernels of many random systems.

use std::fs;
use std::path::Path;

use beryl_builder::board::{Board, MEASURED};
use beryl_builder::footprint::{MARGIN, NAMES, Rows, Tables, features};
use beryl_builder::image::kernel_alone;
use beryl_builder::toolchain::{Toolchain, root};
use beryl_builder::workshop::{finish, lock_versions, replace};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};

use crate::systems::System;
use crate::trial::{Kernel, Worker, all_workers, code, each, folder, load, told};

/// How many random systems are measured, from the seed 0 on.
const SYSTEMS: u64 = 300;
/// How often samples are weighed. More rounds only learn the accidents of what was measured.
const ROUNDS: usize = 4;
/// Kernels that weren't measured are predicted so well: half of the margin is left for kernels that are still
/// to be written.
const MOST_WRONG: f64 = MARGIN as f64 / 2.0;

/// Asks the compiler how large each row is on the board: a static of that size for each.
pub fn rows() -> Vec<(&'static str, u64)> {
    let place = folder().join("build/rows");
    let processor = Board::named(MEASURED).expect("a board").processor;
    let [port, port_folder] = processor.package;
    let crates = [("beryl-abi", "kernel/abi"), ("beryl-kernel", "kernel"), ("port", port_folder)];
    let dependencies: String = crates
        .iter()
        .map(|(name, path)| {
            let package = if *name == "port" { port } else { name };
            format!("{name} = {{ package = {package:?}, path = {:?} }}\n", root().join(path))
        })
        .collect();
    let manifest = format!(
        "[package]\nname = \"rows\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
    );
    let statics: String = Rows::TYPES
        .iter()
        .map(|(name, path)| {
            format!(
                "#[unsafe(no_mangle)]\npub static ROW_{name}: [u8; size_of::<{path}>()] = [0; size_of::<{path}>()];\n"
            )
        })
        .collect();
    replace(&place.join("Cargo.toml"), manifest.as_bytes()).expect("written");
    replace(&place.join("src/lib.rs"), format!("#![no_std]\n{statics}").as_bytes()).expect("written");
    let workshop = Worker(0).workshop();
    lock_versions(&place).expect("a lock file");
    let toolchain = Toolchain::find(processor.target).unwrap_or_else(|wrong| panic!("{}", told(wrong)));
    let mut command = toolchain.cargo(processor.target, workshop.target());
    command.args(["--release", "--manifest-path"]).arg(place.join("Cargo.toml"));
    finish("compiling the probe", command).unwrap_or_else(|wrong| panic!("{}", told(wrong)));
    let library = toolchain.output(processor.target, workshop.target(), "release").join("librows.rlib");
    let bytes = fs::read(library).expect("a library");
    let archive = ArchiveFile::parse(bytes.as_slice()).expect("a library");
    let mut sizes = Vec::new();
    for member in archive.members() {
        let data = member.expect("a member").data(bytes.as_slice()).expect("its bytes");
        let Ok(file) = object::File::parse(data) else { continue };
        for symbol in file.symbols() {
            if let Some(name) = symbol.name().ok().and_then(|name| name.strip_prefix("ROW_")) {
                sizes.push((name.to_owned(), symbol.size()));
            }
        }
    }
    let size = |(name, _): &(&'static str, &str)| {
        let found = sizes.iter().find(|(own, _)| own == name);
        (*name, found.unwrap_or_else(|| panic!("the probe has no {name}")).1)
    };
    Rows::TYPES.iter().map(size).collect()
}

/// The kernel of a random system.
#[derive(Clone)]
struct Sample {
    features: Vec<f64>,
    code: f64,
    /// Variables that no table counts.
    fixed: u64,
}

/// Measures the kernels of random systems and of given ones, which have what no random one has, and writes
/// what they take: the features' weights are those with the least largest error.
pub fn record(rows: &[(&'static str, u64)], measured: Rows, given: &[System]) {
    let samples = each(0..SYSTEMS, all_workers(), |worker, seed| {
        sample(worker, &seed.to_string(), &System::of(seed), measured)
    });
    let samples: Vec<_> = samples.into_iter().flatten().collect();
    let given = given.iter().filter_map(|system| sample(Worker(0), "given", system, measured));
    let all: Vec<_> = samples.iter().cloned().chain(given).collect();
    let weights: Vec<_> = minimax(&all).into_iter().map(f64::round).collect();
    let (least, worst) = errors(&weights, &all);
    println!("errors from {least} to {worst}");
    let (least, most) = left_out(&samples);
    println!("errors on kernels that are left out from {least} to {most}");
    assert!(
        most.max(-least) < MOST_WRONG,
        "the features tell too little: kernels differ by up to {} from what they predict",
        most.max(-least)
    );
    let fixed = all.iter().map(|sample| sample.fixed).max().unwrap_or(0);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/footprint/measured.rs");
    fs::write(path, text(rows, &weights, fixed)).expect("the source can be written");
}

/// By how much kernels are smaller and larger than what is predicted, at most.
fn errors(weights: &[f64], samples: &[Sample]) -> (f64, f64) {
    let errors = samples.iter().map(|sample| sample.code - predicted(weights, sample));
    errors.fold((0.0, 0.0), |(least, most), error| (error.min(least), error.max(most)))
}

/// The same of kernels that the weights weren't made from: each tenth in turn.
fn left_out(samples: &[Sample]) -> (f64, f64) {
    const PARTS: usize = 10;
    let of_part = |part: usize| {
        let (out, kept): (Vec<_>, Vec<_>) =
            samples.iter().cloned().enumerate().partition(|(number, _)| number % PARTS == part);
        let [out, kept] =
            [out, kept].map(|part| part.into_iter().map(|(_, sample)| sample).collect::<Vec<_>>());
        errors(&minimax(&kept), &out)
    };
    let of_parts = (0..PARTS).map(of_part);
    of_parts.fold((0.0, 0.0), |(least, most), (low, high)| (low.min(least), high.max(most)))
}

/// The kernel of a random system, if it may be built: that of a band by code may cost too much for its tasks.
fn sample(worker: Worker, name: &str, system: &System, rows: Rows) -> Option<Sample> {
    let project = match load(&worker.name(), system, "4M", "4M") {
        Ok(project) => project,
        Err(refusal) => {
            println!("{name} is refused: {}", told(refusal));
            return None;
        }
    };
    let kernel = kernel_alone(&project).unwrap_or_else(|wrong| panic!("{name}: {}", told(wrong)));
    let (kernel, tables) = (Kernel::of(kernel), Tables { rows, assembly: &project.assembly });
    let features = features(&project.assembly).map(f64::from).to_vec();
    let code = code(&project, &kernel, &tables);
    let fixed = kernel.variables() - tables.variables(&project.slots);
    println!("{name}: {code} bytes of code, {fixed} of variables beside tables; {features:?}");
    Some(Sample { features, code: f64::from(u32::try_from(code).expect("small")), fixed })
}

fn predicted(weights: &[f64], sample: &Sample) -> f64 {
    weights.iter().zip(&sample.features).map(|(weight, amount)| weight * amount).sum()
}

/// Weights whose largest error is small (Lawson, "Contributions to the theory of linear least maximum
/// approximation", 1961): least squares, in which each sample counts the more the worse it fitted.
fn minimax(samples: &[Sample]) -> Vec<f64> {
    let mut counts = vec![1.0; samples.len()];
    let mut best = (f64::INFINITY, Vec::new());
    for _ in 0..ROUNDS {
        let weights = least_squares(samples, &counts);
        let errors: Vec<_> =
            samples.iter().map(|sample| (sample.code - predicted(&weights, sample)).abs()).collect();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        if worst < best.0 {
            best = (worst, weights);
        }
        counts.iter_mut().zip(&errors).for_each(|(count, error)| *count *= error);
        let mean = counts.iter().sum::<f64>() / f64::from(u32::try_from(counts.len()).expect("few"));
        counts.iter_mut().for_each(|count| *count /= mean);
    }
    best.1
}

/// Gaussian elimination of the normal equations. What no sample tells apart is shared evenly.
fn least_squares(samples: &[Sample], counts: &[f64]) -> Vec<f64> {
    const EVENLY: f64 = 0.01;
    let size = NAMES.len();
    let mut rows = vec![vec![0.0; size + 1]; size];
    for (sample, count) in samples.iter().zip(counts) {
        for (row, own) in rows.iter_mut().zip(&sample.features) {
            let values = sample.features.iter().chain([&sample.code]);
            row.iter_mut().zip(values).for_each(|(sum, value)| *sum += count * own * value);
        }
    }
    (0..size).for_each(|index| rows[index][index] += EVENLY);
    for column in 0..size {
        let pivot = rows[column].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[column] / pivot[column];
            if index != column && factor != 0.0 {
                row.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    (0..size).map(|index| rows[index][size] / rows[index][index]).collect()
}

fn text(rows: &[(&str, u64)], weights: &[f64], fixed: u64) -> String {
    let rows: String = rows.iter().map(|(name, size)| format!("    {name}: {size},\n")).collect();
    let weights: String =
        NAMES.iter().zip(weights).map(|(name, weight)| format!("    ({name:?}, {weight}),\n")).collect();
    format!(
        "//! What the kernel's tables and code take on the board, as measured. Written by a test; changes are lost:\n\
         //! `./x bench fits --record`.\n\n\
         use super::Rows;\n\n\
         /// Bytes of a row of each table.\npub const ROWS: Rows = Rows {{\n{rows}}};\n\n\
         /// Bytes of the kernel's variables that don't grow with any table.\npub const FIXED_DATA: u32 = {fixed};\n\n\
         /// Bytes of code that each feature adds.\npub const CODE: &[(&str, i32)] = &[\n{weights}];\n"
    )
}

//! Synchronous values on the kernel: what tasks read, however long their jobs take, is what they would read if all work
//! took no time.
//!
//! Random graphs become timing programs and descriptions, these the tables and the system code of a system, and the kernel
//! carries them out with jobs that preempt each other. The meaning is the text that the models of the protocols are
//! compared with, `zero_time` of the analysis. A failure names its seed.

#[path = "../common/mod.rs"]
mod common;
mod counted;
mod drawn;
mod refused;
mod run;
mod times;

use beryl_analysis::synchronous::zero_time;
use beryl_testing::{SplitMix64 as Random, cases};
use drawn::{Drawn, mixed};

/// Whether everything that was read is what work in no time reads. Jobs that are under way at the end have read nothing.
fn are_meant(reads: &zero_time::Reads, meant: &zero_time::Reads) -> bool {
    let agree = |(found, meant): (&Vec<_>, &Vec<_>)| {
        meant.starts_with(found.as_slice()) && found.len() + 1 >= meant.len()
    };
    reads.len() == meant.len() && reads.iter().zip(meant).all(agree)
}

#[test]
fn what_is_read_on_the_kernel_is_what_work_in_no_time_reads() {
    let (mut waited, mut crossing, mut delayed, mut long) = (0, 0, 0, 0);
    for seed in 0..cases(3000, 50_000) {
        let mut random = Random(seed);
        let drawn = Drawn::of(&mut random);
        let project = drawn.project().unwrap_or_else(|wrong| panic!("seed {seed}: {wrong:?}"));
        let seen = run::run(&project, &drawn, &mut random, seed);
        let meant = zero_time::run(&drawn.graph, drawn.end(), mixed);
        assert!(are_meant(&seen.first, &meant), "seed {seed}, first looks: {drawn:?}");
        assert!(are_meant(&seen.last, &meant), "seed {seed}, last looks: {drawn:?}");
        waited += seen.fed;
        let links = &drawn.graph.links;
        delayed += links.iter().filter(|link| link.delayed).count();
        crossing +=
            links.iter().filter(|link| drawn.process(link.writer) != drawn.process(link.reader)).count();
        long += links.iter().filter(|link| drawn.is_long[link.writer]).count();
    }
    let counts = [waited, crossing, delayed, long];
    assert!(counts.iter().all(|count| *count > 1000), "what is it that was tried? {counts:?}");
}

/// Other times of the same jobs change nothing.
#[test]
fn values_are_the_same_however_long_jobs_take() {
    for seed in 0..cases(150, 2000) {
        let drawn = Drawn::of(&mut Random(seed));
        let project = drawn.project().unwrap_or_else(|wrong| panic!("seed {seed}: {wrong:?}"));
        let runs =
            [0, 1, 2].map(|times| run::run(&project, &drawn, &mut Random(1000 * seed + times), seed).first);
        let least = |node: usize| runs.iter().map(|run| run[node].len()).min().unwrap_or(0);
        for node in 0..drawn.graph.nodes.len() {
            let all = runs.each_ref().map(|run| &run[node][..least(node)]);
            assert!(all.iter().all(|run| *run == all[0]), "seed {seed}, node {node}: {all:?}");
        }
    }
}

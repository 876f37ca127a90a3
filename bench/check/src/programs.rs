//! The programs that are checked. Written by ./x bench.

/// A program.
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// How many tasks there are.
    pub tasks: usize,
    /// What each job may take, in ticks.
    pub bound: u32,
    /// Its container.
    pub bytes: &'static [u8],
    /// Its certificate, if a band schedules it.
    pub certificate: &'static [u32],
}

/// All of them.
#[rustfmt::skip]
pub const PROGRAMS: &[Program] = &[
    Program { name: "schedule-4", tasks: 4, bound: 43500, bytes: include_bytes!("programs/schedule-4.bsc"), certificate: &[] },
    Program { name: "schedule-10", tasks: 10, bound: 19417, bytes: include_bytes!("programs/schedule-10.bsc"), certificate: &[] },
    Program { name: "schedule-50", tasks: 50, bound: 3587, bytes: include_bytes!("programs/schedule-50.bsc"), certificate: &[] },
    Program { name: "schedule-100", tasks: 100, bound: 2050, bytes: include_bytes!("programs/schedule-100.bsc"), certificate: &[] },
    Program { name: "band-4", tasks: 4, bound: 43500, bytes: include_bytes!("programs/band-4.bsc"), certificate: &[174000] },
    Program { name: "band-10", tasks: 10, bound: 19417, bytes: include_bytes!("programs/band-10.bsc"), certificate: &[194170] },
    Program { name: "band-50", tasks: 50, bound: 3587, bytes: include_bytes!("programs/band-50.bsc"), certificate: &[179350] },
    Program { name: "band-100", tasks: 100, bound: 2050, bytes: include_bytes!("programs/band-100.bsc"), certificate: &[205000] },
];

//! The work of the compiler is linear in the size of the text, for right programs and wrong ones.
//!
//! Steps are counted, not timed: words read, names looked up or compared, values made.

use beryl_timing::{Source, compile_counted};

fn work(text: String) -> (bool, u64) {
    let (result, work) = compile_counted(&[Source { name: "large.tdl".to_owned(), text }]);
    (result.is_ok(), work)
}

fn list(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

fn module(text: &str) -> String {
    format!("module M {{ sensor int s uses read_s; {text} }}")
}

/// What grows, whether that is right, and the program of a size.
type Family = (&'static str, bool, fn(usize) -> String);

/// Programs that grow in one direction each.
fn families() -> Vec<Family> {
    vec![
        ("tasks and their activities", true, |n| {
            let tasks =
                list(n, |k| format!("task t{k} {{ input int a; output int x := 0; uses f(a, x); }}\n"));
            let activities =
                list(n, |k| format!("task [freq = 1] if g(s, {k}) then t{k}(t{}.x);\n", (k + 1) % n));
            module(&format!("{tasks} start mode m [period = 1ms] {{ {activities} }}"))
        }),
        ("one task with many ports, each used", true, |n| {
            let ports = list(n, |k| format!("output int x{k} := 0;\n"));
            let modes = list(n, |k| {
                format!("mode m{k} [period = 1ms] {{ mode [freq = 1] if g(t.x{k}) then m{k}; }}\n")
            });
            module(&format!("task t {{ {ports} uses f(x0); }} start mode m [period = 1ms] {{ }} {modes}"))
        }),
        ("many tasks of another module, each used", true, |n| {
            let tasks = list(n, |k| format!("public task t{k} {{ output int x := 0; uses f(x); }}\n"));
            let inputs = list(n, |k| format!("mode [freq = 1] if g(M.t{k}.x) then m;\n"));
            let other = format!("module N {{ import M; start mode m [period = 1ms] {{ {inputs} }} }}");
            module(&format!("{tasks} start mode m [period = 1ms] {{ }}")) + &other
        }),
        ("a ring of modes", true, |n| {
            let modes = list(n, |k| {
                let start = if k == 0 { "start" } else { "" };
                format!("{start} mode m{k} [period = 1ms] {{ mode [freq = 1] m{}; }}\n", (k + 1) % n)
            });
            module(&modes)
        }),
        ("many switches beside many tasks", true, |n| {
            let tasks = list(n, |k| format!("task t{k} {{ uses f(); }}\n"));
            let invoked = list(n, |k| format!("task [freq = 5040, slots = 1-{}] t{k}();\n", 1 + k % 2));
            let switches =
                list(n, |k| format!("mode [freq = {}] if g(s) then m;\n", [1, 2, 3, 4, 5, 6, 7, 8][k % 8]));
            module(&format!("{tasks} start mode m [period = 5040us] {{ {invoked} {switches} }}"))
        }),
        ("structs and ports of them", true, |n| {
            let structs = list(n, |k| format!("struct S{k} {{ int a; float[2] b; }}\n"));
            let ports = list(n, |k| format!("state S{k} p{k} := {{1, {{2, 3}}}};\n"));
            module(&format!("{structs} task t {{ {ports} uses f(p0); }} start mode m [period = 1ms] {{ }}"))
        }),
        ("structs within structs and ports of them", true, |n| {
            let structs = list(n / 3, |k| {
                format!(
                    "struct A{k} {{ int a; float[2] b; }} struct B{k} {{ A{k}[2] a; A{k} b; }}\n\
                     struct C{k} {{ B{k}[2] a; A{k}[4] b; B{k} c; }}\n"
                )
            });
            let ports = list(n, |k| {
                let k = k % (n / 3);
                format!("state C{k} p := {{{{b, b}}, {{a, a, a, a}}, {{{{a, a}}, {{1, {{2, 3}}}}}}}};\n")
            });
            let tasks: String = ports
                .lines()
                .enumerate()
                .map(|(k, port)| format!("task t{k} {{ {port} uses f{k}(p); }}\n"))
                .collect();
            let constants = "const a = {1, {2, 3}}; const b = {{{1, {2, 3}}, {1, {2, 3}}}, {1, {2, 3}}};";
            module(&format!("{constants} {structs} {tasks} start mode m [period = 1ms] {{ }}"))
        }),
        ("constants and their uses", true, |n| {
            let constants = list(n, |k| format!("const c{k} = {{1, {k}, 3}};\n"));
            let ports = list(n, |k| format!("state int[3] p{k} := c{k};\n"));
            module(&format!("{constants} task t {{ {ports} uses f(p0); }} start mode m [period = 1ms] {{ }}"))
        }),
        ("constants that name the one above", true, |n| {
            let constants = list(n, |k| format!("const c{} = 1 + c{k} - 1;\n", k + 1));
            module(&format!("const c0 = 2; {constants} start mode m [period = c{n} * 1ms] {{ }}"))
        }),
        ("a long sum", true, |n| {
            module(&format!("const c = 1{}; start mode m [period = 1ms] {{ }}", " + 1 * 2".repeat(n)))
        }),
        ("constants and structs of a module that many import", true, |n| {
            let constants = list(n, |k| format!("const c{k} = {k}; struct S{k} {{ int x; }}\n"));
            let others = list(n, |k| {
                format!(
                    "module N{k} {{ import M; sensor M.S{k} s uses r{k}; actuator int a := M.c{k} uses w; \
                     start mode m [period = 1ms] {{ }} }}\n"
                )
            });
            module(&format!("{constants} start mode m [period = 1ms] {{ }}")) + &others
        }),
        ("conditions", true, |n| {
            let modes = list(n, |k| {
                format!(
                    "mode m{k} [period = 1ms] {{ mode [freq = 1] if not (s > {k} or ((s) == 1)) and g(s) then m{k}; }}\n"
                )
            });
            module(&format!("start mode m [period = 1ms] {{ }} {modes}"))
        }),
        ("asynchronous activities", true, |n| {
            let tasks = list(n, |k| format!("task t{k} {{ output int x := 0; uses f(x); }}\n"));
            let activities =
                list(n, |k| format!("task [trigger = t{}.x, priority = 1] t{k}();\n", (k + 1) % n));
            module(&format!("{tasks} asynchronous {{ {activities} }} start mode m [period = 1ms] {{ }}"))
        }),
        ("switches at the ends of slots, and tasks in others", true, |n| {
            let tasks = list(n, |k| format!("task t{k} {{ uses f(); }}\n"));
            let invoked = list(n, |k| format!("task [freq = 4, slots = {}] t{k}();\n", k % 4 + 1));
            let switches =
                list(n, |k| format!("mode [freq = 8, slots = {}] if g(s) then m;\n", k % 4 * 2 + 2));
            module(&format!("{tasks} start mode m [period = 8ms] {{ {invoked} {switches} }}"))
        }),
        ("Giotto's form", true, |n| {
            let tasks = list(n, |k| format!("task t{k} {{ input int a; uses f(a); }} driver d{k}(s);\n"));
            let activities = list(n, |k| format!("taskfreq 1 do t{k}(d{k});\n"));
            module(&format!("{tasks} mode m() period 20 {{ {activities} }}"))
        }),
        ("unknown sensors", false, |n| {
            let sensors = list(n, |k| format!("sensor int sensor{k} uses f;\n"));
            let guards = list(n, |k| format!("mode [freq = 1] if g(sensr{k}) then m;\n"));
            module(&format!("{sensors} start mode m [period = 1ms] {{ {guards} }}"))
        }),
        ("unknown tasks of another module", false, |n| {
            let tasks = list(n, |k| format!("public task task{k} {{ output int x := 0; uses f(x); }}\n"));
            let inputs = list(n, |k| format!("mode [freq = 1] if g(M.tsk{k}.x) then m;\n"));
            let other = format!("module N {{ import M; start mode m [period = 1ms] {{ {inputs} }} }}");
            module(&format!("{tasks} start mode m [period = 1ms] {{ }}")) + &other
        }),
        ("torn tasks", false, |n| {
            let tasks = list(n, |k| format!("task t{k} {{ uses f(); }}\n"));
            let invoked = list(n, |k| format!("task [freq = 3] t{k}();\n"));
            let switches = "mode [freq = 2] if g(s) then m;\n".repeat(n);
            module(&format!("{tasks} start mode m [period = 6ms] {{ {invoked} {switches} }}"))
        }),
        ("structs of structs that are declared further down", false, |n| {
            let structs = list(n, |k| format!("struct S{k} {{ S{}[2] a; S{k} b; }}\n", (k + n / 2) % n));
            module(&format!("{structs} start mode m [period = 1ms] {{ }}"))
        }),
        ("structs of a struct that is wrong", false, |n| {
            let structs = list(n, |k| format!("struct S{} {{ S{k} a; S{k}[2] b; }}\n", k + 1));
            module(&format!("struct S0 {{ }} {structs} start mode m [period = 1ms] {{ }}"))
        }),
        ("wrong values", false, |n| {
            let constants = list(n, |k| format!("const constant{k} = 1;\n"));
            let ports = list(n, |k| format!("state int p{k} := constnt{k};\n"));
            module(&format!("{constants} task t {{ {ports} uses f(p0); }} start mode m [period = 1ms] {{ }}"))
        }),
        ("constants of another module that it doesn't have", false, |n| {
            let constants = list(n, |k| format!("const constant{k} = 1;\n"));
            let uses = list(n, |k| format!("const c{k} = 1 + M.constnt{k};\n"));
            let other = format!("module N {{ import M; {uses} start mode m [period = 1ms] {{ }} }}");
            module(&format!("{constants} start mode m [period = 1ms] {{ }}")) + &other
        }),
        ("conditions without end", false, |n| {
            module(&"start mode m [period = 1ms] { mode [freq = 1] if ((not (s ".repeat(n))
        }),
        ("unknown modules", false, |n| {
            let modules = list(n, |k| {
                format!("module Module{k} {{ import Modul{k}; start mode m [period = 1ms] {{ }} }}\n")
            });
            module("start mode m [period = 1ms] { }") + &modules
        }),
        ("names that come twice", false, |n| {
            module(&("const c = 1;\n".repeat(n) + "start mode m [period = 1ms] { }"))
        }),
        ("statements without end", false, |n| {
            module(&"start mode m [period = 1ms] { task [freq = 1] if g(".repeat(n))
        }),
    ]
}

#[test]
fn work_is_linear_in_the_size_of_the_text() {
    const SIZES: [usize; 3] = [250, 500, 1000];
    for (name, is_right, program) in families() {
        let done = SIZES.map(|size| work(program(size)));
        assert!(done.iter().all(|(right, _)| *right == is_right), "{name}: {done:?}");
        let [small, medium, large] = done.map(|(_, work)| work);
        assert!(small >= 250, "{name}: something is counted");
        // From one size to the next twice the work, whatever the first size cost beside.
        assert!(
            large - medium <= 2 * (medium - small) + 2 * medium / 100,
            "{name}: {small}, {medium}, {large}"
        );
        assert!(large <= 5 * small, "{name}: {small}, {medium}, {large}");
    }
}

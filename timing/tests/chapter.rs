//! The whole programs of the chapter on timing compile, and are laid out as `beryl fmt` lays them out.

use beryl_timing::{Source, compile, format};

const CHAPTER: &str = include_str!("../../docs/03-timing.md");

#[test]
fn the_whole_programs_of_the_chapter_compile() {
    let programs: Vec<&str> =
        CHAPTER.split("```tdl\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!programs.is_empty(), "the chapter has no whole program");
    for program in programs {
        let source = Source { name: "03-timing.md".to_owned(), text: program.to_owned() };
        compile(std::slice::from_ref(&source)).unwrap_or_else(|wrong| panic!("{wrong:?}\n{program}"));
        assert_eq!(format(&source).expect("a program"), program);
    }
}

//! The colours of threads, modes and curves can be told from each other, by everybody, on the page and in pictures.

const PAGE: &str = include_str!("../src/html/draw.js");
const PICTURE: &str = include_str!("../src/timeline/svg/style.css");

/// How two colours that can be told apart differ at least: in OKLab (B. Ottosson, 2020), where a difference that can just be
/// seen side by side is about 0.02, and between what is far apart.
const APART: f64 = 0.08;
/// What a mark needs beside its ground: WCAG 2.2, criterion 1.4.11.
const CONTRAST: f64 = 3.0;

type Light = [f64; 3];

/// What becomes of light for who lacks a kind of cone: Machado, Oliveira, Fernandes, "A physiologically-based model for
/// simulation of color vision deficiency" (IEEE TVCG 15(6), 2009), of severity 1.
const EYES: [(&str, [Light; 3]); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "none for red",
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    ),
    (
        "none for green",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    (
        "none for blue",
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ),
];

/// The light of a colour such as `#2563a8`.
fn light(colour: &str) -> Light {
    let part = |place: usize| u8::from_str_radix(&colour[place..place + 2], 16).expect("a number");
    [1, 3, 5].map(|place| match f64::from(part(place)) / 255.0 {
        dark if dark <= 0.04045 => dark / 12.92,
        bright => ((bright + 0.055) / 1.055).powf(2.4),
    })
}

fn times(matrix: &[Light; 3], light: Light) -> Light {
    matrix.map(|row| row.iter().zip(light).map(|(factor, part)| factor * part).sum())
}

fn oklab(light: Light) -> Light {
    const CONES: [Light; 3] = [
        [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
        [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
        [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ];
    const LAB: [Light; 3] = [
        [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
        [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
        [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
    ];
    times(&LAB, times(&CONES, light).map(f64::cbrt))
}

/// How different two colours are to some eyes.
fn difference(one: &str, other: &str, eyes: &[Light; 3]) -> f64 {
    let seen = |colour| oklab(times(eyes, light(colour)).map(|part| part.clamp(0.0, 1.0)));
    seen(one).iter().zip(seen(other)).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
}

fn contrast(one: &str, other: &str) -> f64 {
    let luminance = |colour| times(&[[0.2126, 0.7152, 0.0722]; 3], light(colour))[0] + 0.05;
    let (one, other) = (luminance(one), luminance(other));
    one.max(other) / one.min(other)
}

/// The colours within some lines of a text: `#` and six digits.
fn colours(text: &str) -> Vec<&str> {
    text.match_indices('#').map(|(at, _)| &text[at..at + 7]).collect()
}

/// The ground and the colours of lanes, light and dark.
fn themes() -> [(&'static str, Vec<&'static str>); 2] {
    let lines = |mark: &str| {
        PAGE.lines().filter(|line| line.trim_start().starts_with(mark)).map(colours).collect::<Vec<_>>()
    };
    let (grounds, lanes) = (lines("ground:"), lines("lanes:"));
    [0, 1].map(|theme| (grounds[theme][0], lanes[theme].clone()))
}

#[test]
fn colours_can_be_told_apart_by_everybody() {
    for (ground, lanes) in themes() {
        assert_eq!(lanes.len(), 6);
        for (place, one) in lanes.iter().enumerate() {
            assert!(contrast(one, ground) >= CONTRAST, "{one} on {ground}: {}", contrast(one, ground));
            for other in &lanes[..place] {
                for (who, eyes) in &EYES {
                    let difference = difference(one, other, eyes);
                    assert!(difference >= APART, "{one} and {other} on {ground}, {who}: {difference}");
                }
            }
        }
    }
}

#[test]
fn the_page_and_pictures_have_the_same_colours() {
    let all = themes().map(|(_, lanes)| lanes).concat();
    let is_of_a_process =
        |line: &&str| line.starts_with(".c") && line.as_bytes().get(2).is_some_and(u8::is_ascii_digit);
    let pictured: Vec<&str> = PICTURE.lines().filter(is_of_a_process).map(|line| colours(line)[0]).collect();
    assert_eq!(pictured, all);
}

//! The specification of `mini` stays short enough to read.

const MINI: &str = include_str!("../../../languages/mini/mini.lala");

#[test]
fn mini_stays_small() {
    let lines = MINI.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines < 400, "{lines} lines");
    let longest = MINI.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(100), "{longest:?} columns");
}

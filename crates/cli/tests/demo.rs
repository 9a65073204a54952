//! `espalier demo --once`: the tour runs to its end and shows what it promises.

mod process;

use process::espalier;

#[test]
fn the_tour_shows_every_step() {
    let output = espalier().args(["demo", "--once", "--port", "0"]).output().expect("the demo runs");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{text}\n{errors}");
    for expected in [
        "CreateTable shop",
        "The conditional request failed",
        "Mira Lindqvist",
        "ORDER#2026-04-20T08:30:00Z#1005",
        "Orders: 1",
        "for aiko: done",
        "for tomas: cancelled, because [ConditionalCheckFailed, None]",
        "INSERT",
        "MODIFY",
    ] {
        assert!(text.contains(expected), "{expected} is missing in\n{text}");
    }
}

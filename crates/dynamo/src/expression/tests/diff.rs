use super::{filter, refusal, update};
#[test]
fn diff() {
    let text = std::fs::read_to_string("/tmp/expr-ddb/fuzz.tsv").unwrap();
    let mut bad = 0;
    for line in text.lines() {
        let mut parts = line.split('\t');
        let (kind, text, theirs) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let ours = if kind == "c" { filter(text).err() } else { update(text).err() };
        let ours = ours.map_or(String::new(), |e| e.to_string());
        let theirs = if theirs.starts_with("Invalid") { theirs } else { "" };
        if ours != theirs {
            bad += 1;
            eprintln!("{text}\n   ours   {ours}\n   theirs {theirs}");
        }
    }
    let _ = refusal::<()>;
    panic!("{bad}");
}

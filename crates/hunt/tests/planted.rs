//! Two hundred failures of five planted bugs become five findings.
//!
//! - `use-after-free`: reports differ in addresses, folders and line numbers;
//! - `left` and `right`: nothing but the same signal, so only the reduced tests tell them apart;
//! - `panic`: one place, two messages;
//! - `sum`: a wrong result, seen by comparison with a second target.

mod common;

use common::{Hunt, oracles};

/// Adds the numbers of its input, one word after the other, with five bugs.
const TARGET: &str = r#"
sum=0
for word in $(cat); do
    case $word in
    uaf)
        echo "==$$==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020000$$ at pc 0x55$$" >&2
        echo "    #0 0x55$$ in free_node /tmp/build$$/src/tree.c:$$:3" >&2
        echo "    #1 0x56$$ in walk /tmp/build$$/src/tree.c:1$$:9" >&2
        echo "    #2 0x57$$ in main /tmp/build$$/src/main.c:2$$:1" >&2
        exit 1;;
    left | right) kill -SEGV $$;;
    panic*)
        echo "thread 'main' panicked at src/eval.rs:10:5:" >&2
        if [ $(( $$ % 2 )) = 0 ]; then echo "index out of bounds: the len is $$"; else echo "no entry for $word"; fi >&2
        exit 101;;
    twice) sum=$((sum + sum + 1));;
    *) sum=$((sum + word));;
    esac
done
echo $sum
"#;

/// The same without bugs.
const REFERENCE: &str = r#"
sum=0
for word in $(cat); do
    case $word in uaf | left | right | panic*) ;; twice) sum=$((sum + sum));; *) sum=$((sum + word));; esac
done
echo $sum
"#;

#[test]
fn two_hundred_failures_of_five_bugs_are_five_findings() {
    let words = ["uaf", "left", "right", "panic", "twice"];
    let test = |n: usize| {
        let (before, after) = (n % 7, n % 11);
        let numbers = |count: usize| (0..count).map(|k| format!("{} ", n * 13 + k)).collect::<String>();
        format!("{}{} {}", numbers(before), words[n % words.len()], numbers(after))
    };
    let hunt = Hunt {
        tests: (0..200).map(test).collect(),
        targets: vec![TARGET, REFERENCE],
        oracles: oracles(&["crash", "hang", "differential"]),
        reduces: true,
        ..Hunt::new("")
    };
    let seen = hunt.run();
    assert_eq!(seen.findings.len(), 5, "{:#?}", seen.titles());
    seen.assert_found("crash", "heap-use-after-free");
    seen.assert_found("crash", "SIGSEGV · left");
    seen.assert_found("crash", "SIGSEGV · right");
    seen.assert_found("crash", "panic");
    seen.assert_found("differential", "different results");
    assert_eq!(seen.findings.iter().map(|finding| finding.count).sum::<u64>(), 200);
    for finding in &seen.findings {
        let smallest = String::from_utf8_lossy(finding.best()).into_owned();
        assert!(words.contains(&smallest.trim()), "{smallest:?}");
    }
}

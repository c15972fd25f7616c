//! The machine at its limits, and that its caches never change a result.

#![allow(clippy::unwrap_used, reason = "a test may")]

use polysmith_lala::read;
use polysmith_source::{Memory, render};
use polysmith_value::{Failure, FailureKind, Limits, Machine, NoExternals, Node, Program, Value};
use std::path::Path;

fn program(text: &str) -> Program {
    let files = Memory::default().with("t.lala", format!("{text}\nclass Main(\"x\");\n").as_bytes());
    let loaded = read(&files, Path::new("t.lala"));
    let shown = render::human(&loaded.sources, loaded.diagnostics.iter(), &render::Style::plain());
    loaded.spec.unwrap_or_else(|| panic!("{shown}")).program
}

fn call(program: &Program, name: &str, args: &[Value], machine: &mut Machine) -> Result<Value, Box<Failure>> {
    let function = program.function("t", name).unwrap();
    program.call(function, &mut args.to_vec(), machine, &mut NoExternals)
}

fn failure_kind(text: &str, args: &[Value]) -> FailureKind {
    let mut machine = Machine::new(Limits { steps: 100_000, depth: 5_000 });
    call(&program(text), "f", args, &mut machine).unwrap_err().kind
}

#[test]
fn every_limit_ends_in_a_failure_that_names_it() {
    let endless = "fn f(n : Int) : Int = (f (n + 1));";
    assert_eq!(failure_kind(endless, &[Value::Int(0)]), FailureKind::Steps(100_000));
    let deep = "fn f(n : Int) : Int = 1 + (f (n + 1));";
    assert_eq!(failure_kind(deep, &[Value::Int(0)]), FailureKind::Depth(5_000));
    let through_map = "type T = Leaf | Branch(List(T));
        fn f(n : Int) : List(T) = (List:map [n] (x -> (Branch (f (x + 1)))));";
    assert_eq!(failure_kind(through_map, &[Value::Int(0)]), FailureKind::Depth(5_000));
    let nested = "type T = Leaf | Node(T);\nfn f(t : T) : T = (f (Node t));\nfn g : T = (f Leaf);";
    let mut machine = Machine::default();
    assert_eq!(call(&program(nested), "g", &[], &mut machine).unwrap_err().kind, FailureKind::ValueDepth);
    assert_eq!(failure_kind("fn f(n : Int) : Int = (f (n * n));", &[Value::Int(3)]), FailureKind::IntSize);
}

#[test]
fn a_machine_is_as_new_after_a_failure() {
    let program =
        program("fn f(n : Int) : Int = if n == 0 then 1 / n else 1 + (f (n - 1));\nfn g : Int = 2 + 3;");
    let mut machine = Machine::default();
    let failure = call(&program, "f", &[Value::Int(3)], &mut machine).unwrap_err();
    assert_eq!(failure.to_string(), "division by zero, in `t:f`, in `t:f`, in `t:f`, in `t:f`");
    assert_eq!(call(&program, "g", &[], &mut machine), Ok(Value::Int(5)));
}

#[test]
fn an_index_gives_what_a_scan_gives_and_costs_the_same_steps() {
    let program = program(
        "fn ask(m : Map(Int, Int), k : Int) : List(Int) = (Map:where m (v -> v % 7) k);
         fn scan(m : Map(Int, Int), k : Int) : List(Int) = (List:filter (Map:values m) (v -> v % 7 == k));
         fn put(m : Map(Int, Int), k : Int, v : Int) : Map(Int, Int) = (Map:put m k v);
         fn remove(m : Map(Int, Int), k : Int) : Map(Int, Int) = (Map:remove m k);
         fn empty : Map(Int, Int) = (Map:empty);",
    );
    let mut machine = Machine::default();
    let mut maps = vec![call(&program, "empty", &[], &mut machine).unwrap()];
    let mut stream = polysmith_random::Stream::keyed(&[17]);
    for _ in 0..300 {
        // From any earlier map, because versions branch.
        let map = stream.pick(&maps).unwrap().clone();
        let mut number = |below| Value::Int(i64::try_from(stream.below(below)).unwrap());
        let (key, value, wanted) = (number(40), number(1000), number(7));
        let next = if number(4) == Value::Int(0) {
            call(&program, "remove", &[map, key], &mut machine)
        } else {
            call(&program, "put", &[map, key, value], &mut machine)
        };
        let next = next.unwrap();
        let asked = call(&program, "ask", &[next.clone(), wanted.clone()], &mut machine).unwrap();
        let first_cost = machine.steps_taken();
        let again = call(&program, "ask", &[next.clone(), wanted.clone()], &mut machine).unwrap();
        assert_eq!(machine.steps_taken(), first_cost);
        let scanned = call(&program, "scan", &[next.clone(), wanted], &mut machine).unwrap();
        assert_eq!((&asked, &again), (&scanned, &scanned));
        maps.push(next);
    }
}

#[test]
fn draws_follow_from_the_node_and_the_place() {
    let program = program(
        "fn f(n : Node) : List(Int) = [(Random:int n 0 1000000), (Random:int n 0 1000000)];
         fn g(n : Node) : List(Int) = (List:map [1, 2, 3] (i -> (Random:int (Random:split n i) 0 1000000)));",
    );
    let mut machine = Machine::default();
    let mut draw = |name: &str, key| {
        let node = Value::Node(Node::new(7, key));
        call(&program, name, &[node], &mut machine).unwrap().as_list().unwrap().to_vec()
    };
    assert_eq!(draw("f", 1), draw("f", 1));
    assert_ne!(draw("f", 1), draw("f", 2));
    let pair = draw("f", 1);
    assert_ne!(pair[0], pair[1]);
    let split = draw("g", 1);
    assert!(split[0] != split[1] && split[1] != split[2]);
}

//! Random well-typed programs, as syntax.
//!
//! Function `f3` calls only `f0` to `f2`, so every program ends. Some integers exceed 64 bits.

use polysmith_random::Stream;
use polysmith_source::{SourceMap, Span};
use polysmith_value::syntax::{
    Arena, Arm, ConstructorDecl, ExprId, ExprKind, FieldDecl, FieldPattern, FieldValue, FnBody, FnDecl,
    Module, Name, Op, Param, PatternId, PatternKind, TypeBody, TypeDecl, TypeId, TypeKind,
};

/// The built-in functions that programs use.
pub(crate) const NATIVES: [&str; 5] = ["map", "filter", "push", "at", "fold"];

pub(crate) struct Generated {
    pub(crate) module: Module,
    pub(crate) expressions: Vec<ExprId>,
    pub(crate) span: Span,
}

/// Types of the generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Bool,
    Str,
    Ints,
    MaybeInt,
    Pair,
    Shape,
}

const TYPES: [Type; 7] =
    [Type::Int, Type::Bool, Type::Str, Type::Ints, Type::MaybeInt, Type::Pair, Type::Shape];

struct Builder {
    arena: Arena,
    span: Span,
    stream: Stream,
    scope: Vec<(String, Type)>,
    functions: Vec<(Vec<Type>, Type)>,
    names: u32,
}

pub(crate) fn generate(seed: u64) -> Generated {
    let mut sources = SourceMap::default();
    let span = Span::new(sources.add("random", ""), 0, 0);
    let stream = Stream::keyed(&[seed]);
    let mut b =
        Builder { arena: Arena::default(), span, stream, scope: Vec::new(), functions: Vec::new(), names: 0 };
    let types = b.types();
    let mut functions = Vec::new();
    for number in 0..4 {
        functions.push(b.function(number));
    }
    let expressions = (0..6)
        .map(|_| {
            let ty = b.any_type();
            b.expr(ty, 5)
        })
        .collect();
    let module = Module { name: "Main".into(), uses: Vec::new(), types, functions, arena: b.arena };
    Generated { module, expressions, span }
}

/// `List`, as far as programs use it.
pub(crate) fn list_module(span: Span) -> Module {
    let mut arena = Arena::default();
    let mut named = |name: &str, args: Vec<TypeId>| {
        arena.ty(TypeKind::Name { module: None, name: Name::new(name, span), args }, span)
    };
    let (a, b, int, bool) =
        (named("A", vec![]), named("B", vec![]), named("Int", vec![]), named("Bool", vec![]));
    let (list_a, list_b) = (named("List", vec![a]), named("List", vec![b]));
    let mut function = |params: Vec<TypeId>, result| arena.ty(TypeKind::Function { params, result }, span);
    let (map, filter, fold) = (function(vec![a], b), function(vec![a], bool), function(vec![b, a], b));
    let signatures = [
        ("map", vec![list_a, map], list_b),
        ("filter", vec![list_a, filter], list_a),
        ("push", vec![list_a, a], list_a),
        ("at", vec![list_a, int], a),
        ("fold", vec![list_a, b, fold], b),
    ];
    let functions = signatures.into_iter().map(|(name, params, result)| {
        let param = |(at, ty)| Param { name: Name::new(format!("p{at}"), span), annotation: Some(ty) };
        let params = params.into_iter().enumerate().map(param).collect();
        FnDecl { name: Name::new(name, span), params, result: Some(result), body: FnBody::Native, doc: None }
    });
    Module { name: "List".into(), functions: functions.collect(), arena, ..Module::default() }
}

impl Builder {
    fn any_type(&mut self) -> Type {
        *self.stream.pick(&TYPES).expect("not empty")
    }

    fn name(&self, text: &str) -> Name {
        Name::new(text, self.span)
    }

    fn add(&mut self, kind: ExprKind) -> ExprId {
        self.arena.expr(kind, self.span)
    }

    fn pattern(&mut self, kind: PatternKind) -> PatternId {
        self.arena.pattern(kind, self.span)
    }

    fn named_type(&mut self, name: &str, args: Vec<TypeId>) -> TypeId {
        let name = self.name(name);
        self.arena.ty(TypeKind::Name { module: None, name, args }, self.span)
    }

    fn ty(&mut self, ty: Type) -> TypeId {
        match ty {
            Type::Int => self.named_type("Int", vec![]),
            Type::Bool => self.named_type("Bool", vec![]),
            Type::Str => self.named_type("String", vec![]),
            Type::Pair => self.named_type("Pair", vec![]),
            Type::Shape => self.named_type("Shape", vec![]),
            Type::Ints => {
                let int = self.ty(Type::Int);
                self.named_type("List", vec![int])
            }
            Type::MaybeInt => {
                let int = self.ty(Type::Int);
                self.arena.ty(TypeKind::Option(int), self.span)
            }
        }
    }

    /// `type Pair = { x : Int, y : Shape };` and `type Shape = Dot | Box(Int) | Two(Shape, List(Int));`
    fn types(&mut self) -> Vec<TypeDecl> {
        let (int, shape, ints) = (self.ty(Type::Int), self.ty(Type::Shape), self.ty(Type::Ints));
        let field = |name: &str, ty| FieldDecl { name: self.name(name), ty };
        let record = TypeBody::Record(vec![field("x", int), field("y", shape)]);
        let constructor = |name: &str, fields| ConstructorDecl { name: self.name(name), fields };
        let variant = TypeBody::Variant(vec![
            constructor("Dot", vec![]),
            constructor("Box", vec![int]),
            constructor("Two", vec![shape, ints]),
        ]);
        let decl = |name: &str, body| TypeDecl { name: self.name(name), params: Vec::new(), body, doc: None };
        vec![decl("Pair", record), decl("Shape", variant)]
    }

    fn function(&mut self, number: usize) -> FnDecl {
        let types: Vec<Type> = (0..self.stream.index(4)).map(|_| self.any_type()).collect();
        let result = self.any_type();
        self.scope = types.iter().enumerate().map(|(at, ty)| (format!("a{at}"), *ty)).collect();
        let body = FnBody::Expr(self.expr(result, 5));
        self.scope.clear();
        let params = types
            .iter()
            .enumerate()
            .map(|(at, ty)| Param { name: self.name(&format!("a{at}")), annotation: Some(self.ty(*ty)) })
            .collect();
        let result_type = Some(self.ty(result));
        self.functions.push((types, result));
        FnDecl { name: self.name(&format!("f{number}")), params, result: result_type, body, doc: None }
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// An expression of a type, of limited depth.
    fn expr(&mut self, ty: Type, depth: u32) -> ExprId {
        let known: Vec<String> =
            self.scope.iter().filter(|(_, t)| *t == ty).map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && self.stream.chance(1, 3) {
            let name = self.stream.pick(&known).expect("not empty").clone();
            let name = self.name(&name);
            return self.add(ExprKind::Name(name));
        }
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.stream.below(9) {
            0 => self.condition(ty, depth - 1),
            1 => self.binding(ty, depth - 1),
            2 => self.matching(ty, depth - 1),
            3 => self.call(ty, depth - 1),
            4 => self.applied_lambda(ty, depth - 1),
            _ => self.special(ty, depth - 1),
        }
    }

    fn leaf(&mut self, ty: Type) -> ExprId {
        let kind = match ty {
            Type::Int if self.stream.chance(1, 8) => ExprKind::Int("9223372036854775807".into()),
            Type::Int => ExprKind::Int(format!("{}", self.stream.between(0, 9)).into()),
            Type::Bool => ExprKind::Bool(self.stream.chance(1, 2)),
            Type::Str => ExprKind::Str(["", "a", "bcd", "longer than fourteen"][self.stream.index(4)].into()),
            Type::Ints => ExprKind::List(Vec::new()),
            Type::MaybeInt => ExprKind::Nil,
            Type::Shape => ExprKind::Name(self.name("Dot")),
            Type::Pair => return self.special(ty, 0),
        };
        self.add(kind)
    }

    fn condition(&mut self, ty: Type, depth: u32) -> ExprId {
        let condition = self.expr(Type::Bool, depth);
        let (then, otherwise) = (self.annotated(ty, depth), self.annotated(ty, depth));
        self.add(ExprKind::If { condition, then, otherwise })
    }

    /// `let v : T = e in v`, so that `nil` and `T` mix freely in branches, and `[]` has items of a known type.
    fn annotated(&mut self, ty: Type, depth: u32) -> ExprId {
        let value = self.expr(ty, depth);
        if !matches!(ty, Type::MaybeInt | Type::Ints) {
            return value;
        }
        let (text, annotation) = (self.fresh(), self.ty(ty));
        let name = self.name(&text);
        let pattern = self.pattern(PatternKind::Name(name.clone()));
        let body = self.add(ExprKind::Name(name));
        self.add(ExprKind::Let { pattern, annotation: Some(annotation), value, body })
    }

    fn binding(&mut self, ty: Type, depth: u32) -> ExprId {
        let of = self.any_type();
        let (value, annotation) = (self.expr(of, depth), self.ty(of));
        let name = self.fresh();
        let bound = self.name(&name);
        let pattern = self.pattern(PatternKind::Name(bound));
        self.scope.push((name, of));
        let body = self.expr(ty, depth);
        self.scope.pop();
        self.add(ExprKind::Let { pattern, annotation: Some(annotation), value, body })
    }

    fn call(&mut self, ty: Type, depth: u32) -> ExprId {
        let fitting: Vec<usize> =
            (0..self.functions.len()).filter(|at| self.functions[*at].1 == ty).collect();
        let Some(at) = self.stream.pick(&fitting).copied() else { return self.expr(ty, depth) };
        let args = self.functions[at].0.clone().into_iter().map(|ty| self.expr(ty, depth)).collect();
        let name = self.name(&format!("f{at}"));
        let callee = self.add(ExprKind::Name(name));
        self.add(ExprKind::Call { callee, args })
    }

    fn applied_lambda(&mut self, ty: Type, depth: u32) -> ExprId {
        let of = self.any_type();
        let arg = self.expr(of, depth);
        let lambda = self.lambda(&[of], ty, depth);
        self.add(ExprKind::Call { callee: lambda, args: vec![arg] })
    }

    fn lambda(&mut self, params: &[Type], result: Type, depth: u32) -> ExprId {
        let scope = self.scope.len();
        let mut declared = Vec::new();
        for ty in params {
            let name = self.fresh();
            let annotation = Some(self.ty(*ty));
            declared.push(Param { name: self.name(&name), annotation });
            self.scope.push((name, *ty));
        }
        let body = self.annotated(result, depth);
        self.scope.truncate(scope);
        self.add(ExprKind::Lambda { params: declared, body })
    }

    fn arm(&mut self, kind: PatternKind, bound: Vec<(String, Type)>, ty: Type, depth: u32) -> Arm {
        let pattern = self.pattern(kind);
        let scope = self.scope.len();
        self.scope.extend(bound);
        let condition = self.stream.chance(1, 6).then(|| self.expr(Type::Bool, 1));
        let body = self.annotated(ty, depth);
        self.scope.truncate(scope);
        Arm { pattern, condition, body }
    }

    fn variable(&mut self) -> (String, PatternId) {
        let text = self.fresh();
        let name = self.name(&text);
        (text, self.pattern(PatternKind::Name(name)))
    }

    fn matching(&mut self, ty: Type, depth: u32) -> ExprId {
        let of = [Type::Ints, Type::MaybeInt, Type::Pair, Type::Shape, Type::Int][self.stream.index(5)];
        let subject = self.annotated(of, depth);
        let mut arms = Vec::new();
        match of {
            Type::Ints => {
                arms.push(self.arm(PatternKind::List { items: vec![], rest: None }, vec![], ty, depth));
                let ((first, a), (rest, b)) = (self.variable(), self.variable());
                let bound = vec![(first, Type::Int), (rest, Type::Ints)];
                arms.push(self.arm(PatternKind::List { items: vec![a], rest: Some(b) }, bound, ty, depth));
            }
            Type::MaybeInt => {
                let (name, pattern) = self.variable();
                let some = self.name("Some");
                let kind = PatternKind::Constructor { module: None, name: some, args: vec![pattern] };
                arms.push(self.arm(kind, vec![(name, Type::Int)], ty, depth));
            }
            Type::Pair => {
                let (name, pattern) = self.variable();
                let dot = self.name("Dot");
                let dot = self.pattern(PatternKind::Name(dot));
                let boxed = self.name("Box");
                let number = self.pattern(PatternKind::Int("3".into()));
                let args = vec![number];
                let boxed = self.pattern(PatternKind::Constructor { module: None, name: boxed, args });
                let either = self.pattern(PatternKind::Or(vec![dot, boxed]));
                let fields = vec![
                    FieldPattern { name: self.name("x"), pattern: Some(pattern) },
                    FieldPattern { name: self.name("y"), pattern: Some(either) },
                ];
                arms.push(self.arm(PatternKind::Record(fields), vec![(name, Type::Int)], ty, depth));
            }
            Type::Shape => {
                let (name, pattern) = self.variable();
                let boxed = self.name("Box");
                let kind = PatternKind::Constructor { module: None, name: boxed, args: vec![pattern] };
                arms.push(self.arm(kind, vec![(name, Type::Int)], ty, depth));
                let ((shape, a), (ints, b)) = (self.variable(), self.variable());
                let two = self.name("Two");
                let kind = PatternKind::Constructor { module: None, name: two, args: vec![a, b] };
                arms.push(self.arm(kind, vec![(shape, Type::Shape), (ints, Type::Ints)], ty, depth));
            }
            _ => arms.push(self.arm(PatternKind::Int("2".into()), vec![], ty, depth)),
        }
        let (name, last) = self.variable();
        let body = {
            self.scope.push((name, of));
            let body = self.annotated(ty, depth);
            self.scope.pop();
            body
        };
        arms.push(Arm { pattern: last, condition: None, body });
        self.add(ExprKind::Match { subject, arms })
    }

    fn op(&mut self, op: Op, args: Vec<ExprId>) -> ExprId {
        self.add(ExprKind::Op { op, args })
    }

    fn native(&mut self, name: &str, args: Vec<ExprId>) -> ExprId {
        let (module, name) = (self.name("List"), self.name(name));
        let callee = self.add(ExprKind::Qualified { module, name });
        self.add(ExprKind::Call { callee, args })
    }

    fn field(&mut self, field: &str, depth: u32) -> ExprId {
        let base = self.expr(Type::Pair, depth);
        let field = self.name(field);
        self.add(ExprKind::Field { base, field })
    }

    /// Forms that only this type has.
    fn special(&mut self, ty: Type, depth: u32) -> ExprId {
        match ty {
            Type::Int => self.special_int(depth),
            Type::Bool => {
                let of = self.any_type();
                let args = vec![self.annotated(of, depth), self.annotated(of, depth)];
                let op = [Op::Eq, Op::Ne, Op::Lt, Op::Gt, Op::Le, Op::Ge, Op::And, Op::Or, Op::Not]
                    [self.stream.index(9)];
                match op {
                    Op::And | Op::Or => {
                        let args = (0..3).map(|_| self.expr(Type::Bool, depth)).collect();
                        self.op(op, args)
                    }
                    Op::Not => {
                        let arg = self.expr(Type::Bool, depth);
                        self.op(op, vec![arg])
                    }
                    _ => self.op(op, args),
                }
            }
            Type::Str => {
                let args = (0..2 + self.stream.index(2)).map(|_| self.expr(Type::Str, depth)).collect();
                self.op(Op::Add, args)
            }
            Type::Ints => self.special_list(depth),
            Type::MaybeInt => self.expr(Type::Int, depth),
            Type::Pair if depth > 0 && self.stream.chance(1, 2) => {
                let base = self.expr(Type::Pair, depth);
                let name = self.name("x");
                let fields = vec![FieldValue { name, value: self.expr(Type::Int, depth) }];
                self.add(ExprKind::Update { base, fields })
            }
            Type::Pair => {
                let y = FieldValue { name: self.name("y"), value: self.expr(Type::Shape, depth) };
                let x = FieldValue { name: self.name("x"), value: self.expr(Type::Int, depth) };
                self.add(ExprKind::Record(vec![y, x]))
            }
            Type::Shape => match self.stream.below(3) {
                0 => self.field("y", depth),
                1 => {
                    let args = vec![self.expr(Type::Int, depth)];
                    let callee = self.name("Box");
                    let callee = self.add(ExprKind::Name(callee));
                    self.add(ExprKind::Call { callee, args })
                }
                _ => {
                    let args = vec![self.expr(Type::Shape, depth), self.expr(Type::Ints, depth)];
                    let callee = self.name("Two");
                    let callee = self.add(ExprKind::Name(callee));
                    self.add(ExprKind::Call { callee, args })
                }
            },
        }
    }

    fn special_int(&mut self, depth: u32) -> ExprId {
        match self.stream.below(6) {
            0 => self.field("x", depth),
            1 => {
                let of = [Type::Str, Type::Ints][self.stream.index(2)];
                let arg = self.expr(of, depth);
                self.op(Op::Len, vec![arg])
            }
            2 => {
                let (list, start) = (self.expr(Type::Ints, depth), self.expr(Type::Int, depth));
                let step = self.lambda(&[Type::Int, Type::Int], Type::Int, depth.min(2));
                self.native("fold", vec![list, start, step])
            }
            3 => {
                let (list, at) = (self.expr(Type::Ints, depth), self.add(ExprKind::Int("0".into())));
                self.native("at", vec![list, at])
            }
            _ => {
                let ops = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Max, Op::Min, Op::Neg];
                let op = ops[self.stream.index(ops.len())];
                let count = match op {
                    Op::Neg => 1,
                    Op::Max | Op::Min => 2,
                    _ => 2 + self.stream.index(2),
                };
                let args = (0..count).map(|_| self.expr(Type::Int, depth)).collect();
                self.op(op, args)
            }
        }
    }

    fn special_list(&mut self, depth: u32) -> ExprId {
        match self.stream.below(4) {
            0 => {
                let list = self.expr(Type::Ints, depth);
                let f = self.lambda(&[Type::Int], Type::Int, depth.min(2));
                self.native("map", vec![list, f])
            }
            1 => {
                let list = self.expr(Type::Ints, depth);
                let f = self.lambda(&[Type::Int], Type::Bool, depth.min(2));
                self.native("filter", vec![list, f])
            }
            2 => {
                let args = vec![self.expr(Type::Ints, depth), self.expr(Type::Int, depth)];
                self.native("push", args)
            }
            _ => {
                let items = (0..self.stream.index(4)).map(|_| self.expr(Type::Int, depth)).collect();
                self.add(ExprKind::List(items))
            }
        }
    }
}

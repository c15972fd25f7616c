//! A naive evaluator: recursion over the resolved tree with copied environments, without bytecode.

use polysmith_value::core::{Body, Core, CoreId, LocalId, ResolvedPattern};
use polysmith_value::syntax::Op;
use polysmith_value::{Data, EntryId, FailureKind, Program, Value};
use std::collections::HashMap;
use std::rc::Rc;

/// A value of the naive evaluator: functions are bodies with an environment.
#[derive(Clone)]
enum Naive<'p> {
    Plain(Value),
    Lambda(&'p Body, Vec<LocalId>, CoreId, Rc<Env<'p>>),
    Function(u32),
}

type Env<'p> = HashMap<LocalId, Naive<'p>>;

pub(crate) fn eval(program: &Program, entry: EntryId) -> Result<Value, FailureKind> {
    let body = program.entry_body(entry);
    let root = body.root().expect("an expression");
    let value = Walk { program }.expr(body, root, &Rc::default())?;
    Ok(plain(value))
}

struct Walk<'p> {
    program: &'p Program,
}

fn plain(value: Naive<'_>) -> Value {
    match value {
        Naive::Plain(value) => value,
        Naive::Lambda(..) | Naive::Function(_) => panic!("a function where a plain value is expected"),
    }
}

impl<'p> Walk<'p> {
    fn expr(&self, body: &'p Body, id: CoreId, env: &Rc<Env<'p>>) -> Result<Naive<'p>, FailureKind> {
        let value = |id: CoreId| self.expr(body, id, env).map(plain);
        let all =
            |ids: &[CoreId]| ids.iter().map(|id| value(*id)).collect::<Result<Vec<Value>, FailureKind>>();
        Ok(Naive::Plain(match body.core(id) {
            Core::Const(constant) => constant.clone(),
            Core::Local(local) => return Ok(env[local].clone()),
            Core::Function(function) => return Ok(Naive::Function(*function)),
            Core::External(_) => panic!("no externals here"),
            Core::Call(function, args) => {
                let args =
                    args.iter().map(|arg| self.expr(body, *arg, env)).collect::<Result<Vec<_>, _>>()?;
                return self.call(*function, args);
            }
            Core::Apply(callee, args) => {
                let callee = self.expr(body, *callee, env)?;
                let args =
                    args.iter().map(|arg| self.expr(body, *arg, env)).collect::<Result<Vec<_>, _>>()?;
                return self.apply(&callee, args);
            }
            Core::Construct(shape, fields) => Value::Data(Data::new(*shape, &all(fields)?)?),
            Core::List(items) => Value::list(all(items)?)?,
            Core::Field(base, index) => match value(*base)? {
                Value::Data(data) => data.fields()[*index as usize].clone(),
                other => panic!("{other:?} is no record"),
            },
            Core::Update(base, changes) => {
                let Value::Data(data) = value(*base)? else { panic!("no record") };
                let mut fields = data.fields().to_vec();
                for (at, change) in changes {
                    fields[*at as usize] = value(*change)?;
                }
                Value::Data(Data::new(data.shape(), &fields)?)
            }
            Core::Op(Op::And, args) => {
                for arg in args {
                    if value(*arg)? == Value::Bool(false) {
                        return Ok(Naive::Plain(Value::Bool(false)));
                    }
                }
                Value::Bool(true)
            }
            Core::Op(Op::Or, args) => {
                for arg in args {
                    if value(*arg)? == Value::Bool(true) {
                        return Ok(Naive::Plain(Value::Bool(true)));
                    }
                }
                Value::Bool(false)
            }
            Core::Op(op, args) => {
                // Left to right, one operation at a time: a failure of the first precedes the third operand.
                let mut so_far = value(args[0])?;
                if args.len() == 1 {
                    return Ok(Naive::Plain(unary(*op, &so_far)?));
                }
                for arg in &args[1..] {
                    so_far = binary(*op, &so_far, &value(*arg)?)?;
                }
                so_far
            }
            Core::If(condition, then, otherwise) => {
                let branch = if value(*condition)? == Value::Bool(true) { then } else { otherwise };
                return self.expr(body, *branch, env);
            }
            Core::Let(local, bound, inside) => {
                let mut inner = Env::clone(env);
                inner.insert(*local, self.expr(body, *bound, env)?);
                return self.expr(body, *inside, &Rc::new(inner));
            }
            Core::Lambda(params, root) => {
                return Ok(Naive::Lambda(body, params.clone(), *root, env.clone()));
            }
            Core::Match(subject, arms) => {
                let subject = value(*subject)?;
                for arm in arms {
                    let mut inner = Env::clone(env);
                    if !fits(&arm.pattern, &subject, &mut inner) {
                        continue;
                    }
                    let inner = Rc::new(inner);
                    if let Some(condition) = arm.condition
                        && plain(self.expr(body, condition, &inner)?) == Value::Bool(false)
                    {
                        continue;
                    }
                    return self.expr(body, arm.body, &inner);
                }
                return Err(FailureKind::NoArm);
            }
            Core::Some(inner) => value(*inner)?.some(),
        }))
    }

    fn apply(&self, callee: &Naive<'p>, args: Vec<Naive<'p>>) -> Result<Naive<'p>, FailureKind> {
        match callee {
            Naive::Function(function) => self.call(*function, args),
            Naive::Lambda(body, params, root, env) => {
                let mut inner = Env::clone(env);
                inner.extend(params.iter().copied().zip(args));
                self.expr(body, *root, &Rc::new(inner))
            }
            Naive::Plain(value) => panic!("{value:?} is no function"),
        }
    }

    fn call(&self, function: u32, args: Vec<Naive<'p>>) -> Result<Naive<'p>, FailureKind> {
        let name = super::programs::NATIVES
            .iter()
            .find(|name| self.program.function("List", name) == Some(function));
        if let Some(name) = name {
            return self.native(name, args).map(Naive::Plain);
        }
        let body = self.program.function_body(function);
        let env: Env<'p> = (0..).map(LocalId).zip(args).collect();
        self.expr(body, body.root().expect("not built in"), &Rc::new(env))
    }

    fn native(&self, name: &str, mut args: Vec<Naive<'p>>) -> Result<Value, FailureKind> {
        let list = plain(args[0].clone());
        let items = list.as_list().expect("a list").to_vec();
        let mut out = Vec::new();
        let one = |f: &Naive<'p>, item: &Value| self.apply(f, vec![Naive::Plain(item.clone())]).map(plain);
        match name {
            "map" => {
                for item in &items {
                    out.push(one(&args[1], item)?);
                }
            }
            "filter" => {
                for item in &items {
                    if one(&args[1], item)? == Value::Bool(true) {
                        out.push(item.clone());
                    }
                }
            }
            "push" => {
                out = items;
                out.push(plain(args.remove(1)));
            }
            "at" => {
                let at = plain(args.remove(1)).as_int().expect("small");
                let found = usize::try_from(at).ok().and_then(|at| items.get(at).cloned());
                return found.ok_or(FailureKind::OutOfRange(at, items.len()));
            }
            "fold" => {
                let mut so_far = args[1].clone();
                for item in items {
                    so_far = self.apply(&args[2], vec![so_far, Naive::Plain(item)])?;
                }
                return Ok(plain(so_far));
            }
            _ => panic!("{name} is not in the twin"),
        }
        Ok(Value::list(out)?)
    }
}

fn fits<'p>(fit: &ResolvedPattern, value: &Value, env: &mut Env<'p>) -> bool {
    match fit {
        ResolvedPattern::Any => true,
        ResolvedPattern::Bind(local) => {
            env.insert(*local, Naive::Plain(value.clone()));
            true
        }
        ResolvedPattern::Const(constant) => value == constant,
        ResolvedPattern::Some(inner) => {
            *value != Value::Nil && fits(inner, &value.clone().unwrap_some(), env)
        }
        ResolvedPattern::Data(shape, fields) => match value {
            Value::Data(data) => {
                data.shape() == *shape
                    && fields.iter().zip(data.fields()).all(|(fit, value)| fits(fit, value, env))
            }
            _ => false,
        },
        ResolvedPattern::List(items, rest) => {
            let list = value.as_list().expect("a list");
            let enough = list.len() == items.len() || rest.is_some() && list.len() > items.len();
            enough
                && items.iter().zip(list).all(|(fit, value)| fits(fit, value, env))
                && rest.as_ref().is_none_or(|rest| {
                    let rest_of = Value::list(list[items.len()..].to_vec()).expect("not deeper");
                    fits(rest, &rest_of, env)
                })
        }
        ResolvedPattern::Or(choices) => choices.iter().any(|choice| fits(choice, value, env)),
    }
}

fn unary(op: Op, value: &Value) -> Result<Value, FailureKind> {
    Ok(match (op, value) {
        (Op::Not, Value::Bool(truth)) => Value::Bool(!truth),
        (Op::IsNil, value) => Value::Bool(*value == Value::Nil),
        (Op::Neg, value) => Value::big(-big(value)),
        (Op::Len, Value::Str(text)) => Value::Int(text.as_str().chars().count() as i64),
        (Op::Len, value) => Value::Int(value.as_list().expect("a list").len() as i64),
        (Op::Int, Value::Str(text)) => text
            .as_str()
            .parse()
            .map(Value::Int)
            .map_err(|_| FailureKind::NotANumber(text.as_str().to_owned()))?,
        _ => panic!("{op:?} of {value:?}"),
    })
}

fn binary(op: Op, a: &Value, b: &Value) -> Result<Value, FailureKind> {
    let zero = dashu_int::IBig::ZERO;
    Ok(match op {
        Op::Add => match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => Value::string(&format!("{a}{b}")),
            _ => Value::big(big(a) + big(b)),
        },
        Op::Sub => Value::big(big(a) - big(b)),
        Op::Mul => Value::big(big(a) * big(b)),
        Op::Div | Op::Mod if big(b) == zero => return Err(FailureKind::DivisionByZero),
        Op::Div => Value::big(big(a) / big(b)),
        Op::Mod => Value::big(big(a) % big(b)),
        Op::Eq => Value::Bool(a == b),
        Op::Ne => Value::Bool(a != b),
        Op::Lt => Value::Bool(a < b),
        Op::Gt => Value::Bool(a > b),
        Op::Le => Value::Bool(a <= b),
        Op::Ge => Value::Bool(a >= b),
        Op::Max => a.max(b).clone(),
        Op::Min => a.min(b).clone(),
        _ => panic!("{op:?} has one operand"),
    })
}

fn big(value: &Value) -> dashu_int::IBig {
    match value {
        Value::Int(integer) => (*integer).into(),
        Value::Big(integer) => (**integer).clone(),
        other => panic!("{other:?} is no integer"),
    }
}

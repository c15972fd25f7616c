//! What a script asks of the lexer and the parser, and the effects that it collects.

use polysmith_grammar::{Grammar, ModeId, TokenType};
use polysmith_parse::hooks::{InsertedToken, LexerEffect, MatchView, ParserView, StreamView, TokenView};
use polysmith_parse::type_name;
use polysmith_value::syntax::ExternalId;
use polysmith_value::{Externals, Failure, FailureKind, Machine, Program, Value};
use rustc_hash::FxHashMap;

/// Names of a grammar, as values that scripts compare.
#[derive(Debug)]
pub(crate) struct Names {
    types: Vec<Value>,
    types_by_name: FxHashMap<String, TokenType>,
    modes_by_name: FxHashMap<String, ModeId>,
    rules: Vec<Value>,
}

impl Names {
    pub(crate) fn of(grammar: &Grammar) -> Names {
        let types = (0..grammar.tokens().len()).map(TokenType::new);
        let named: Vec<(String, TokenType)> = types.map(|token| (type_name(grammar, token), token)).collect();
        let modes = grammar.lexer().modes.iter().enumerate();
        Names {
            types: named.iter().map(|(name, _)| Value::string(name)).collect(),
            modes_by_name: modes.map(|(at, mode)| (mode.name.clone(), ModeId::new(at))).collect(),
            rules: grammar.rules().map(|rule| Value::string(&grammar.rule(rule).name)).collect(),
            types_by_name: named.into_iter().collect(),
        }
    }

    fn name(&self, token: TokenType) -> Value {
        self.types.get(token.index()).cloned().unwrap_or_else(|| Value::string(""))
    }
}

/// Where a script is called.
#[derive(Clone, Copy)]
pub(crate) enum View<'a> {
    Nowhere,
    Match(&'a MatchView<'a>),
    Stream(&'a StreamView<'a>),
    Parser(&'a ParserView<'a>),
}

/// One call of a script.
pub(crate) struct Host<'a> {
    pub(crate) names: &'a Names,
    pub(crate) functions: &'a [HostFunction],
    pub(crate) view: View<'a>,
    pub(crate) state: Value,
    pub(crate) effects: Vec<LexerEffect>,
}

type Answer = Result<Value, FailureKind>;

/// A function of the modules `Lexer`, `Stream` and `Parser`.
pub(crate) type HostFunction = for<'a, 'b> fn(&mut Host<'a>, &'b mut [Value]) -> Answer;

/// The module, the name and the code of each function.
pub(crate) const FUNCTIONS: &[(&str, &str, HostFunction)] = &[
    ("Lexer", "char", |host, args| {
        let character = host.lexer()?.la(int(args, 0)?);
        Ok(character.map_or_else(|| Value::string(""), |c| Value::string(c.encode_utf8(&mut [0; 4]))))
    }),
    ("Lexer", "starts", |host, args| Ok(Value::Bool(host.lexer()?.ahead().starts_with(text(args, 0)?)))),
    ("Lexer", "find", |host, args| {
        let ahead = host.lexer()?.ahead();
        let found = ahead.find(text(args, 0)?).map(|at| ahead[..at].chars().count());
        Ok(found.map_or(Value::Int(-1), number))
    }),
    ("Lexer", "count", |host, args| {
        let (mut ahead, part) = (host.lexer()?.ahead(), text(args, 0)?);
        let mut count = 0;
        while let Some(rest) = ahead.strip_prefix(part).filter(|_| !part.is_empty()) {
            (ahead, count) = (rest, count + 1);
        }
        Ok(number(count))
    }),
    ("Lexer", "left", |host, _| Ok(number(host.lexer()?.ahead().chars().count()))),
    ("Lexer", "text", |host, _| Ok(Value::string(host.lexer()?.matched()))),
    ("Lexer", "offset", |host, _| Ok(number(host.lexer()?.offset()))),
    ("Lexer", "line", |host, _| Ok(number(host.lexer()?.position().0))),
    ("Lexer", "column", |host, _| Ok(number(host.lexer()?.position().1))),
    ("Lexer", "previous", |host, args| {
        let token = host.lexer()?.previous(count(args, 0)?);
        Ok(host.type_of(token))
    }),
    ("Lexer", "previous_text", |host, args| Ok(text_of(host.lexer()?.previous(count(args, 0)?)))),
    ("Lexer", "modes", |host, _| {
        Ok(Value::list(host.lexer()?.modes().into_iter().map(Value::string).collect())?)
    }),
    ("Lexer", "type", |host, _| {
        let token = host.lexer()?.token();
        Ok(host.type_of(token))
    }),
    ("Lexer", "channel", |host, _| Ok(channel_of(host.lexer()?.token()))),
    ("Lexer", "set_type", |host, args| {
        let kind = host.token_type(text(args, 1)?)?;
        host.does(args, LexerEffect::Type(kind))
    }),
    ("Lexer", "set_channel", |host, args| {
        let channel = channel(args, 1)?;
        host.does(args, LexerEffect::Channel(channel))
    }),
    ("Lexer", "skip", |host, args| host.does(args, LexerEffect::Skip)),
    ("Lexer", "more", |host, args| host.does(args, LexerEffect::More)),
    ("Lexer", "set_mode", |host, args| {
        let mode = host.mode(text(args, 1)?)?;
        host.does(args, LexerEffect::Mode(mode))
    }),
    ("Lexer", "push_mode", |host, args| {
        let mode = host.mode(text(args, 1)?)?;
        host.does(args, LexerEffect::PushMode(mode))
    }),
    ("Lexer", "pop_mode", |host, args| host.does(args, LexerEffect::PopMode)),
    ("Lexer", "consume", |host, args| {
        let characters = count(args, 1)?;
        host.does(args, LexerEffect::Consume(characters))
    }),
    ("Lexer", "give_back", |host, args| {
        let characters = count(args, 1)?;
        host.does(args, LexerEffect::GiveBack(characters))
    }),
    ("Lexer", "before", |host, args| {
        let inserted = host.inserted(args)?;
        host.does(args, LexerEffect::Before(inserted))
    }),
    ("Lexer", "after", |host, args| {
        let inserted = host.inserted(args)?;
        host.does(args, LexerEffect::After(inserted))
    }),
    ("Lexer", "error", |host, args| {
        let message = text(args, 1)?.to_owned();
        host.does(args, LexerEffect::Error(message))
    }),
    ("Stream", "type", |host, args| {
        let token = host.stream()?.raw(int(args, 0)?);
        Ok(host.type_of(token))
    }),
    ("Stream", "text", |host, args| Ok(text_of(host.stream()?.raw(int(args, 0)?)))),
    ("Stream", "channel", |host, args| Ok(channel_of(host.stream()?.raw(int(args, 0)?)))),
    ("Stream", "line", |host, args| {
        let (view, distance) = (host.stream()?, int(args, 0)?);
        Ok(view.raw(distance).map_or(Value::Int(-1), |token| number(view.position(token.start).0)))
    }),
    ("Stream", "column", |host, args| {
        let (view, distance) = (host.stream()?, int(args, 0)?);
        Ok(view.raw(distance).map_or(Value::Int(-1), |token| number(view.position(token.start).1)))
    }),
    ("Stream", "previous", |host, args| {
        let token = host.stream()?.previous(count(args, 0)?);
        Ok(host.type_of(token))
    }),
    ("Parser", "type", |host, args| {
        let token = host.parser()?.lt(int(args, 0)?);
        Ok(host.type_of(token))
    }),
    ("Parser", "text", |host, args| Ok(text_of(host.parser()?.lt(int(args, 0)?)))),
    ("Parser", "line", |host, args| {
        let (view, k) = (host.parser()?, int(args, 0)?);
        Ok(view.lt(k).map_or(Value::Int(-1), |token| number(view.position(token.start).0)))
    }),
    ("Parser", "index", |host, args| {
        Ok(host.parser()?.lt(int(args, 0)?).map_or(Value::Int(-1), |token| number(token.index)))
    }),
    ("Parser", "raw_type", |host, args| {
        let token = host.parser()?.raw(int(args, 0)?);
        Ok(host.type_of(token))
    }),
    ("Parser", "raw_text", |host, args| Ok(text_of(host.parser()?.raw(int(args, 0)?)))),
    ("Parser", "raw_channel", |host, args| Ok(channel_of(host.parser()?.raw(int(args, 0)?)))),
    ("Parser", "rule", |host, args| {
        let rule = host.parser()?.rule(count(args, 0)?);
        let name = rule.and_then(|rule| host.names.rules.get(rule.index()).cloned());
        Ok(name.unwrap_or_else(|| Value::string("")))
    }),
];

impl Externals for Host<'_> {
    /// The state is the only leaf. It is given away: the call that gets it may change it in place.
    fn read(&mut self, _: ExternalId, _: &Program, _: &mut Machine) -> Result<Value, Box<Failure>> {
        Ok(self.state.clone())
    }

    fn call(&mut self, function: u32, args: &mut [Value]) -> Answer {
        match self.functions.get(function as usize) {
            Some(function) => function(self, args),
            None => Err(FailureKind::External("there is no such function".to_owned())),
        }
    }
}

impl<'a> Host<'a> {
    fn lexer(&self) -> Result<&'a MatchView<'a>, FailureKind> {
        match self.view {
            View::Match(view) => Ok(view),
            _ => Err(only("`Lexer` answers in predicates and actions of token rules and in `token`")),
        }
    }

    fn stream(&self) -> Result<&'a StreamView<'a>, FailureKind> {
        match self.view {
            View::Stream(view) => Ok(view),
            _ => Err(only("`Stream` answers in `stream`")),
        }
    }

    fn parser(&self) -> Result<&'a ParserView<'a>, FailureKind> {
        match self.view {
            View::Parser(view) => Ok(view),
            _ => Err(only("`Parser` answers in predicates and actions of parser rules")),
        }
    }

    fn type_of(&self, token: Option<TokenView<'_>>) -> Value {
        token.map_or_else(|| Value::string(""), |token| self.names.name(token.kind))
    }

    fn token_type(&self, name: &str) -> Result<TokenType, FailureKind> {
        let found = self.names.types_by_name.get(name).copied();
        found.ok_or_else(|| FailureKind::External(format!("the grammar has no token `{name}`")))
    }

    fn mode(&self, name: &str) -> Result<ModeId, FailureKind> {
        let found = self.names.modes_by_name.get(name).copied();
        found.ok_or_else(|| FailureKind::External(format!("the grammar has no mode `{name}`")))
    }

    fn inserted(&self, args: &[Value]) -> Result<InsertedToken, FailureKind> {
        let kind = self.token_type(text(args, 1)?)?;
        Ok(InsertedToken { kind, channel: channel(args, 2)?, characters: count(args, 3)? })
    }

    /// Collects an effect and returns the state.
    fn does(&mut self, args: &mut [Value], effect: LexerEffect) -> Answer {
        match self.view {
            View::Match(_) | View::Stream(_) => {
                self.effects.push(effect);
                Ok(std::mem::take(&mut args[0]))
            }
            _ => Err(only("a parser cannot change tokens")),
        }
    }
}

fn only(message: &str) -> FailureKind {
    FailureKind::External(message.to_owned())
}

fn int(args: &[Value], at: usize) -> Result<i64, FailureKind> {
    args[at].as_int().ok_or_else(|| only("expected an integer of 64 bits"))
}

fn count(args: &[Value], at: usize) -> Result<usize, FailureKind> {
    usize::try_from(int(args, at)?).map_err(|_| only("expected a count, found a negative number"))
}

fn channel(args: &[Value], at: usize) -> Result<u32, FailureKind> {
    u32::try_from(int(args, at)?).map_err(|_| only("expected the number of a channel"))
}

fn text(args: &[Value], at: usize) -> Result<&str, FailureKind> {
    args[at].as_str().ok_or_else(|| only("expected a string"))
}

fn number(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

fn text_of(token: Option<TokenView<'_>>) -> Value {
    Value::string(token.map_or("", |token| token.text))
}

fn channel_of(token: Option<TokenView<'_>>) -> Value {
    Value::Int(token.map_or(-1, |token| i64::from(token.channel)))
}

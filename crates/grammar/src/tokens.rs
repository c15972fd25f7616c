//! Token types: numbers, names, literals.

/// The type of a token. Number 0 is the end of the input; the others count from 1, as ANTLR numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenType(u32);

impl TokenType {
    /// The end of the input.
    pub const EOF: TokenType = TokenType(0);

    /// The type with this number.
    #[inline]
    pub fn new(number: usize) -> TokenType {
        TokenType(u32::try_from(number).expect("a grammar has fewer than 2^32 tokens"))
    }

    /// Its number, as an index into arrays kept by type. EOF is 0.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The number as ANTLR prints it: EOF is -1.
    pub fn antlr(self) -> i64 {
        if self == TokenType::EOF { -1 } else { i64::from(self.0) }
    }
}

/// What is known about one type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Token {
    /// Its name; literals that no rule names have `T__0`, `T__1`….
    pub name: Option<String>,
    /// Its literal as spelled in the description, with quotes and escapes.
    pub literal: Option<String>,
    /// The text of that literal.
    pub text: Option<String>,
}

/// All token types of a grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    tokens: Vec<Token>,
}

impl Default for Tokens {
    fn default() -> Tokens {
        Tokens { tokens: vec![Token { name: Some("EOF".into()), literal: None, text: None }] }
    }
}

impl Tokens {
    /// Adds a type with the next number.
    pub fn add(&mut self, token: Token) -> TokenType {
        self.tokens.push(token);
        TokenType::new(self.tokens.len() - 1)
    }

    /// The entry with this number, made (with all before it) if a vocabulary leaves gaps.
    pub fn entry(&mut self, token: TokenType) -> &mut Token {
        if token.index() >= self.tokens.len() {
            self.tokens.resize(token.index() + 1, Token::default());
        }
        &mut self.tokens[token.index()]
    }

    /// What is known about a type.
    pub fn get(&self, token: TokenType) -> &Token {
        &self.tokens[token.index()]
    }

    /// The number of types with EOF: one more than the largest number.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Never true: EOF is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All types but EOF.
    pub fn types(&self) -> impl DoubleEndedIterator<Item = TokenType> + ExactSizeIterator + use<> {
        (1..self.tokens.len()).map(TokenType::new)
    }

    /// The type with this name.
    pub fn named(&self, name: &str) -> Option<TokenType> {
        self.tokens.iter().position(|token| token.name.as_deref() == Some(name)).map(TokenType::new)
    }

    /// The type with this literal, spelled with quotes.
    pub fn literal(&self, literal: &str) -> Option<TokenType> {
        self.tokens.iter().position(|token| token.literal.as_deref() == Some(literal)).map(TokenType::new)
    }

    /// What to show: the literal, else the name, else the number.
    pub fn display(&self, token: TokenType) -> String {
        let entry = self.get(token);
        match (&entry.literal, &entry.name) {
            (Some(shown), _) | (None, Some(shown)) => shown.clone(),
            (None, None) => token.antlr().to_string(),
        }
    }
}

// Tokens of ECMAScript 2024, written from ECMA-262, 15th edition.
//
// A `/` after a name, a literal, `)` or `]` divides; anywhere else it begins a regular expression: tokens that end an
// operand switch to the mode OPERATOR. A `}` returns to the text of a template if its `{` was a `${`: braces push modes.
lexer grammar JavaScriptLexer;

HashBang     : '#!' ~[\r\n\u2028\u2029]* -> channel(HIDDEN) ;
LineComment  : '//' ~[\r\n\u2028\u2029]* -> channel(HIDDEN) ;
BlockComment : '/*' .*? '*/' -> channel(HIDDEN) ;
LineBreak    : [\r\n\u2028\u2029]+ -> channel(HIDDEN) ;
Space        : [\t\u000B\u000C \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\uFEFF]+ -> channel(HIDDEN) ;

RegularExpression : '/' REGEX_FIRST REGEX_CHAR* '/' LETTER_OR_DIGIT* -> mode(OPERATOR) ;

OpenBracket  : '[' ;
CloseBracket : ']' -> mode(OPERATOR) ;
OpenParen    : '(' ;
CloseParen   : ')' -> mode(OPERATOR) ;
OpenBrace    : '{' -> pushMode(DEFAULT_MODE) ;
CloseBrace   : '}' -> popMode ;
Backtick     : '`' -> pushMode(TEMPLATE) ;

SemiColon : ';' ;
Comma     : ',' ;
Assign    : '=' ;
Question  : '?' ;
QuestionDot : '?.' ;
Colon     : ':' ;
Ellipsis  : '...' ;
Dot       : '.' ;
PlusPlus  : '++' ;
MinusMinus : '--' ;
Plus      : '+' ;
Minus     : '-' ;
Tilde     : '~' ;
Not       : '!' ;
Multiply  : '*' ;
Modulus   : '%' ;
Power     : '**' ;
NullCoalesce : '??' ;
Shift     : '>>' | '<<' | '>>>' ;
Order     : '<' | '>' | '<=' | '>=' ;
Equality  : '==' | '!=' | '===' | '!==' ;
BitAnd    : '&' ;
BitXOr    : '^' ;
BitOr     : '|' ;
And       : '&&' ;
Or        : '||' ;
AssignOperator
    : '*=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '>>>=' | '&=' | '^=' | '|=' | '**=' | '&&=' | '||=' | '??='
    ;
Arrow     : '=>' ;

Null    : 'null' -> mode(OPERATOR) ;
Boolean : ('true' | 'false') -> mode(OPERATOR) ;
Number
    : ( ('0' | [1-9] ('_'? [0-9])*) 'n'?
      | '0' [0-9]+
      | DECIMAL? '.' DECIMAL EXPONENT? | DECIMAL '.' EXPONENT? | DECIMAL EXPONENT
      | '0' [xX] HEX ('_'? HEX)* 'n'? | '0' [oO] [0-7] ('_'? [0-7])* 'n'? | '0' [bB] [01] ('_'? [01])* 'n'?
      ) -> mode(OPERATOR)
    ;

BREAK : 'break' ;
DO : 'do' ;
INSTANCEOF : 'instanceof' ;
TYPEOF : 'typeof' ;
CASE : 'case' ;
ELSE : 'else' ;
NEW : 'new' ;
VAR : 'var' ;
CATCH : 'catch' ;
FINALLY : 'finally' ;
RETURN : 'return' ;
VOID : 'void' ;
CONTINUE : 'continue' ;
FOR : 'for' ;
SWITCH : 'switch' ;
WHILE : 'while' ;
DEBUGGER : 'debugger' ;
FUNCTION : 'function' ;
THIS : 'this' -> mode(OPERATOR) ;
WITH : 'with' ;
DEFAULT : 'default' ;
IF : 'if' ;
THROW : 'throw' ;
DELETE : 'delete' ;
IN : 'in' ;
TRY : 'try' ;
CLASS : 'class' ;
ENUM : 'enum' ;
EXTENDS : 'extends' ;
SUPER : 'super' -> mode(OPERATOR) ;
CONST : 'const' ;
EXPORT : 'export' ;
IMPORT : 'import' ;
// Names elsewhere.
AS : 'as' -> mode(OPERATOR) ;
FROM : 'from' -> mode(OPERATOR) ;
OF : 'of' ;
ASYNC : 'async' -> mode(OPERATOR) ;
AWAIT : 'await' ;
YIELD : 'yield' ;
GET : 'get' -> mode(OPERATOR) ;
SET : 'set' -> mode(OPERATOR) ;
LET : 'let' -> mode(OPERATOR) ;
STATIC : 'static' -> mode(OPERATOR) ;

Identifier  : LETTER LETTER_OR_DIGIT* -> mode(OPERATOR) ;
PrivateName : '#' LETTER LETTER_OR_DIGIT* -> mode(OPERATOR) ;
String      : ('"' (~["\\\r\n] | ESCAPE)* '"' | '\'' (~['\\\r\n] | ESCAPE)* '\'') -> mode(OPERATOR) ;

fragment ESCAPE  : '\\' ('\r\n' | .) ;
fragment DECIMAL : [0-9] ('_'? [0-9])* ;
fragment EXPONENT : [eE] [+-]? DECIMAL ;
fragment HEX     : [0-9a-fA-F] ;
fragment UNICODE : '\\u' (HEX HEX HEX HEX | '{' HEX+ '}') ;
fragment LETTER  : [\p{ID_Start}$_] | UNICODE ;
fragment LETTER_OR_DIGIT : [\p{ID_Continue}$\u200C\u200D] | UNICODE ;
fragment REGEX_FIRST : ~[*/\\[\r\n\u2028\u2029] | REGEX_ESCAPE | REGEX_CLASS ;
fragment REGEX_CHAR  : ~[/\\[\r\n\u2028\u2029] | REGEX_ESCAPE | REGEX_CLASS ;
fragment REGEX_ESCAPE : '\\' ~[\r\n\u2028\u2029] ;
fragment REGEX_CLASS : '[' (~[\]\\\r\n\u2028\u2029] | REGEX_ESCAPE)* ']' ;

mode TEMPLATE;
TemplateEnd  : '`' -> type(Backtick), popMode, mode(OPERATOR) ;
TemplateHole : '${' -> pushMode(DEFAULT_MODE) ;
TemplateText : ('$' | ~[`\\$]+ | ESCAPE) ;

mode OPERATOR;
OperatorLineComment  : '//' ~[\r\n\u2028\u2029]* -> type(LineComment), channel(HIDDEN) ;
OperatorBlockComment : '/*' .*? '*/' -> type(BlockComment), channel(HIDDEN) ;
OperatorLineBreak    : [\r\n\u2028\u2029]+ -> type(LineBreak), channel(HIDDEN) ;
OperatorSpace        : [\t\u000B\u000C \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\uFEFF]+ -> type(Space), channel(HIDDEN) ;
Divide               : '/' -> mode(DEFAULT_MODE) ;
DivideAssign         : '/=' -> type(AssignOperator), mode(DEFAULT_MODE) ;
NoDivide             : -> skip, mode(DEFAULT_MODE) ;

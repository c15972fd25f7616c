// Tokens of Python 3.12, written from the language reference and PEP 701.
//
// An opening bracket pushes a mode and the closing one pops it, so that the `}` that ends a field of a formatted string
// leads back to its text. A field has a mode of its own, FIELD, because there a `:` begins the format; within brackets
// inside a field the tokens are those of the default mode again.
//
// Hooks make lines and blocks: they hide a `Newline` that ends no statement, and insert `Indent` and `Dedent`.
lexer grammar PythonLexer;

tokens { Indent, Dedent, FormatStart, FormatText, FormatEnd }

Comment : '#' ~[\r\n]* -> channel(HIDDEN) ;
Space   : [ \t\u000C\uFEFF]+ -> channel(HIDDEN) ;
Join    : '\\' ('\r'? '\n' | '\r') -> channel(HIDDEN) ;
Newline : '\r'? '\n' | '\r' ;

And            : 'and' ;
As             : 'as' ;
Assert         : 'assert' ;
Async          : 'async' ;
Await          : 'await' ;
Break          : 'break' ;
Case           : 'case' ;
Class          : 'class' ;
Continue       : 'continue' ;
Def            : 'def' ;
Del            : 'del' ;
Elif           : 'elif' ;
Else           : 'else' ;
Except         : 'except' ;
False          : 'False' ;
Finally        : 'finally' ;
For            : 'for' ;
From           : 'from' ;
Global         : 'global' ;
If             : 'if' ;
Import         : 'import' ;
In             : 'in' ;
Is             : 'is' ;
Lambda         : 'lambda' ;
Match          : 'match' ;
None           : 'None' ;
Nonlocal       : 'nonlocal' ;
Not            : 'not' ;
Or             : 'or' ;
Pass           : 'pass' ;
Raise          : 'raise' ;
Return         : 'return' ;
True           : 'True' ;
Try            : 'try' ;
Type           : 'type' ;
While          : 'while' ;
With           : 'with' ;
Yield          : 'yield' ;

OpenParen      : '(' -> pushMode(DEFAULT_MODE) ;
OpenBracket    : '[' -> pushMode(DEFAULT_MODE) ;
OpenBrace      : '{' -> pushMode(DEFAULT_MODE) ;
CloseParen     : ')' -> popMode ;
CloseBracket   : ']' -> popMode ;
CloseBrace     : '}' -> popMode ;

Comma          : ',' ;
Dot            : '.' ;
Ellipsis       : '...' ;
Power          : '**' ;
Star           : '*' ;
FloorDivide    : '//' ;
Divide         : '/' ;
Percent        : '%' ;
At             : '@' ;
Plus           : '+' ;
Minus          : '-' ;
Tilde          : '~' ;
ShiftLeft      : '<<' ;
ShiftRight     : '>>' ;
BitAnd         : '&' ;
BitXor         : '^' ;
BitOr          : '|' ;
LessEqual      : '<=' ;
GreaterEqual   : '>=' ;
Equal          : '==' ;
NotEqual       : '!=' ;
Less           : '<' ;
Greater        : '>' ;
Assign         : '=' ;
Colon          : ':' ;
Walrus         : ':=' ;
SemiColon      : ';' ;
Arrow          : '->' ;
AugmentedAssign
    : '+=' | '-=' | '*=' | '/=' | '//=' | '%=' | '@=' | '&=' | '|=' | '^=' | '>>=' | '<<=' | '**='
    ;

Name   : NAME_START NAME_PART* ;
Number
    : '0' [xX] ('_'? [0-9a-fA-F])+ | '0' [oO] ('_'? [0-7])+ | '0' [bB] ('_'? [01])+
    | [1-9] ('_'? [0-9])* | '0' ('_'? '0')*
    | (DIGITS? '.' DIGITS | DIGITS '.') EXPONENT? [jJ]?
    | DIGITS (EXPONENT [jJ]? | [jJ])
    ;
String
    : STRING_PREFIX?
      ( '\'' (~[\\\r\n'] | ESCAPED)* '\''
      | '"' (~[\\\r\n"] | ESCAPED)* '"'
      | '\'\'\'' ('\''? '\''? (~[\\'] | ESCAPED))* '\'\'\''
      | '"""' ('"'? '"'? (~[\\"] | ESCAPED))* '"""'
      )
    ;

FormatStart1 : FORMAT_PREFIX '\'' -> type(FormatStart), pushMode(TEXT_1) ;
FormatStart2 : FORMAT_PREFIX '"' -> type(FormatStart), pushMode(TEXT_2) ;
FormatStart3 : FORMAT_PREFIX '\'\'\'' -> type(FormatStart), pushMode(TEXT_3) ;
FormatStart6 : FORMAT_PREFIX '"""' -> type(FormatStart), pushMode(TEXT_6) ;

fragment DIGITS        : [0-9] ('_'? [0-9])* ;
fragment EXPONENT      : [eE] [+-]? DIGITS ;
fragment NAME_START    : [_\p{XID_Start}] ;
fragment NAME_PART     : [\p{XID_Continue}] ;
fragment STRING_PREFIX : [uU] | [bB] [rR]? | [rR] [bB]? ;
fragment FORMAT_PREFIX : [fF] [rR]? | [rR] [fF] ;
fragment ESCAPED       : '\\' ('\r\n' | .) ;
fragment FORMAT_PAIR   : '{{' | '}}' | '\\N{' ~[{}]* '}' | '\\' ('\r\n' | ~[{}]) ;

// The text of a formatted string, by its quotes.
mode TEXT_1;
FormatText1  : (~[\\{}\r\n'] | FORMAT_PAIR)+ -> type(FormatText) ;
FormatSlash1 : '\\' -> type(FormatText) ;
FieldOpen1   : [{] -> type(OpenBrace), pushMode(FIELD) ;
FormatEnd1   : '\'' -> type(FormatEnd), popMode ;

mode TEXT_2;
FormatText2  : (~[\\{}\r\n"] | FORMAT_PAIR)+ -> type(FormatText) ;
FormatSlash2 : '\\' -> type(FormatText) ;
FieldOpen2   : [{] -> type(OpenBrace), pushMode(FIELD) ;
FormatEnd2   : '"' -> type(FormatEnd), popMode ;

mode TEXT_3;
FormatText3  : (~[\\{}'] | FORMAT_PAIR)+ -> type(FormatText) ;
FormatSlash3 : '\\' -> type(FormatText) ;
FormatQuote3 : '\'' -> type(FormatText) ;
FieldOpen3   : [{] -> type(OpenBrace), pushMode(FIELD) ;
FormatEnd3   : '\'\'\'' -> type(FormatEnd), popMode ;

mode TEXT_6;
FormatText6  : (~[\\{}"] | FORMAT_PAIR)+ -> type(FormatText) ;
FormatSlash6 : '\\' -> type(FormatText) ;
FormatQuote6 : '"' -> type(FormatText) ;
FieldOpen6   : [{] -> type(OpenBrace), pushMode(FIELD) ;
FormatEnd6   : '"""' -> type(FormatEnd), popMode ;

// After the `:` of a field.
mode FORMAT;
Format       : ~[{}\r\n]+ -> type(FormatText) ;
FieldOpen    : [{] -> type(OpenBrace), pushMode(FIELD) ;
FormatClose  : [}] -> type(CloseBrace), popMode ;

// A field: the tokens of expressions, `:` and `!`.
mode FIELD;
FieldColon        : [:] -> type(Colon), mode(FORMAT) ;
Exclamation       : '!' ;
FieldNewline      : ('\r'? '\n' | '\r') -> channel(HIDDEN) ;
FieldSpace        : [ \t\u000C]+ -> type(Space), channel(HIDDEN) ;
FieldComment      : '#' ~[\r\n]* -> type(Comment), channel(HIDDEN) ;
FieldNumber       : Number -> type(Number) ;
FieldString       : String -> type(String) ;
FieldFormatStart1 : FORMAT_PREFIX '\'' -> type(FormatStart), pushMode(TEXT_1) ;
FieldFormatStart2 : FORMAT_PREFIX '"' -> type(FormatStart), pushMode(TEXT_2) ;
FieldFormatStart3 : FORMAT_PREFIX '\'\'\'' -> type(FormatStart), pushMode(TEXT_3) ;
FieldFormatStart6 : FORMAT_PREFIX '"""' -> type(FormatStart), pushMode(TEXT_6) ;
FieldOpenParen    : [(] -> type(OpenParen), pushMode(DEFAULT_MODE) ;
FieldOpenBracket  : [[] -> type(OpenBracket), pushMode(DEFAULT_MODE) ;
FieldOpenBrace    : [{] -> type(OpenBrace), pushMode(DEFAULT_MODE) ;
FieldCloseBrace   : [}] -> type(CloseBrace), popMode ;
FieldComma        : Comma -> type(Comma) ;
FieldDot          : Dot -> type(Dot) ;
FieldEllipsis     : Ellipsis -> type(Ellipsis) ;
FieldPower        : Power -> type(Power) ;
FieldStar         : Star -> type(Star) ;
FieldFloorDivide  : FloorDivide -> type(FloorDivide) ;
FieldDivide       : Divide -> type(Divide) ;
FieldPercent      : Percent -> type(Percent) ;
FieldAt           : At -> type(At) ;
FieldPlus         : Plus -> type(Plus) ;
FieldMinus        : Minus -> type(Minus) ;
FieldTilde        : Tilde -> type(Tilde) ;
FieldShiftLeft    : ShiftLeft -> type(ShiftLeft) ;
FieldShiftRight   : ShiftRight -> type(ShiftRight) ;
FieldBitAnd       : BitAnd -> type(BitAnd) ;
FieldBitXor       : BitXor -> type(BitXor) ;
FieldBitOr        : BitOr -> type(BitOr) ;
FieldLessEqual    : LessEqual -> type(LessEqual) ;
FieldGreaterEqual : GreaterEqual -> type(GreaterEqual) ;
FieldEqual        : Equal -> type(Equal) ;
FieldNotEqual     : NotEqual -> type(NotEqual) ;
FieldLess         : Less -> type(Less) ;
FieldGreater      : Greater -> type(Greater) ;
FieldAssign       : Assign -> type(Assign) ;
FieldAnd          : And -> type(And) ;
FieldAsync        : Async -> type(Async) ;
FieldAwait        : Await -> type(Await) ;
FieldCase         : Case -> type(Case) ;
FieldElse         : Else -> type(Else) ;
FieldFalse        : False -> type(False) ;
FieldFor          : For -> type(For) ;
FieldFrom         : From -> type(From) ;
FieldIf           : If -> type(If) ;
FieldIn           : In -> type(In) ;
FieldIs           : Is -> type(Is) ;
FieldLambda       : Lambda -> type(Lambda) ;
FieldMatch        : Match -> type(Match) ;
FieldNone         : None -> type(None) ;
FieldNot          : Not -> type(Not) ;
FieldOr           : Or -> type(Or) ;
FieldTrue         : True -> type(True) ;
FieldType         : Type -> type(Type) ;
FieldYield        : Yield -> type(Yield) ;
FieldName         : Name -> type(Name) ;

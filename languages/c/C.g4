// C17 after the preprocessor, with the common GNU extensions. Written from ISO/IEC 9899:2018 and the GCC manual.
//
// The grammar has no symbol table: a name is a type where the text around it cannot mean anything else, and some texts
// are read as what they mean most often. README.md lists these readings.
grammar C;

translationUnit : external* EOF ;

external
    : declaration                                                   // a function too
    | declarators (oldParameter* block | ';')                       // the type is missing: `int` in old C
    | asm ';'
    | ';'
    ;

// ---- Declarations ----------------------------------------------------------------------------------------------

declaration
    : specifiers (declarators (oldParameter* block | ';') | ';')
    | modifier* Identifier modifier* namedDeclarators (oldParameter* block | ';')
    | staticAssert
    ;

specifiers : modifier+ type? | type ;

// A type that nobody can take for a name.
type : typeSpecifier (typeSpecifier | modifier)* ;

typeSpecifier
    : 'void' | 'char' | 'short' | 'int' | 'long' | 'float' | 'double' | '_Bool'
    | SIGNED | 'unsigned' | COMPLEX | '__int128' | FLOAT_N | '__auto_type'
    | struct
    | enum
    | '_Atomic' '(' typeName ')'
    | TYPEOF '(' (plainType | expressions) ')'
    ;

modifier : keyword | attribute ;

keyword
    : 'typedef' | 'extern' | 'static' | 'auto' | 'register' | THREAD_LOCAL
    | CONST | VOLATILE | RESTRICT | '_Atomic'
    | INLINE | '_Noreturn' | '__extension__'
    | '_Alignas' '(' (plainType | expression) ')'
    ;

attribute     : ATTRIBUTE '(' '(' attributeItem? (',' attributeItem?)* ')' ')' ;
attributeItem : (Identifier | CONST | VOLATILE | RESTRICT | INLINE | SIGNED | COMPLEX) ('(' expressions? ')')? ;

struct : ('struct' | 'union') attribute* (Identifier | Identifier? '{' member* '}') ;

member
    : modifier* (type | Identifier modifier*) (memberDeclarator (',' attribute* memberDeclarator)*)? ';'
    | staticAssert
    | ';'
    ;

memberDeclarator : (declarator (':' expression)? | ':' expression) attribute* ;

enum       : 'enum' attribute* (Identifier | Identifier? '{' enumerator (',' enumerator)* ','? '}') ;
enumerator : Identifier attribute* ('=' expression)? ;

staticAssert : '_Static_assert' '(' expression (',' String+)? ')' ';' ;

// ---- Declarators -----------------------------------------------------------------------------------------------

declarators    : initDeclarator (',' attribute* initDeclarator)* ;
initDeclarator : declarator (asmLabel | attribute)* ('=' initializer)? ;

declarator : pointer* (Identifier | '(' attribute* declarator ')') (parameters | dimension*) ;

// What may follow the name of a type, so that `f(x)` remains a call.
namedDeclarators : namedDeclarator (asmLabel | attribute)* ('=' initializer)? (',' attribute* initDeclarator)* ;
namedDeclarator
    : pointer+ (Identifier | '(' attribute* declarator ')') (parameters | dimension*)
    | Identifier (parameters | dimension*)
    | '(' attribute* pointer+ declarator ')' (parameters | dimension+)
    | '(' Identifier ')' parameters
    ;

abstractDeclarator
    : pointer+ abstractDirect?
    | abstractDirect
    ;
abstractDirect
    : '(' attribute* abstractDeclarator ')' (parameters | dimension*)
    | parameters
    | dimension+
    ;

pointer   : '*' modifier* ;
dimension : '[' ('static' | '_Atomic' | CONST | VOLATILE | RESTRICT)* (expression | '*')? ']' ;

parameters   : '(' (parameter (',' parameter)* (',' '...')? | '...')? ')' ;
parameter
    : modifier* (type | Identifier modifier*) (declarator | abstractDeclarator)? attribute*
    | modifier+ (declarator | abstractDeclarator) attribute*        // the type is missing: `int` in old C
    ;
oldParameter : keyword* (type | Identifier modifier*) declarators ';' ;

asmLabel : ASM '(' String+ ')' ;

// A type in parentheses. A lone name is missing here: an expression can be that too.
plainType
    : modifier* type abstractDeclarator?
    | modifier+ Identifier modifier* abstractDeclarator?
    | Identifier modifier+ abstractDeclarator?
    | Identifier (pointer+ abstractDirect? | '(' attribute* pointer+ abstractDirect? ')' (parameters | dimension*))
    | Identifier '[' ']' dimension*
    ;

typeName : plainType | Identifier (parameters | dimension*) ;

initializer : expression | braces ;
braces      : '{' (element (',' element)* ','?)? '}' ;
element     : (designator+ '='? | Identifier ':')? initializer ;
designator  : '[' expression ('...' expression)? ']' | '.' Identifier ;

// ---- Statements ------------------------------------------------------------------------------------------------

block : '{' ('__label__' Identifier (',' Identifier)* ';')* (declaration | statement)* label* '}' ;

label : Identifier ':' | 'case' expression ('...' expression)? ':' | 'default' ':' ;

statement
    : expressions? ';'                                                                          # ExpressionStatement
    | block                                                                                     # BlockStatement
    | 'if' '(' expressions ')' statement ('else' statement)?                                    # If
    | 'while' '(' expressions ')' statement                                                     # While
    | 'do' statement 'while' '(' expressions ')' ';'                                            # DoWhile
    | 'for' '(' (declaration | expressions? ';') expressions? ';' expressions? ')' statement    # For
    | 'switch' '(' expressions ')' statement                                                    # Switch
    | label (declaration | statement)                                                           # Labeled
    | 'return' expressions? ';'                                                                 # Return
    | 'break' ';'                                                                               # Break
    | 'continue' ';'                                                                            # Continue
    | 'goto' (Identifier | '*' expression) ';'                                                  # Goto
    | asm ';'                                                                                   # AsmStatement
    ;

asm : ASM (VOLATILE | INLINE | 'goto')* '(' String+
        (':' asmOperands? (':' asmOperands? (':' (String+ (',' String+)*)? (':' Identifier (',' Identifier)*)?)?)?)? ')' ;
asmOperands : asmOperand (',' asmOperand)* ;
asmOperand  : ('[' Identifier ']')? String+ '(' expressions ')' ;

// ---- Expressions -----------------------------------------------------------------------------------------------

expressions : expression (',' expression)* ;

// From the tightest binding to the loosest.
expression
    : expression '(' expressions? ')'                                         # Call
    | expression '[' expressions ']'                                          # Index
    | expression ('.' | '->') Identifier                                      # Select
    | expression ('++' | '--')                                                # Postfix
    | ('sizeof' | ALIGNOF) '(' plainType ')'                                  # SizeOfType
    | ('++' | '--' | '+' | '-' | '!' | '~' | '*' | '&' | 'sizeof' | ALIGNOF
        | REAL | IMAG | '__extension__') expression                           # Prefix
    | '(' plainType ')' braces                                                # CompoundLiteral
    | '(' plainType ')' expression                                            # Cast
    | '(' expressions ')' braces?                                             # Group
    | '(' Identifier ')' expression                                           # CastByName
    | expression ('*' | '/' | '%') expression                                 # Product
    | expression ('+' | '-') expression                                       # Sum
    | expression ('<<' | '>>') expression                                     # Shift
    | expression ('<' | '<=' | '>' | '>=') expression                         # Order
    | expression ('==' | '!=') expression                                     # Equality
    | expression '&' expression                                               # And
    | expression '^' expression                                               # ExclusiveOr
    | expression '|' expression                                               # Or
    | expression '&&' expression                                              # Both
    | expression '||' expression                                              # Either
    | <assoc = right> expression '?' expressions? ':' expression              # Conditional
    | <assoc = right> expression ('=' | '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '&=' | '^=' | '|=')
        expression                                                            # Assignment
    | '(' block ')'                                                           # StatementExpression
    | '&&' Identifier                                                         # LabelAddress
    | '_Generic' '(' expression (',' association)+ ')'                        # Generic
    | '__builtin_va_arg' '(' expression ',' typeName ')'                      # VaArg
    | '__builtin_offsetof' '(' typeName ',' expression ')'                    # OffsetOf
    | '__builtin_types_compatible_p' '(' typeName ',' typeName ')'            # TypesCompatible
    | '__builtin_convertvector' '(' expression ',' typeName ')'               # ConvertVector
    | Identifier                                                              # Name
    | Integer                                                                 # Integer
    | Float                                                                   # Float
    | Character                                                               # Character
    | String+                                                                 # String
    ;

association : (typeName | 'default') ':' expression ;

// ---- Tokens ----------------------------------------------------------------------------------------------------

ALIGNOF      : '_Alignof' | '__alignof' | '__alignof__' ;
ASM          : 'asm' | '__asm' | '__asm__' ;
ATTRIBUTE    : '__attribute__' | '__attribute' ;
COMPLEX      : '_Complex' | '__complex' | '__complex__' ;
CONST        : 'const' | '__const' | '__const__' ;
FLOAT_N      : '_Float' ('16' | '32' | '64' | '128' | '32x' | '64x') | '__float128' | '__float80' | '_Decimal' ('32' | '64' | '128') ;
IMAG         : '__imag__' | '__imag' ;
INLINE       : 'inline' | '__inline' | '__inline__' ;
REAL         : '__real__' | '__real' ;
RESTRICT     : 'restrict' | '__restrict' | '__restrict__' ;
SIGNED       : 'signed' | '__signed' | '__signed__' ;
THREAD_LOCAL : '_Thread_local' | '__thread' ;
TYPEOF       : 'typeof' | '__typeof' | '__typeof__' ;
VOLATILE     : 'volatile' | '__volatile' | '__volatile__' ;

Identifier : LETTER (LETTER | [0-9] | [\u0300-\u036F\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F])* ;

Integer : ([0-9]+ | '0' [xX] HEX+ | '0' [bB] [01]+) ([uU] LONG? | LONG [uU]?)? [iIjJ]? ;

Float
    : ([0-9]+ EXPONENT | [0-9]* '.' [0-9]+ EXPONENT? | [0-9]+ '.' EXPONENT?) FLOAT_SUFFIX
    | '0' [xX] (HEX+ | HEX* '.' HEX+ | HEX+ '.') [pP] [+-]? [0-9]+ FLOAT_SUFFIX
    ;

Character : ('L' | 'u' | 'U' | 'u8')? '\'' (~['\\\r\n] | ESCAPE)+ '\'' ;
String    : ('L' | 'u' | 'U' | 'u8')? '"' (~["\\\r\n] | ESCAPE)* '"' ;

fragment LETTER
    : [a-zA-Z_$]
    | '\\u' HEX HEX HEX HEX
    | '\\U' HEX HEX HEX HEX HEX HEX HEX HEX
    // Annex D of the standard.
    | [\u00A8\u00AA\u00AD\u00AF\u00B2-\u00B5\u00B7-\u00BA\u00BC-\u00BE\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF]
    | [\u0370-\u167F\u1681-\u180D\u180F-\u1DBF\u1E00-\u1FFF\u200B-\u200D\u202A-\u202E\u203F-\u2040\u2054]
    | [\u2060-\u20CF\u2100-\u218F\u2460-\u24FF\u2776-\u2793\u2C00-\u2DFF\u2E80-\u2FFF\u3004-\u3007]
    | [\u3021-\u302F\u3031-\uD7FF\uF900-\uFD3D\uFD40-\uFDCF\uFDF0-\uFE1F\uFE30-\uFE44\uFE47-\uFFFD]
    | [\u{10000}-\u{1FFFD}\u{20000}-\u{2FFFD}\u{30000}-\u{3FFFD}\u{40000}-\u{4FFFD}\u{50000}-\u{5FFFD}]
    | [\u{60000}-\u{6FFFD}\u{70000}-\u{7FFFD}\u{80000}-\u{8FFFD}\u{90000}-\u{9FFFD}\u{A0000}-\u{AFFFD}]
    | [\u{B0000}-\u{BFFFD}\u{C0000}-\u{CFFFD}\u{D0000}-\u{DFFFD}\u{E0000}-\u{EFFFD}]
    ;
fragment HEX          : [0-9a-fA-F] ;
fragment LONG         : 'l' | 'L' | 'll' | 'LL' ;
fragment EXPONENT     : [eE] [+-]? [0-9]+ ;
fragment FLOAT_SUFFIX
    : [iIjJ]? ([fFlLqQwWdD] | [fF] ('16' | '32' 'x'? | '64' 'x'? | '128') | [dD] [fFdDlL])? [iIjJ]?
    ;
fragment ESCAPE       : '\\' . ;

LineMarker   : '#' (~[\r\n\\] | '\\' .)* -> channel(HIDDEN) ;
LineComment  : '//' ~[\r\n]* -> channel(HIDDEN) ;
BlockComment : '/*' .*? '*/' -> channel(HIDDEN) ;
Space        : ([ \t\u000B\u000C\r\n] | '\\' '\r'? '\n')+ -> skip ;

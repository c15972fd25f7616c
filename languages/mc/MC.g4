// A small language in the manner of C: functions, structs, arrays, pointers, all of C's operator levels.
grammar MC;

program : declaration* EOF ;

declaration
    : 'struct' ID '{' member* '}' ';'                     # StructDeclaration
    | type ID '(' parameters? ')' (block | ';')           # FunctionDeclaration
    | variable                                            # GlobalDeclaration
    ;

member     : type ID dimension* ';' ;
parameters : parameter (',' parameter)* ;
parameter  : type ID dimension* ;
variable   : 'const'? type declarator (',' declarator)* ';' ;
declarator : ID dimension* ('=' initializer)? ;
dimension  : '[' expr? ']' ;

initializer
    : '{' (initializer (',' initializer)* ','?)? '}'
    | assignment
    ;

type : ('int' | 'char' | 'bool' | 'float' | 'void' | 'struct' ID) '*'* ;

block : '{' statement* '}' ;

statement
    : block                                                              # BlockStatement
    | variable                                                           # VariableStatement
    | 'if' '(' expr ')' statement ('else' statement)?                    # If
    | 'while' '(' expr ')' statement                                     # While
    | 'do' statement 'while' '(' expr ')' ';'                            # DoWhile
    | 'for' '(' (variable | expr? ';') expr? ';' expr? ')' statement     # For
    | 'switch' '(' expr ')' '{' section* '}'                             # Switch
    | 'return' expr? ';'                                                 # Return
    | 'break' ';'                                                        # Break
    | 'continue' ';'                                                     # Continue
    | expr? ';'                                                          # ExpressionStatement
    ;

section : ('case' expr | 'default') ':' statement* ;

expr       : assignment (',' assignment)* ;
assignment : operation (('=' | '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '&=' | '^=' | '|=') assignment)? ;
arguments  : assignment (',' assignment)* ;

// From the tightest binding to the loosest. A cast names its type, so it cannot be taken for a parenthesis.
operation
    : operation '(' arguments? ')'                        # Call
    | operation '[' expr ']'                              # Index
    | operation ('.' | '->') ID                           # Select
    | operation ('++' | '--')                             # Postfix
    | ('++' | '--' | '+' | '-' | '!' | '~' | '*' | '&') operation # Prefix
    | '(' type ')' operation                              # Cast
    | 'sizeof' '(' (type | expr) ')'                      # SizeOf
    | operation ('*' | '/' | '%') operation               # Product
    | operation ('+' | '-') operation                     # Sum
    | operation ('<<' | '>>') operation                   # Shift
    | operation ('<' | '<=' | '>' | '>=') operation       # Order
    | operation ('==' | '!=') operation                   # Equality
    | operation '&' operation                             # And
    | operation '^' operation                             # ExclusiveOr
    | operation '|' operation                             # Or
    | operation '&&' operation                            # Both
    | operation '||' operation                            # Either
    | <assoc = right> operation '?' expr ':' operation    # Conditional
    | '(' expr ')'                                        # Group
    | ID                                                  # Name
    | NUMBER                                              # Number
    | FLOAT                                               # Float
    | CHARACTER                                           # Character
    | STRING+                                             # String
    | ('true' | 'false' | 'null')                         # Constant
    ;

ID        : [a-zA-Z_] [a-zA-Z_0-9]* ;
NUMBER    : '0' | [1-9] [0-9]* | '0x' HEX+ ;
FLOAT     : [0-9]+ '.' [0-9]+ ([eE] [+-]? [0-9]+)? ;
CHARACTER : '\'' (~['\\\r\n] | ESCAPE) '\'' ;
STRING    : '"' (~["\\\r\n] | ESCAPE)* '"' ;

fragment ESCAPE : '\\' ([abfnrtv0'"\\?] | 'x' HEX HEX) ;
fragment HEX    : [0-9a-fA-F] ;

LINE_COMMENT  : '//' ~[\r\n]* -> channel(HIDDEN) ;
BLOCK_COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;
SPACE         : [ \t\r\n]+ -> skip ;

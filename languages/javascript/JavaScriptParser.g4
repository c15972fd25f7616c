// ECMAScript 2024, written from ECMA-262, 15th edition. Scripts and modules. Patterns of declarations and parameters are
// `binding`s; patterns of assignments are read as literals.
//
// The predicates have the names of the base class in the ANTLR collection. Without hooks they are true: then a statement
// may end anywhere, so more texts are accepted.
parser grammar JavaScriptParser;

options { tokenVocab = JavaScriptLexer; }

program : statement* EOF ;

// ---- Statements ------------------------------------------------------------------------------------------------

statement
    : block                                                                             # BlockStatement
    | ';'                                                                               # Empty
    | declaration eos                                                                   # DeclarationStatement
    | function                                                                          # FunctionDeclaration
    | class                                                                             # ClassDeclaration
    | 'if' '(' expressions ')' statement ('else' statement)?                            # If
    | 'do' statement 'while' '(' expressions ')' ';'?                                   # DoWhile
    | 'while' '(' expressions ')' statement                                             # While
    | 'for' '(' (declaration | expressions)? ';' expressions? ';' expressions? ')' statement    # For
    | 'for' 'await'? '(' ((kind | 'const') binding | expression) 'of' expression ')' statement    # ForOf
    | 'for' '(' (kind binding ('=' expression)? | 'const' binding) 'in' expressions ')' statement  # ForIn
    | 'for' '(' expressions ')' statement                                               # ForInExpression
    | 'continue' {this.notLineTerminator()}? name eos                                   # ContinueTo
    | 'continue' eos                                                                    # Continue
    | 'break' {this.notLineTerminator()}? name eos                                      # BreakTo
    | 'break' eos                                                                       # Break
    | 'return' ({this.notLineTerminator()}? expressions)? eos                           # Return
    | 'throw' {this.notLineTerminator()}? expressions eos                               # Throw
    | 'with' '(' expressions ')' statement                                              # With
    | 'switch' '(' expressions ')' '{' case* '}'                                        # Switch
    | 'try' block (catchClause finallyClause? | finallyClause)                                  # Try
    | 'debugger' eos                                                                    # Debugger
    | name ':' statement                                                                # Labeled
    | moduleImport                                                                       # ImportDeclaration
    | moduleExport                                                                       # ExportDeclaration
    | {this.notOpenBraceAndNotFunction()}? expressions eos                              # ExpressionStatement
    ;

block : '{' statement* '}' ;
case  : ('case' expressions | 'default') ':' statement* ;
catchClause   : 'catch' ('(' binding ')')? block ;
finallyClause : 'finally' block ;

declaration : kind variable (',' variable)* | 'const' constant (',' constant)* ;
kind        : 'var' | 'let' ;
variable    : binding ('=' expression)? ;
constant    : binding '=' expression ;

// A name, or a pattern of names.
binding
    : name
    | '[' element? (',' element?)* ']'
    | '{' (field (',' field)* ','?)? '}'
    ;
element : '...'? binding ('=' expression)? ;
field   : propertyName ':' binding ('=' expression)? | name ('=' expression)? | '...' binding ;

moduleImport
    : 'import' (name ',')? (name | '*' 'as' name | importNames) 'from' String attributes? eos
    | 'import' String attributes? eos
    ;
importNames : '{' (importName (',' importName)* ','?)? '}' ;
importName  : name | (word | String) 'as' name ;
attributes  : 'with' object ;

moduleExport
    : 'export' ('*' ('as' exported)? | exportNames) 'from' String attributes? eos     # ExportFrom
    | 'export' exportNames eos                                                        # ExportLocal
    | 'export' 'default' (function | class | expression eos)                          # ExportDefault
    | 'export' (declaration eos | function | class)                                   # Export
    ;
exportNames : '{' (exportName (',' exportName)* ','?)? '}' ;
exportName  : (word | String) ('as' exported)? ;
exported    : word | String ;

// A statement ends by `;`, or where a semicolon is inserted.
eos : ';' | EOF | {this.lineTerminatorAhead()}? | {this.closeBrace()}? ;

// ---- Functions and classes -------------------------------------------------------------------------------------

function   : 'async'? 'function' '*'? name? parameters block ;
parameters : '(' (element (',' element)* ','?)? ')' ;

class  : 'class' name? ('extends' expression)? '{' member* '}' ;
member : ';' | staticBlock | 'static'? (method | propertyName ('=' expression)? eos) ;
staticBlock : 'static' block ;
method : ('get' | 'set' | 'async'? '*'?) propertyName parameters block ;

propertyName : word | PrivateName | String | Number | '[' expression ']' ;

// ---- Expressions -----------------------------------------------------------------------------------------------

expressions : expression (',' expression)* ;

// From the tightest binding to the loosest.
expression
    : expression '?.'? '[' expressions ']'                                    # Index
    | expression ('.' | '?.') (word | PrivateName)                            # Select
    | expression '?.'? arguments                                              # Call
    | expression '?.'? template                                               # Tagged
    | 'new' '.' word                                                          # NewTarget
    | 'new' expression                                                        # New
    | 'import' ('.' word | arguments)                                         # ImportCall
    | expression {this.notLineTerminator()}? ('++' | '--')                    # Postfix
    | 'typeof' expression                                                     # TypeOf
    | 'await' expression                                                      # Await
    | ('delete' | 'void' | '++' | '--' | '+' | '-' | '~' | '!') expression    # Prefix
    | <assoc = right> expression '**' expression                              # Power
    | expression ('*' | Divide | '%') expression                              # Product
    | expression ('+' | '-') expression                                       # Sum
    | expression Shift expression                                             # Shift
    | expression (Order | 'instanceof' | 'in') expression                     # Order
    | expression Equality expression                                          # Equality
    | expression '&' expression                                               # BitAnd
    | expression '^' expression                                               # BitXOr
    | expression '|' expression                                               # BitOr
    | expression '&&' expression                                              # And
    | expression ('||' | '??') expression                                     # Or
    | <assoc = right> expression '?' expression ':' expression                # Conditional
    | <assoc = right> expression ('=' | AssignOperator) expression            # Assignment
    | 'async'? (name | parameters) '=>' (block | expression)                  # ArrowFunction
    | 'yield' ({this.notLineTerminator()}? '*'? expression)?                  # Yield
    | function                                                                # FunctionExpression
    | class                                                                   # ClassExpression
    | 'this'                                                                  # This
    | 'super'                                                                 # Super
    | name                                                                    # NameExpression
    | PrivateName                                                             # PrivateExpression
    | Null                                                                    # Null
    | Boolean                                                                 # Boolean
    | Number                                                                  # Number
    | String                                                                  # String
    | RegularExpression                                                       # RegularExpression
    | template                                                                # TemplateLiteral
    | array                                                                   # ArrayLiteral
    | object                                                                  # ObjectLiteral
    | '(' expressions ')'                                                     # Group
    ;

arguments : '(' (argument (',' argument)* ','?)? ')' ;
argument  : '...'? expression ;
template  : Backtick (TemplateText | TemplateHole expressions '}')* Backtick ;

array    : '[' argument? (',' argument?)* ']' ;
object   : '{' (property (',' property)* ','?)? '}' ;
property : propertyName ':' expression | name ('=' expression)? | method | '...' expression ;

// What may be a variable, and what may be the name of a property.
name
    : Identifier | 'as' | 'from' | 'of' | 'async' | 'await' | 'yield' | 'get' | 'set' | 'let' | 'static'
    ;
word
    : name | Null | Boolean | 'break' | 'do' | 'instanceof' | 'typeof' | 'case' | 'else' | 'new' | 'var' | 'catch'
    | 'finally' | 'return' | 'void' | 'continue' | 'for' | 'switch' | 'while' | 'debugger' | 'function' | 'this' | 'with'
    | 'default' | 'if' | 'throw' | 'delete' | 'in' | 'try' | 'class' | 'enum' | 'extends' | 'super' | 'const' | 'export'
    | 'import'
    ;

// Python 3.12, written from the language reference. Assignments take any expression on the left; the order of
// parameters and arguments is not checked.
parser grammar PythonParser;

options { tokenVocab = PythonLexer; }

file : statement* EOF ;

statement
    : simpleStatements
    | ifStatement
    | whileStatement
    | forStatement
    | tryStatement
    | withStatement
    | matchStatement
    | functionDefinition
    | classDefinition
    ;

simpleStatements : simpleStatement (';' simpleStatement)* ';'? Newline ;

simpleStatement
    : expressionStatement
    | passStatement
    | breakStatement
    | continueStatement
    | returnStatement
    | raiseStatement
    | globalStatement
    | nonlocalStatement
    | deleteStatement
    | assertStatement
    | importStatement
    | fromStatement
    | typeStatement
    ;

// An expression alone, with a type, or assigned.
expressionStatement
    : value ('=' value)*
    | expression ':' expression ('=' value)?
    | expression AugmentedAssign value
    ;

value : yieldExpression | expressions ;

passStatement     : 'pass' ;
breakStatement    : 'break' ;
continueStatement : 'continue' ;
returnStatement   : 'return' expressions? ;
raiseStatement    : 'raise' (expression ('from' expression)?)? ;
globalStatement   : 'global' name (',' name)* ;
nonlocalStatement : 'nonlocal' name (',' name)* ;
deleteStatement   : 'del' expressions ;
assertStatement   : 'assert' expression (',' expression)? ;
importStatement   : 'import' importedModule (',' importedModule)* ;
importedModule    : dottedName ('as' name)? ;
fromStatement
    : 'from' (('.' | '...')* dottedName | ('.' | '...')+) 'import'
      ('*' | importedName (',' importedName)* | '(' importedName (',' importedName)* ','? ')')
    ;
importedName      : name ('as' name)? ;
typeStatement     : 'type' name typeParameters? '=' expression ;

block : simpleStatements | Newline Indent statement+ Dedent ;

ifStatement    : 'if' expression ':' block ('elif' expression ':' block)* elseClause? ;
whileStatement : 'while' expression ':' block elseClause? ;
forStatement   : 'async'? 'for' targets 'in' expressions ':' block elseClause? ;
tryStatement   : 'try' ':' block (exceptClause+ elseClause? finallyClause? | finallyClause) ;
exceptClause   : 'except' ('*'? expression ('as' name)?)? ':' block ;
elseClause     : 'else' ':' block ;
finallyClause  : 'finally' ':' block ;
withStatement
    : 'async'? 'with' ('(' withItem (',' withItem)* ','? ')' | withItem (',' withItem)*) ':' block
    ;
withItem       : expression ('as' target)? ;

matchStatement : 'match' expressions ':' Newline Indent caseClause+ Dedent ;
caseClause     : 'case' patterns ('if' expression)? ':' block ;
patterns       : pattern (',' pattern)* ','? ;
pattern        : '*' name | simplePattern ('|' simplePattern)* ('as' name)? ;
simplePattern
    : '-'? Number (('+' | '-') Number)?
    | strings
    | 'None'
    | 'True'
    | 'False'
    | dottedName
    | dottedName '(' (argumentPattern (',' argumentPattern)* ','?)? ')'
    | '(' patterns? ')'
    | '[' patterns? ']'
    | '{' (entryPattern (',' entryPattern)* ','?)? '}'
    ;
argumentPattern : (name '=')? pattern ;
entryPattern    : '**' name | simplePattern ':' pattern ;

functionDefinition
    : decorator* 'async'? 'def' name typeParameters? '(' parameters? ')' ('->' expression)? ':' block
    ;
classDefinition  : decorator* 'class' name typeParameters? ('(' arguments? ')')? ':' block ;
decorator        : '@' expression Newline ;
parameters       : parameter (',' parameter)* ','? ;
parameter
    : ('*' | '**')? name (':' expression)? ('=' expression)?
    | '*' name ':' '*' operation
    | '*'
    | '/'
    ;
lambdaParameters : lambdaParameter (',' lambdaParameter)* ','? ;
lambdaParameter  : ('*' | '**')? name ('=' expression)? | '*' | '/' ;
typeParameters   : '[' typeParameter (',' typeParameter)* ','? ']' ;
typeParameter    : ('*' | '**')? name (':' expression)? ('=' expression)? ;

expressions : element (',' element)* ','? ;
element     : '*' operation | expression ;

expression
    : operation ('if' operation 'else' expression)?
    | name ':=' expression
    | 'lambda' lambdaParameters? ':' expression
    ;

operation
    : primary
    | 'await' primary
    | <assoc = right> operation '**' operation
    | ('+' | '-' | '~') operation
    | operation ('*' | '/' | '//' | '%' | '@') operation
    | operation ('+' | '-') operation
    | operation ('<<' | '>>') operation
    | operation '&' operation
    | operation '^' operation
    | operation '|' operation
    | operation ('<' | '>' | '==' | '>=' | '<=' | '!=' | 'not'? 'in' | 'is' 'not'?) operation
    | 'not' operation
    | operation 'and' operation
    | operation 'or' operation
    ;

primary
    : name
    | Number
    | strings
    | 'None'
    | 'True'
    | 'False'
    | '...'
    | '(' yieldExpression ')'
    | '(' elements? ')'
    | '[' elements? ']'
    | '{' elements '}'
    | '{' entries? '}'
    | primary '.' name
    | primary '(' arguments? ')'
    | primary '[' subscripts ']'
    ;

elements      : element (comprehension | (',' element)* ','?) ;
entries       : entry (comprehension | (',' entry)* ','?) ;
entry         : '**' operation | expression ':' expression ;
comprehension : ('async'? 'for' targets 'in' operation ('if' operation)*)+ ;

arguments  : argument (',' argument)* ','? ;
argument   : '*' expression | '**' expression | name '=' expression | expression comprehension? ;
subscripts : subscript (',' subscript)* ','? ;
subscript  : '*' operation | expression slice? | slice ;
slice      : ':' expression? (':' expression?)? ;

yieldExpression : 'yield' ('from' expression | expressions)? ;

targets : target (',' target)* ','? ;
target  : '*'? primary ;

strings      : (String | formatted)+ ;
formatted    : FormatStart (FormatText | field)* FormatEnd ;
field        : '{' value '='? ('!' name)? (':' (FormatText | field)*)? '}' ;

dottedName : name ('.' name)* ;
name       : Name | 'match' | 'case' | 'type' ;

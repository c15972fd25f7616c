// Comma-separated values as RFC 4180 has them, with bare LF as a line end too.
grammar CSV;

file   : record (NEWLINE record)* EOF ;
record : field (',' field)* ;
field  : TEXT | QUOTED | /* an empty field */ ;

NEWLINE : '\r'? '\n' ;
TEXT    : ~[,"\r\n]+ ;
QUOTED  : '"' (~["] | '""')* '"' ;

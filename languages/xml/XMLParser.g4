// The shape of XML 1.0 documents. That an end tag repeats the name of its start tag is beyond a grammar.
parser grammar XMLParser;

options { tokenVocab = XMLLexer; }

document    : declaration? misc* (DOCTYPE misc*)? element misc* EOF ;
declaration : DECLARATION attribute* CLOSE_DECLARATION ;
misc        : COMMENT | INSTRUCTION | SPACE ;

element
    : OPEN NAME attribute* CLOSE content OPEN_END NAME CLOSE   # Pair
    | OPEN NAME attribute* CLOSE_EMPTY                         # Empty
    ;

attribute : NAME EQUALS STRING ;
content   : (element | TEXT | SPACE | REFERENCE | CDATA | COMMENT | INSTRUCTION)* ;

class P { p("${a : A}") {} }
class A("[a-");

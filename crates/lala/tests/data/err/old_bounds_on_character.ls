class P { p("${a : A}") {} }
class A("a{2,3}");

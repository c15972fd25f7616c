class P { p("${a : A}${b : B}${c : C}") {} }
class A("+|-|*|/");
class B("[|]|[(]|(ab){1,2}");
class C("0|[1-9][0-9]{0,2}");

const f = (a, b) => { if (a>b) { return {} } }
let x = a / b / c, r = /re[/]g/gi.test(`t${x + `${1}`} q`)
async function* g({a = 1, ...b}, [c]) { for await (const q of z) yield* q; }
class A extends B { static #p = 3; get x() { return this.#p } static { f() } constructor() { super() } }
export default function () {}
import d, { e as h } from "m"
a?.b?.[c] ?? d
for (var i in o) x++
label: while (1) { break label }

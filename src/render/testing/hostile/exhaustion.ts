// Pages that exhaust CPU, memory or the DOM.

import { type HostilePage, scriptPage } from './hostile-page.ts'

const BUSY = ['render_cpu', 'render_timeout'] as const
const LARGE = ['render_memory', 'render_crashed', 'render_cpu', 'render_timeout', 'render_dom_size'] as const

/** A WebAssembly module whose exported function `f` never returns: (func (loop br 0)). */
const ENDLESS_WASM = '0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11'

export const EXHAUSTION: HostilePage[] = [
  scriptPage('an endless loop', 'for (;;) {}', [...BUSY]),
  scriptPage('an endless loop after the load event', 'addEventListener("load", () => { for (;;) {} })', [...BUSY]),
  scriptPage('endless microtasks', 'const again = () => Promise.resolve().then(again); again()', [...LARGE]),
  scriptPage('endless recursion by timers', 'const again = () => setTimeout(again, 0); again()'),
  scriptPage(
    'endless messages to itself',
    'const c = new MessageChannel(); c.port1.onmessage = () => { const e = performance.now() + 50; while (performance.now() < e); c.port2.postMessage(0) }; c.port2.postMessage(0)',
    [...BUSY, 'rendered'],
  ),
  scriptPage(
    'animation frames that are always busy',
    'const again = () => { const e = performance.now() + 40; while (performance.now() < e); document.body.append("x"); requestAnimationFrame(again) }; again()',
    [...BUSY, 'rendered'],
  ),
  scriptPage('a regular expression with catastrophic backtracking', '/^(a+)+$/.test("a".repeat(40) + "b")', [...BUSY]),
  scriptPage('a stack overflow', 'const f = () => f(); try { f() } catch {} document.body.append("after")'),
  scriptPage('an allocation bomb of arrays', 'const a = []; for (;;) a.push(new Array(1e6).fill(a.length))', [
    ...LARGE,
  ]),
  scriptPage('an allocation bomb of buffers', 'const a = []; for (;;) a.push(new Uint8Array(5e7).fill(1))', [...LARGE]),
  scriptPage(
    'an allocation bomb of strings',
    'let s = "xxxxxxxx"; const a = []; for (;;) { a.push((s + a.length).repeat(1e6).split("").join("y")) }',
    [...LARGE],
  ),
  scriptPage(
    'an allocation bomb of shared memory',
    'const a = []; for (;;) { const m = new WebAssembly.Memory({ initial: 1000, maximum: 1000 }); new Uint8Array(m.buffer).fill(1); a.push(m) }',
    [...LARGE, 'rendered'],
  ),
  scriptPage(
    'blobs without end',
    'const a = []; setInterval(() => { a.push(new Blob([new Uint8Array(2e7).fill(7)])) }, 1)',
    [...LARGE, 'rendered'],
  ),
  scriptPage(
    'a canvas of the largest size',
    'for (let i = 0; i < 50; i++) { const c = document.createElement("canvas"); c.width = c.height = 8000; c.getContext("2d").fillRect(0, 0, 8000, 8000); document.body.append(c) }',
    [...LARGE, 'rendered'],
  ),
  scriptPage('a DOM bomb', 'for (;;) document.body.append(document.createElement("p"))', [...LARGE]),
  scriptPage(
    'a DOM that keeps growing',
    'setInterval(() => { for (let i = 0; i < 2000; i++) document.body.append(document.createElement("i")) }, 10)',
    [...LARGE],
  ),
  scriptPage(
    'a DOM of extreme depth',
    'let e = document.body; for (let i = 0; i < 30000; i++) { const d = document.createElement("div"); e.append(d); e = d }',
    ['rendered', ...LARGE],
  ),
  scriptPage(
    'HTML that explodes when it is serialised',
    'const s = "&".repeat(4e6); for (let i = 0; i < 4; i++) document.body.append(s)',
    ['render_dom_size', ...LARGE],
  ),
  scriptPage('a text node of 200 MB', 'document.body.append("x".repeat(2e8))', [...LARGE]),
  scriptPage(
    'an endless observer',
    'new MutationObserver(() => document.body.append("x")).observe(document.body, { childList: true }); document.body.append("x")',
    [...BUSY, ...LARGE],
  ),
  scriptPage('document.write without end', 'for (;;) document.write("<p>more</p>")', [...LARGE]),
  scriptPage(
    'an endless WebAssembly function',
    `WebAssembly.instantiate(new Uint8Array([${ENDLESS_WASM}])).then(({ instance }) => instance.exports.f())`,
    [...BUSY],
  ),
  scriptPage('a worker in an endless loop', 'new Worker(URL.createObjectURL(new Blob(["for (;;) {}"])))', [
    ...BUSY,
    'rendered',
  ]),
  scriptPage(
    'many workers',
    'for (let i = 0; i < 50; i++) new Worker(URL.createObjectURL(new Blob(["onmessage = () => 0"])))',
    ['render_workers'],
  ),
  scriptPage(
    'workers that start workers',
    'const s = "new Worker(URL.createObjectURL(new Blob([self.s])))"; for (let i = 0; i < 9; i++) new Worker(URL.createObjectURL(new Blob(["self.s = `" + s + "`;" + s])))',
    ['render_workers'],
  ),
  scriptPage(
    'Atomics.wait in a worker, and sync XHR',
    'new Worker(URL.createObjectURL(new Blob(["Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"]))); const x = new XMLHttpRequest(); x.open("GET", "/missing", false); x.send()',
    ['rendered', 'render_crashed'],
  ),
  {
    name: 'a CSS bomb',
    html: `<!doctype html><style>${'*:has(* *) > * * *{color:red}'.repeat(400)}</style>${'<b>'.repeat(400)}`,
    outcomes: ['rendered', ...BUSY],
  },
  {
    name: 'an SVG bomb',
    html: `<!doctype html><svg><g id="a0"><circle r="1"/></g>${Array.from({ length: 20 }, (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(10)}</g>`).join('')}</svg>`,
    outcomes: ['rendered', ...BUSY, ...LARGE],
  },
  {
    name: 'an XML entity bomb in a frame',
    html: `<!doctype html><body><script>new DOMParser().parseFromString('<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? '' : i - 1};`.repeat(10)}">`).join('')}]><x>&a11;</x>', 'application/xml')</script>`,
    outcomes: ['rendered', ...BUSY, ...LARGE],
  },
]

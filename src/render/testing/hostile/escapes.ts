// Pages that try to reach an address by every API there is, and pages that tamper with what reads them.

import { type Canaries, type HostilePage, scriptPage } from './hostile-page.ts'

export function escapes({ tcpPort, udpPort }: Canaries): HostilePage[] {
  const origin = `http://127.0.0.1:${tcpPort}`
  const secure = `https://127.0.0.1:${tcpPort}`
  const name = `http://localhost:${tcpPort}`
  return [
    scriptPage(
      'fetch and XHR',
      `for (const u of ["${origin}/", "${name}/", "http://[::1]:${tcpPort}/", "http://0.0.0.0:${tcpPort}/"]) { fetch(u, { mode: "no-cors" }).catch(() => 0); const x = new XMLHttpRequest(); x.open("POST", u); x.send("data") }`,
    ),
    scriptPage(
      'fetch with keepalive, and beacons',
      `fetch("${origin}/", { mode: "no-cors", keepalive: true }).catch(() => 0); navigator.sendBeacon("${origin}/", "x"); onpagehide = () => { navigator.sendBeacon("${origin}/hide", "x"); fetch("${origin}/hide", { keepalive: true, mode: "no-cors" }) }`,
    ),
    scriptPage(
      'WebSocket',
      `for (const u of ["ws://127.0.0.1:${tcpPort}/", "wss://127.0.0.1:${tcpPort}/", "ws://localhost:${tcpPort}/"]) { try { new WebSocket(u) } catch {} } try { new WebSocketStream("ws://127.0.0.1:${tcpPort}/") } catch {}`,
    ),
    scriptPage(
      'WebSocket in a worker',
      `new Worker(URL.createObjectURL(new Blob(['new WebSocket("ws://127.0.0.1:${tcpPort}/"); fetch("${origin}/").catch(() => 0); importScripts("${origin}/x.js")'])))`,
    ),
    scriptPage(
      'WebSocket in a shared worker',
      `try { new SharedWorker(URL.createObjectURL(new Blob(['new WebSocket("ws://127.0.0.1:${tcpPort}/"); fetch("${origin}/")']))) } catch {}`,
      ['rendered', 'render_workers'],
    ),
    scriptPage('EventSource', `new EventSource("${origin}/")`),
    scriptPage(
      'WebTransport',
      `try { new WebTransport("https://127.0.0.1:${udpPort}/").ready.catch(() => 0); new WebTransport("https://localhost:${udpPort}/", { serverCertificateHashes: [{ algorithm: "sha-256", value: new Uint8Array(32) }] }).ready.catch(() => 0) } catch {}`,
    ),
    scriptPage(
      'WebRTC',
      `for (const urls of ["stun:127.0.0.1:${udpPort}", "turn:127.0.0.1:${udpPort}?transport=udp", "turn:127.0.0.1:${tcpPort}?transport=tcp", "turns:127.0.0.1:${tcpPort}"]) { const p = new RTCPeerConnection({ iceServers: [{ urls, username: "u", credential: "p" }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o)); p.addIceCandidate({ candidate: "candidate:1 1 udp 2122260223 127.0.0.1 ${udpPort} typ host", sdpMid: "0", sdpMLineIndex: 0 }).catch(() => 0) }`,
    ),
    scriptPage(
      'WebRTC with a remote candidate',
      `(async () => { const a = new RTCPeerConnection(), b = new RTCPeerConnection(); a.createDataChannel("x"); await a.setLocalDescription(await a.createOffer()); await b.setRemoteDescription(a.localDescription); await b.setLocalDescription(await b.createAnswer()); await a.setRemoteDescription(b.localDescription); await a.addIceCandidate({ candidate: "candidate:1 1 udp 2122260223 127.0.0.1 ${udpPort} typ host", sdpMid: "0", sdpMLineIndex: 0 }); await a.addIceCandidate({ candidate: "candidate:2 1 tcp 1518280447 127.0.0.1 ${tcpPort} typ host tcptype passive", sdpMid: "0", sdpMLineIndex: 0 }) })()`,
    ),
    {
      name: 'hints: preconnect, dns-prefetch, prefetch, preload, prerender',
      html: `<!doctype html>${['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'prerender', 'modulepreload', 'icon', 'manifest', 'stylesheet'].map((rel) => `<link rel="${rel}" href="${origin}/${rel}" as="script"><link rel="${rel}" href="//${rel}.canary.test/">`).join('')}<p>text</p>`,
      outcomes: ['rendered'],
    },
    {
      name: 'speculation rules',
      html: `<!doctype html><script type="speculationrules">{"prefetch":[{"source":"list","urls":["${origin}/a","/b"],"eagerness":"immediate"}],"prerender":[{"source":"list","urls":["/c"],"eagerness":"immediate"}]}</script><p>text</p>`,
      outcomes: ['rendered'],
    },
    {
      name: 'elements that load',
      html: `<!doctype html>${['img', 'video', 'audio', 'embed', 'iframe', 'script', 'track', 'input type=image'].map((tag) => `<${tag} src="${origin}/"></${tag.split(' ')[0]}>`).join('')}<object data="${origin}/"></object><video poster="${origin}/p"></video><a ping="${origin}/" href="#x" id="x">x</a><style>@import "${origin}/i.css"; @font-face { font-family: f; src: url("${origin}/f.woff") } p { background: url("${origin}/b.png"); font-family: f }</style><p>text</p><script>document.getElementById("x").click()</script>`,
      outcomes: ['rendered'],
    },
    scriptPage('a service worker', `navigator.serviceWorker?.register("/sw.js").catch(() => 0)`),
    {
      name: 'a service worker that exists',
      html: '<!doctype html><body><script>navigator.serviceWorker.register("/sw.js").then(() => document.body.append("registered"), () => document.body.append("refused"))</script>',
      files: { '/sw.js': `onfetch = (e) => e.respondWith(fetch("${origin}/")); oninstall = () => fetch("${origin}/")` },
      outcomes: ['rendered'],
      contains: 'refused',
    },
    scriptPage(
      'worklets',
      `const load = (w) => w?.addModule("${origin}/w.js").catch(() => 0); load(CSS.paintWorklet); load(new AudioContext().audioWorklet); load(window.sharedStorage?.worklet)`,
    ),
    scriptPage(
      'import, and modules',
      `import("${origin}/m.js").catch(() => 0); const s = document.createElement("script"); s.type = "module"; s.textContent = 'import "${origin}/n.js"'; document.body.append(s)`,
    ),
    scriptPage(
      'forms and windows to an address',
      `const f = document.createElement("form"); f.action = "${origin}/"; f.target = "w"; document.body.append(f); f.submit(); open("${origin}/"); location = "${secure}/"`,
    ),
    scriptPage(
      'background fetch, payment and credentials',
      `navigator.serviceWorker?.ready.then((r) => r.backgroundFetch.fetch("x", ["${origin}/"])); try { new PaymentRequest([{ supportedMethods: "${secure}/pay" }], { total: { label: "x", amount: { currency: "EUR", value: "1" } } }).show().catch(() => 0) } catch {} navigator.credentials?.get({ identity: { providers: [{ configURL: "${secure}/c.json", clientId: "1" }] } }).catch(() => 0)`,
    ),
    {
      name: 'a name that resolves to another address the second time',
      html: '<!doctype html><script>setInterval(() => fetch("https://site.test:1/x").catch(() => 0), 50); new WebSocket("wss://site.test/x"); setTimeout(() => { throw 0 }, 1)</script><p>text</p>',
      outcomes: ['rendered', 'render_requests', 'render_timeout'],
    },
    scriptPage(
      'the debugging interface',
      `for (let p = 9222; p < 9226; p++) { fetch("http://127.0.0.1:" + p + "/json").catch(() => 0) } fetch("${origin}/json/version").catch(() => 0)`,
    ),
  ]
}

/** The HTML must equal the DOM, whatever the page has replaced. */
export const TRICKS: HostilePage[] = [
  {
    ...scriptPage(
      'prototypes that lie',
      'const lie = { get: () => "<p>lie</p>", set() {}, configurable: false }; Object.defineProperty(Element.prototype, "outerHTML", lie); Object.defineProperty(Element.prototype, "innerHTML", lie); Element.prototype.getHTML = () => "lie"; XMLSerializer.prototype.serializeToString = () => "lie"; Object.prototype.toJSON = () => "lie"; Array.prototype.push = () => 0; document.querySelector = () => null; document.body.append(document.createElement("b"))',
    ),
    contains: '<b></b>',
  },
  {
    ...scriptPage(
      'globals that throw',
      'for (const name of ["document", "scrollTo", "performance", "JSON", "Promise", "setTimeout", "requestAnimationFrame", "getComputedStyle"]) { try { Object.defineProperty(window, name, { get() { throw new Error("no") } }) } catch {} } Object.freeze = () => { throw 0 }',
    ),
    contains: '<p>text</p>',
  },
  {
    name: 'a document without elements',
    html: '<!doctype html><script>document.documentElement.remove()</script>',
    outcomes: ['rendered'],
  },
  {
    ...scriptPage(
      'an element named like what we call',
      'for (const id of ["documentElement", "scrollTo", "top", "sessionStorage", "body"]) { const f = document.createElement("form"); f.id = f.name = id; document.body.append(f) } document.body.append("x")',
    ),
    settings: { scroll: true },
    contains: 'id="scrollTo"',
  },
  {
    ...scriptPage(
      'a closed shadow root',
      'const d = document.createElement("div"); document.body.append(d); d.attachShadow({ mode: "closed" }).innerHTML = "<a href=/inner>in</a>"; Element.prototype.attachShadow = null',
    ),
    contains: '<a href="/inner">in</a>',
  },
  scriptPage(
    'lone surrogates and NUL characters',
    'document.body.append("\\ud800 \\u0000 \\uffff"); document.title = "\\udfff".repeat(1000)',
  ),
  scriptPage('debugger statements', 'setInterval(() => { debugger }, 1); debugger', ['rendered', 'render_timeout']),
  scriptPage(
    'a flood of console messages',
    'setInterval(() => { for (let i = 0; i < 1e4; i++) console.log("x".repeat(100)) }, 1)',
    ['rendered', 'render_cpu', 'render_timeout'],
  ),
  {
    ...scriptPage('a selector that never appears', ''),
    settings: { waitFor: { selector: '#never' } },
    outcomes: ['render_timeout'],
  },
  {
    ...scriptPage('a selector that is invalid', ''),
    settings: { waitFor: { selector: '<<<' } },
    outcomes: ['rendered'],
  },
]

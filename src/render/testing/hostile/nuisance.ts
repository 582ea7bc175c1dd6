// Pages that open, ask, leave, store or download.

import { type HostilePage, scriptPage } from './hostile-page.ts'

export const NUISANCE: HostilePage[] = [
  scriptPage('a storm of alerts', 'for (;;) alert(1)', ['render_dialogs']),
  scriptPage('confirm and prompt until they are accepted', 'while (!confirm("yes?")); ', ['render_dialogs']),
  scriptPage('a few dialogs', 'alert(1); confirm(2); prompt(3); document.body.append("after")'),
  scriptPage('print without end', 'print(); setInterval(print, 10)', ['rendered', 'render_timeout']),
  scriptPage('a storm of windows', 'setInterval(() => open("/other"), 1)', ['render_windows', 'rendered']),
  scriptPage(
    'windows by links and forms',
    'for (let i = 0; i < 100; i++) { const a = document.createElement("a"); a.href = "/x" + i; a.target = "_blank"; document.body.append(a); a.click() }',
    ['render_windows', 'rendered'],
  ),
  scriptPage(
    'a window that is written to',
    'const w = open("about:blank"); w?.document.write("<script>for(;;);<\\/script>")',
    ['rendered', 'render_cpu', 'render_timeout'],
  ),
  scriptPage('navigation to another site', 'location.href = "https://elsewhere.test/"'),
  scriptPage(
    'navigation in a loop',
    'setInterval(() => { location.href = "https://elsewhere.test/" + Math.random() }, 5)',
    ['render_navigations', 'rendered', 'render_timeout'],
  ),
  scriptPage('navigation to about:blank', 'location.href = "about:blank"', ['render_navigations']),
  scriptPage(
    'navigation to a blob',
    'location.href = URL.createObjectURL(new Blob(["<p>gone"], { type: "text/html" }))',
    ['render_navigations'],
  ),
  scriptPage('navigation to a data URL', 'location.href = "data:text/html,<p>gone"'),
  scriptPage(
    'navigation to a file',
    'location.href = "file:///etc/passwd"; fetch("file:///etc/passwd").catch(() => 0)',
  ),
  scriptPage(
    'navigation to the browser itself',
    'for (const u of ["chrome://version", "chrome://crash", "chrome://kill", "devtools://devtools/bundled/inspector.html", "view-source:https://a.test"]) { try { location.href = u } catch {} }',
  ),
  scriptPage(
    'navigation to programs',
    'for (const u of ["mailto:a@b.c", "tel:1", "ssh://127.0.0.1", "ms-word:x", "intent:x"]) location.href = u',
  ),
  scriptPage('reloading itself', 'location.reload()', ['rendered', 'render_navigations']),
  scriptPage('history.back, without a past', 'history.back(); history.go(-2)', ['rendered', 'render_navigations']),
  scriptPage(
    'a form that submits itself',
    'const f = document.createElement("form"); f.method = "post"; f.action = "https://elsewhere.test/"; document.body.append(f); f.submit()',
  ),
  {
    name: 'a meta refresh',
    html: '<meta http-equiv="refresh" content="0;url=https://elsewhere.test/">',
    outcomes: ['rendered'],
  },
  scriptPage(
    'a flood of history entries',
    'let i = 0; setInterval(() => { for (let k = 0; k < 100; k++) history.pushState(null, "", "/r" + i++) }, 1)',
    ['render_navigations', 'rendered', 'render_timeout'],
  ),
  scriptPage('a flood of hashes', 'let i = 0; setInterval(() => { location.hash = i++ }, 1)', [
    'render_navigations',
    'rendered',
    'render_timeout',
  ]),
  scriptPage(
    'a page that does not let go',
    'onbeforeunload = () => "stay"; onpagehide = () => { const e = Date.now() + 1e4; while (Date.now() < e); }',
    ['rendered'],
  ),
  scriptPage(
    'document.open after loading',
    'addEventListener("load", () => { document.open(); document.write("<p>rewritten</p>"); document.close() })',
  ),
  scriptPage(
    'permission prompts',
    'navigator.geolocation.getCurrentPosition(() => 0, () => 0); Notification?.requestPermission(); navigator.mediaDevices?.getUserMedia({ video: true, audio: true }).catch(() => 0); navigator.clipboard?.readText().catch(() => 0); navigator.requestMIDIAccess?.().catch(() => 0); navigator.bluetooth?.requestDevice({ acceptAllDevices: true }).catch(() => 0)',
  ),
  scriptPage(
    'fullscreen, pointer lock and vibration',
    'document.body.requestFullscreen?.().catch(() => 0); document.body.requestPointerLock?.(); navigator.vibrate?.(1e6)',
  ),
  scriptPage(
    'storage without end',
    'const s = "x".repeat(1e6); try { for (let i = 0; ; i++) localStorage.setItem(i, s) } catch {} caches.open("a").then(async (c) => { for (let i = 0; ; i++) await c.put("/" + i, new Response(new Uint8Array(2e6))) }).catch(() => 0)',
    ['rendered', 'render_storage', 'render_memory', 'render_cpu', 'render_timeout'],
  ),
  scriptPage(
    'databases without end',
    'const r = indexedDB.open("a"); r.onupgradeneeded = () => r.result.createObjectStore("s"); r.onsuccess = () => { let i = 0; const put = () => { const t = r.result.transaction("s", "readwrite"); t.objectStore("s").put(new Uint8Array(2e6).fill(i), i++); t.oncomplete = put }; put() }',
    ['rendered', 'render_storage', 'render_memory', 'render_cpu', 'render_timeout'],
  ),
  scriptPage(
    'downloads',
    'for (let i = 0; i < 20; i++) { const a = document.createElement("a"); a.download = "x.exe"; a.href = URL.createObjectURL(new Blob([new Uint8Array(1e5)])); a.click() }',
  ),
  {
    name: 'a download by a frame',
    html: '<!doctype html><iframe src="/file"></iframe>',
    files: { '/file': { body: 'x', headers: [['content-disposition', 'attachment; filename=x.exe']] } },
    outcomes: ['rendered'],
  },
  {
    name: 'frames inside themselves',
    html: '<!doctype html><iframe src="/frame?0"></iframe>',
    files: {
      '/frame':
        '<script>for (let i = 0; i < 3; i++) { const f = document.createElement("iframe"); f.src = "/frame?" + Math.random(); document.documentElement.append(f) }</script>',
    },
    outcomes: ['render_frames', 'render_requests'],
  },
  scriptPage(
    'a thousand blank frames',
    'for (let i = 0; i < 1000; i++) document.body.append(document.createElement("iframe"))',
    ['render_frames'],
  ),
  scriptPage(
    'requests without end',
    'let i = 0; setInterval(() => { for (let k = 0; k < 20; k++) fetch("/r" + i++).catch(() => 0) }, 1)',
    ['render_requests'],
  ),
  {
    name: 'a response that is too large',
    html: '<!doctype html><script src="/large.css.js"></script>',
    files: { '/large.css.js': `/*${'x'.repeat(11_000_000)}*/` },
    outcomes: ['render_response_size', 'script_blocked'],
  },
  {
    name: 'redirects in a circle',
    html: '<!doctype html><script src="/loop"></script><p>text</p>',
    files: { '/loop': { body: '', status: 302, headers: [['location', '/loop']] } },
    outcomes: ['rendered', 'render_requests'],
  },
  scriptPage(
    'a giant data URL',
    'const i = new Image(); i.src = "data:image/svg+xml," + encodeURIComponent("<svg xmlns=\'http://www.w3.org/2000/svg\'>" + "<g/>".repeat(1e6) + "</svg>"); document.body.append(i)',
    ['rendered', 'render_dom_size', 'render_memory', 'render_cpu', 'render_timeout'],
  ),
  scriptPage('a time bomb', 'setTimeout(() => { for (;;) {} }, 86_400_000); document.body.append("armed")'),
  scriptPage('an inline miner', 'new CoinHive.Anonymous("key").start()', ['script_blocked']),
  {
    name: 'a miner in a file',
    html: '<!doctype html><script src="/lib.js"></script>',
    files: { '/lib.js': 'const pool = "stratum+tcp://pool.test:3333"; connect(pool)' },
    outcomes: ['script_blocked'],
  },
  {
    name: 'a miner in WebAssembly',
    html: '<!doctype html><script>WebAssembly.instantiateStreaming(fetch("/m.wasm"))</script>',
    files: { '/m.wasm': '\0asm\u0001\0\0\0cryptonight_hash' },
    outcomes: ['script_blocked'],
  },
]

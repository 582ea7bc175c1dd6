// A site whose pages try everything an archived page could do to leave its frame, and a canary that must never be
// reached.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { CleanupContext } from '../../testing/program.ts'

export interface HostileSite {
  origin: string
  /** Requests that the site got so far. */
  requests: string[]
  canary: { origin: string; connections(): number }
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEUlEQVR4nGP4z8AAQRAKwgIAKe4F+w3m3ZEAAAAASUVORK5CYII=',
  'base64',
)

export async function serveHostileSite(t: CleanupContext, appOrigin: string): Promise<HostileSite> {
  let connections = 0
  const canary = createTcpServer((socket) => {
    connections += 1
    socket.destroy()
  })
  canary.listen(0, '127.0.0.1')
  await once(canary, 'listening')
  const bad = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
  const requests: string[] = []
  const pages: Record<string, [type: string, body: string | Buffer]> = {
    '/': ['text/html', hostilePage(bad, appOrigin)],
    '/next.html': ['text/html', '<title>Next</title><h1>Next page</h1><a href="/">Back</a>'],
    '/frame.html': ['text/html', `<title>Frame</title><p id=framed>framed</p><img src="${bad}/frame.png">`],
    '/style.css': ['text/css', `@import "more.css"; @import url(${bad}/a.css); body { background: url(${bad}/b.png) }`],
    '/more.css': ['text/css', 'h1 { color: rgb(1, 2, 3) } @font-face { font-family: x; src: url(/font.woff2) }'],
    '/image.png': ['image/png', PNG],
    '/evil.svg': ['image/svg+xml', svg(bad)],
    '/moved': ['', ''],
  }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    requests.push(path)
    const page = pages[path]
    if (path === '/moved') response.writeHead(301, { location: '/next.html' }).end()
    else if (page === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
    else response.writeHead(200, { 'content-type': page[0], link: `<${bad}/h.css>; rel=stylesheet` }).end(page[1])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    canary.close()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, requests, canary: { origin: bad, connections: () => connections } }
}

const svg = (bad: string) => `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  width="9" height="9" onload="fetch('${bad}/svg-load')"><script>fetch('${bad}/svg-script')</script>
  <image href="${bad}/svg.png" width="5" height="5"/><use xlink:href="${bad}/x.svg#a"/>
  <style>@import "${bad}/svg.css"; rect { fill: url(${bad}/p.svg#p) }</style><rect width="9" height="9"/>
  <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${bad}/f"></iframe></foreignObject></svg>`

/** The page ends without closing anything, like pages that try to be parsed in two ways. */
const hostilePage = (bad: string, app: string) => `<!doctype html><html manifest="${bad}/m"><head><title>Hostile</title>
<link rel="stylesheet" href="style.css"><link rel="stylesheet" href="${bad}/c.css">
<link rel="preconnect" href="${bad}"><link rel="dns-prefetch" href="${bad}"><link rel="prefetch" href="${bad}/p">
<link rel="preload" as="image" href="${bad}/p.png"><link rel="modulepreload" href="${bad}/m.js">
<link rel="icon" href="${bad}/i.ico"><link rel="manifest" href="${bad}/w.json"><link rel="prerender" href="${bad}/r">
<meta http-equiv="refresh" content="0;url=${bad}/refresh"><meta http-equiv="x-dns-prefetch-control" content="on">
<meta http-equiv="set-cookie" content="orbweaver_session=x"><meta http-equiv="content-security-policy" content="">
<script>document.title = 'ran'; fetch('${bad}/script'); top.location = '${bad}/top'; new WebSocket('ws://x')</script>
<script src="${bad}/s.js"></script><script type="module">import '${bad}/m.js'</script>
<style>@import "${bad}/i.css"; @font-face { font-family: y; src: url(${bad}/f.woff) } body { cursor: url(${bad}/c.cur), auto;
  background: image-set("${bad}/set.png" 1x) } body::after { content: url(${bad}/after.png); font-family: y }
  @namespace "${bad}/n"; p { b\\61 ckground: u\\72l(${bad}/escaped.png) }</style>
</head><body onload="fetch('${bad}/onload')" background="${bad}/bg.png"><h1>Hostile page</h1>
<img id="own" src="image.png" srcset="image.png 1x, ${bad}/2x.png 2x"><img src="${bad}/i.png" onerror="fetch('${bad}/e')">
<img src="evil.svg"><img id="gone" src="not-there.png"><picture><source srcset="${bad}/src.webp"><img src="image.png"></picture>
<video src="${bad}/v.mp4" poster="${bad}/poster.png" autoplay><track src="${bad}/t.vtt" default></video>
<audio src="${bad}/a.mp3" autoplay></audio><object data="${bad}/o"></object><embed src="${bad}/embed"><input type="image" src="${bad}/in.png">
<iframe id="inner" src="frame.html"></iframe><iframe src="${bad}/frame"></iframe><iframe src="javascript:top.location='${bad}/js'"></iframe>
<iframe srcdoc="<img src='${bad}/doc.png'><script>top.location='${bad}/doc'</script>"></iframe><iframe src="${app}/"></iframe>
<iframe src="data:text/html,<script>top.location='${bad}/data'</script>"></iframe><portal src="${bad}/portal"></portal>
<svg><image xlink:href="${bad}/svg.png"/><script xlink:href="${bad}/svg.js"/><a xlink:href="${bad}/a"><text>x</text></a>
<animate attributeName="href" values="${bad}/anim"/><style><img src="${bad}/mutation.png"></style></svg>
<math href="${bad}/math"><mtext></mtext></math><table background="${bad}/table.png"><td background="${bad}/td.png">c</table>
<form id="form" action="${app}/api/v1/session" method="post"><input name="a"><button id="send">Send</button></form>
<form action="${bad}/form" target="_top"><button id="leave" formaction="${bad}/formaction">Leave</button></form>
<p style="background: url(${bad}/style.png)">styled</p><img src="${app}/api/v1/crawls"><link rel="stylesheet" href="${app}/assets/x.css">
<a id="next" href="next.html" target="_top" ping="${bad}/ping">Next</a> <a id="moved" href="/moved" target="_blank">Moved</a>
<a id="missing" href="${bad}/live" target="_top" attributionsrc="${bad}/attr">Live</a> <a id="file" href="next.html" download="x">File</a>
<a id="js" href="javascript:top.location='${bad}/link'">Script</a> <a id="image" href="image.png">Image</a>
<a id="base" href="#h">Here</a><base href="${bad}/base/" target="_top"><noscript><img src="${bad}/noscript.png"></noscript>
<template><img src="${bad}/template.png"></template><img src="//${new URL(bad).host}/relative.png"><p id="h">end</p>
<!--[if IE]><img src="${bad}/ie.png"><![endif]--><noembed><img src="${bad}/noembed.png"></noembed><plaintext><img src="${bad}/plain.png">`

// Pages that try to reach an address by what browsers have added in the last years: headers that report or preload, APIs of
// advertising and identity, sockets, models. Much of it is fetched by the browser's own process, not by the page.

import { type Canaries, type HostilePage, scriptPage } from './hostile-page.ts'

const HINTS = [
  'preconnect',
  'dns-prefetch',
  'prefetch',
  'preload',
  'modulepreload',
  'prerender',
  'compression-dictionary',
]

export function recentEscapes({ tcpPort, udpPort }: Canaries): HostilePage[] {
  const origin = `http://127.0.0.1:${tcpPort}`
  const secure = `https://127.0.0.1:${tcpPort}`
  return [
    {
      name: 'headers that hint',
      html: '<!doctype html><p>text</p><script src="/hints.js"></script>',
      headers: HINTS.map((rel) => [
        'link',
        `<${origin}/${rel}>; rel=${rel}; as=script, <//${rel}.canary.test>; rel=${rel}`,
      ]),
      files: { '/hints.js': { body: '', headers: [['link', `<${origin}/late>; rel=preload; as=script`]] } },
      outcomes: ['rendered'],
    },
    {
      name: 'headers that report: CSP, NEL, Reporting-Endpoints, Report-To, COEP, Document-Policy',
      html: '<!doctype html><img src="https://blocked.test/x.png"><script>eval("1"); navigator.vibrate(1); new Image().src = "https://blocked.test/"; document.write("x")</script><p>text</p>',
      headers: [
        ['content-security-policy-report-only', `script-src 'none'; report-uri ${origin}/csp ${secure}/csp`],
        ['content-security-policy-report-only', "default-src 'none'; report-to r"],
        ['reporting-endpoints', `r="${secure}/reports", default="${secure}/default"`],
        ['report-to', JSON.stringify({ group: 'r', max_age: 1000, endpoints: [{ url: `${secure}/group` }] })],
        ['nel', JSON.stringify({ report_to: 'r', max_age: 1000, success_fraction: 1 })],
        ['cross-origin-embedder-policy-report-only', 'require-corp; report-to="r"'],
        ['document-policy-report-only', 'document-write=?0; report-to=r'],
        ['expect-ct', `max-age=1000, report-uri="${secure}/ct"`],
        ['integrity-policy-report-only', 'blocked-destinations=(script), endpoints=(r)'],
      ],
      outcomes: ['rendered'],
    },
    {
      name: 'policies in the document that report',
      html: `<!doctype html><meta http-equiv="content-security-policy" content="img-src 'none'; report-uri ${origin}/csp"><meta http-equiv="x-dns-prefetch-control" content="on"><img src="${origin}/x.png"><a href="http://anchor.canary.test/">x</a><p>text</p>`,
      outcomes: ['rendered'],
    },
    {
      name: 'headers that speculate, navigate, register or name a source map',
      html: `<!doctype html><p>text</p><script src="/mapped.js"></script><script>//# sourceMappingURL=${origin}/inline.map\n</script>`,
      headers: [
        ['speculation-rules', `"${origin}/rules.json"`],
        ['refresh', `0; url=${origin}/`],
        ['sourcemap', `${origin}/document.map`],
        ['attribution-reporting-register-source', JSON.stringify({ destination: secure, source_event_id: '1' })],
        ['secure-session-registration', `(ES256);path="${secure}/session";challenge="x"`],
        ['sec-session-registration', `(ES256);path="${secure}/session";challenge="x"`],
        ['use-as-dictionary', 'match="/*"'],
        ['observe-browsing-topics', '?1'],
        ['origin-trial', 'x'],
      ],
      files: {
        '/mapped.js': { body: `//# sourceMappingURL=${origin}/x.map`, headers: [['sourcemap', `${origin}/y.map`]] },
      },
      outcomes: ['rendered'],
    },
    scriptPage(
      'fetchLater, and requests while the page is left',
      `const late = (u) => { try { fetchLater(u, { activateAfter: 0 }); fetchLater(u, { method: "POST", body: "x" }) } catch {} }; late("${origin}/later"); late("${secure}/later"); for (const e of ["beforeunload", "visibilitychange", "pagehide", "unload"]) addEventListener(e, () => { late("${origin}/" + e); navigator.sendBeacon("${secure}/" + e); fetch("${origin}/" + e, { method: "POST", mode: "no-cors", keepalive: true, body: "x" }).catch(() => 0); new Image().src = "${origin}/" + e })`,
    ),
    {
      name: 'pings and attribution',
      html: `<!doctype html><a id="x" href="#y" ping="${origin}/ping ${secure}/ping" attributionsrc="${secure}/source">x</a><img src="/a.gif" attributionsrc="${secure}/source"><p>text</p><script>x.click(); new Image().attributionSrc = "${secure}/source"; fetch("${secure}/trigger", { keepalive: true, attributionReporting: { eventSourceEligible: true, triggerEligible: true } }).catch(() => 0); window.open("#z", "_self", "attributionsrc=${encodeURIComponent(secure)}")</script>`,
      outcomes: ['rendered'],
    },
    scriptPage(
      'shared storage, fenced frames and auctions',
      `const quiet = async (f) => { try { await f() } catch {} }; quiet(() => sharedStorage.createWorklet("${secure}/w.js", { dataOrigin: "script-origin" })); quiet(() => sharedStorage.selectURL("x", [{ url: "${secure}/u", reportingMetadata: { click: "${secure}/r" } }])); quiet(() => { const f = document.createElement("fencedframe"); f.config = new FencedFrameConfig("${secure}/f"); document.body.append(f) }); quiet(() => navigator.joinAdInterestGroup({ owner: "${secure}", name: "x", biddingLogicURL: "${secure}/b.js", updateURL: "${secure}/u", trustedBiddingSignalsURL: "${secure}/s", ads: [{ renderURL: "${secure}/ad" }] }, 1000)); quiet(() => navigator.updateAdInterestGroups()); quiet(() => navigator.runAdAuction({ seller: "${secure}", decisionLogicURL: "${secure}/d.js", interestGroupBuyers: ["${secure}"] })); quiet(() => document.browsingTopics())`,
    ),
    scriptPage(
      'private state tokens',
      `for (const operation of ["token-request", "token-redemption", "send-redemption-record"]) { try { fetch("${secure}/t", { privateToken: { version: 1, operation, issuers: ["${secure}"] } }).catch(() => 0) } catch {} } const f = document.createElement("iframe"); f.privateToken = JSON.stringify({ version: 1, operation: "token-request" }); f.src = "${secure}/frame"; document.body.append(f); document.hasPrivateToken?.("${secure}").catch(() => 0)`,
    ),
    scriptPage(
      'direct sockets, and requests to a named address space',
      `const quiet = (f) => { try { f() } catch {} }; quiet(() => new TCPSocket("127.0.0.1", ${tcpPort})); quiet(() => new UDPSocket({ remoteAddress: "127.0.0.1", remotePort: ${udpPort} })); quiet(() => new TCPServerSocket("::")); for (const targetAddressSpace of ["loopback", "local", "private"]) quiet(() => fetch("${origin}/", { mode: "no-cors", targetAddressSpace }).catch(() => 0)); quiet(() => new WebTransport("https://127.0.0.1:${udpPort}/", { allowPooling: false, requireUnreliable: true }).ready.catch(() => 0)); quiet(() => new WebSocketStream("wss://127.0.0.1:${tcpPort}/").opened.catch(() => 0))`,
    ),
    scriptPage(
      'identity: related origins, logins, payments with an icon',
      `const quiet = async (f) => { try { await f() } catch {} }; quiet(() => navigator.credentials.get({ publicKey: { rpId: "related.canary.test", challenge: new Uint8Array(32) } })); quiet(() => navigator.login.setStatus("logged-in")); quiet(() => IdentityProvider.getUserInfo({ configURL: "${secure}/c.json", clientId: "1" })); quiet(() => navigator.credentials.get({ digital: { requests: [{ protocol: "openid4vp", data: {} }] } })); quiet(() => new PaymentRequest([{ supportedMethods: "secure-payment-confirmation", data: { credentialIds: [new Uint8Array(8)], challenge: new Uint8Array(8), rpId: "site.test", instrument: { displayName: "x", icon: "${secure}/i.png" }, payeeOrigin: "${secure}" } }], { total: { label: "x", amount: { currency: "EUR", value: "1" } } }).canMakePayment()); quiet(() => navigator.install?.("${secure}/app")); quiet(() => new PresentationRequest(["${secure}/p"]).getAvailability())`,
    ),
    scriptPage(
      'models, speech, location and protected media',
      `const quiet = async (f) => { try { await f() } catch {} }; quiet(() => Translator.create({ sourceLanguage: "en", targetLanguage: "fr" })); quiet(() => LanguageModel.create()); quiet(() => Summarizer.create()); quiet(() => new webkitSpeechRecognition().start()); quiet(() => SpeechRecognition.install({ langs: ["en-US"] })); quiet(() => speechSynthesis.speak(new SpeechSynthesisUtterance("x"))); quiet(() => navigator.geolocation.getCurrentPosition(() => 0, () => 0)); quiet(() => navigator.requestMediaKeySystemAccess("com.widevine.alpha", [{ videoCapabilities: [{ contentType: 'video/mp4; codecs="avc1.42E01E"' }] }]).then((a) => a.createMediaKeys()))`,
    ),
    {
      name: 'styles, drawings and transformations that load',
      html: `<!doctype html><style>p { background: image-set(url("${origin}/s1") 1x); mask: url("${origin}/s2"); filter: url("${origin}/s3#f"); cursor: url("${origin}/s4"), auto; shape-outside: url("${origin}/s5"); list-style: url("${origin}/s6") } @namespace url("${origin}/n"); @import url("${origin}/l.css") layer(a)</style><svg><use href="${origin}/u#x"/><image href="${origin}/i"/><filter><feImage href="${origin}/fe"/></filter><animate attributeName="href" values="${origin}/a"/></svg><iframe src="/x.xml"></iframe><iframe srcdoc='<link rel=stylesheet href="${origin}/d.css"><base href="${origin}/"><img src=b>'></iframe><video src="${origin}/live.m3u8"></video><p>text</p>`,
      files: {
        '/x.xml': `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/x.xsl"?><!DOCTYPE x SYSTEM "${origin}/x.dtd" [<!ENTITY e SYSTEM "${origin}/e">]><x>&e;</x>`,
        '/x.xsl': `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="${origin}/i.xsl"/><xsl:template match="/"><p><xsl:copy-of select="document('${origin}/d.xml')"/></p></xsl:template></xsl:stylesheet>`,
      },
      outcomes: ['rendered'],
    },
  ]
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMs } from '../../../lib/testing/cpu-time.ts'
import { readHtml } from '../../parse/html-reader.ts'
import { TextProfiler } from '../../text/text-profiler.ts'
import { hasScripts, mayAddContent, needsScripts } from './needs-scripts.ts'

function isNeeded(text: string): boolean {
  const profiler = new TextProfiler()
  const html = readHtml(text, false, profiler)
  return needsScripts({ source: text, html, words: profiler.finish().wordCount })
}

const APP = '<script type="module" src="/app.js"></script>'
const words = (count: number) => 'word '.repeat(count)
const MENU = '<a href=/1>One</a> <a href=/2>Two</a>'

describe('a page needs scripts if', () => {
  const needed: Record<string, string> = {
    'it has hardly any words': `<title>Shell</title><div id=root></div>${APP}`,
    'it has no links': `<p>${words(100)}</p>${APP}`,
    'the root of its framework is empty': `${MENU}<p>${words(60)}<div id="__next"></div>${APP}`,
    'its root only says that it loads': `${MENU}<p>${words(60)}<div class=a id='app'> <!-- x --> Loading... </div>${APP}`,
    'its custom elements are empty': `${MENU}<p>${words(60)}<site-content class=x></site-content>${APP}`,
    'it asks for JavaScript': `${MENU}<p>${words(60)}<noscript>You need to enable JavaScript to run this app.</noscript>${APP}`,
    'it says that JavaScript is disabled': `${MENU}<p>${words(60)} JavaScript is disabled on your browser. Turn it on.${APP}`,
    'it is a page of Gatsby without content': `${MENU}<p>${words(60)}<noscript>This app works best with JavaScript enabled.</noscript><div id=___gatsby></div>${APP}`,
    'it says that JavaScript is required': `${MENU}<p>${words(60)} JavaScript is required here.${APP}`,
  }
  for (const [fact, html] of Object.entries(needed)) it(fact, () => assert.ok(isNeeded(html)))
})

describe('a page does not need scripts if', () => {
  const complete: Record<string, string> = {
    'it has none': '<p>Hello</p>',
    'they are data':
      '<p>Hello</p><script type="application/ld+json">{}</script><script type=application/json></script>',
    'it has many words': `${words(300)}<div id=root></div>${APP}`,
    'javadoc wrote its notice into it': `${MENU}<p>${words(60)}</p><noscript>\n<div>JavaScript is disabled on your browser.</div></noscript>${APP}`,
    'Gatsby wrote its notice into it': `<noscript>This site works best with JavaScript enabled.</noscript><div id=___gatsby>${MENU}<p>${words(60)}</p></div>${APP}`,
    'its root has content': `${MENU}<div id=root><p>${words(60)}</p></div>${APP}`,
    'it is a short page with links and an analytics script': `${MENU}<p>${words(30)}</p><script src=//stats.test/s.js></script>`,
  }
  for (const [fact, html] of Object.entries(complete)) it(fact, () => assert.ok(!isNeeded(html)))
})

it('a hostile page takes no time to decide', () => {
  const html = { links: [{ href: '/', kind: 'a' as const, rel: '', text: '' }] }
  const pieces = [
    '<script ',
    '<div id=',
    '<div ',
    '<a-a ',
    '<a-',
    '<div id=root>',
    '<div id=root>   ',
    '</script><script>',
    '>   ',
    '<!--',
    'javascript a ',
    'javascript disabled on your browser. ',
    'best with javascript ',
    'use ',
    ' ',
  ]
  for (const piece of pieces) {
    const text = `<script src=x></script>${piece.repeat(200_000 / piece.length - 10)}`
    const used = cpuMs(() => needsScripts({ source: text, html, words: 100 })) + cpuMs(() => mayAddContent(text))
    assert.ok(used < 300, `${piece}: ${used} ms`)
  }
})

it('a long hostile page without the end of a script takes linear time', () => {
  const page = '<script src=//www.googletagmanager.com/>'.repeat(49) + '<'.repeat(10_000_000)
  const once = cpuMs(() => assert.equal(page.includes('</script'), false))
  const used = cpuMs(() => assert.equal(mayAddContent(page), false))
  assert.ok(used < 100 + 10 * once, `${used} ms, one pass ${once} ms`)
})

describe('a complete page has scripts of its own', () => {
  const scripts: [html: string, isSampled: boolean][] = [
    ['', false],
    ['<script src=/menu.js></script>', true],
    ['<SCRIPT SRC="/menu.js"></SCRIPT>', true],
    ['<script src=/stats.js></script>', true],
    ['<script>window.app = { consent: true }</script>', true],
    ['<script type=speculationrules>{}</script>', false],
    ['<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>', false],
    ["<script>window.dataLayer = []; function gtag(){}; gtag('js')</script>", false],
    ['<script>var _paq = window._paq = []</script><script src=/menu.js></script>', true],
  ]
  for (const [html, isSampled] of scripts)
    it(`${isSampled ? 'with' : 'not with'} ${html === '' ? 'no script' : html}`, () => {
      assert.equal(hasScripts(`<p>${words(300)}</p>${html}`), isSampled)
    })
})

describe('a complete page shows a sign of gain', () => {
  const FILE = '<script src=/menu.js defer></script>'
  const signs: [html: string, isSign: boolean][] = [
    [FILE, false],
    [`${FILE}<div class="clear"></div><a id="top"></a><span id=x></span><div id=a>text</div>`, false],
    ['<ul id="list"></ul>', false],
    ['<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script><div id=a></div>', false],
    ['<script>window.settings = { theme: "dark" }</script><div id=a></div>', false],
    [`${FILE}<ul class=x id="list">\n</ul>`, true],
    [`${FILE}<site-menu></site-menu>`, true],
    [`${FILE}<p>Loading...</p>`, true],
    [`${FILE}<body ng-app="shop">`, true],
    ['<script src=/_next/static/chunks/main.js></script>', true],
    [APP, true],
    ['<script>list.insertAdjacentHTML("beforeend", items)</script>', true],
    ['<script>fetch("/items").then(show)</script>', true],
  ]
  for (const [html, isSign] of signs)
    it(`${isSign ? 'with' : 'not with'} ${html}`, () =>
      assert.equal(mayAddContent(`<p>${words(300)}</p>${html}`), isSign))
})

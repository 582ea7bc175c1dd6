import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ReplayLinks } from './replay-links.ts'
import { MAX_REPLAYED_LENGTH, rewriteHtml } from './rewrite-html.ts'

const PAGE = 'https://a.test/dir/page.html'
const rewrite = (html: string) => rewriteHtml(html, new ReplayLinks(PAGE, 5))
const page = (url: string) => `page?at=5&amp;url=${encodeURIComponent(url)}`
const part = (url: string) => `part?at=5&amp;url=${encodeURIComponent(url)}`

async function check(cases: Record<string, string>): Promise<void> {
  for (const [html, expected] of Object.entries(cases)) assert.equal(await rewrite(html), expected, html)
}

describe('a replayed page', () => {
  it('keeps its text and structure', async () => {
    const html = '<!DOCTYPE html><title>A &amp; B</title><p class="x">1 &lt; 2<br/></p>'
    assert.equal(await rewrite(html), html)
    assert.equal(
      await rewrite('<svg viewBox="0 0 1 1"><path d="M0"/></svg>'),
      '<svg viewbox="0 0 1 1"><path d="M0"/></svg>',
    )
  })

  it('has links to archived pages', () =>
    check({
      '<a href="b.html#c">': `<a href="${page('https://a.test/dir/b.html')}#c">`,
      '<a href="#c">': '<a href="#c">',
      '<a href="page.html#c">': '<a href="#c">',
      '<a href="//b.test/" target=_top ping=/p download>': `<a href="${page('https://b.test/')}">`,
      '<a href="javascript:alert(1)">': '<a>',
      '<a href="mailto:a@b.test">': '<a>',
      '<base href="/x/"><a href="y">': `<a href="${page('https://a.test/x/y')}">`,
      '<iframe src="f.html" srcdoc="<p>">x</iframe>': `<iframe src="${page('https://a.test/dir/f.html')}"></iframe>`,
    }))

  it('has links to archived routes', async () => {
    const route = `${PAGE}#/a`
    const ofRoute = (html: string) => rewriteHtml(html, new ReplayLinks(route, 5))
    assert.equal(await rewrite('<a href="page.html#/a">'), `<a href="${page(route)}">`)
    assert.equal(await ofRoute('<a href="page.html#!b">'), `<a href="${page(`${PAGE}#!b`)}">`)
    assert.equal(await ofRoute('<a href="#!b">'), `<a href="${page(`${PAGE}#!b`)}">`)
    assert.equal(await ofRoute('<a href="page.html">'), `<a href="${page(PAGE)}">`)
    assert.equal(await ofRoute('<a href="page.html#/a">'), '<a href="#/a">')
    assert.equal(await ofRoute('<a href="page.html#c">'), '<a href="#c">')
    assert.equal(await ofRoute('<img src="i.png#/a">'), `<img src="${part('https://a.test/dir/i.png')}">`)
  })

  it('has parts from the archive', () =>
    check({
      '<img src=i.png onerror=x() crossorigin>': `<img src="${part('https://a.test/dir/i.png')}">`,
      '<img srcset="a.png 1x, b.png 2x">': `<img srcset="${part('https://a.test/dir/a.png')} 1x, ${part('https://a.test/dir/b.png')} 2x">`,
      '<img src="data:image/gif;base64,AA">': '<img src="data:image/gif;base64,AA">',
      '<link rel="preload stylesheet" href=s.css integrity=x>': `<link rel="preload stylesheet" href="${part('https://a.test/dir/s.css')}">`,
      '<p style="background:url(i.png)">': `<p style="background:url(&quot;${part('https://a.test/dir/i.png')}&quot;)">`,
      '<style>p{background:url(i.png)}</style>': `<style>p{background:url("${part('https://a.test/dir/i.png').replace('&amp;', '&')}")}</style>`,
      '<svg><image xlink:href="i.png"/></svg>': `<svg><image xlink:href="${part('https://a.test/dir/i.png')}"/></svg>`,
    }))

  it('has nothing that acts', () =>
    check({
      '<script>a("<p>")</script>b': 'b',
      '<svg><script/>b</svg>': '<svg>b</svg>',
      '<meta http-equiv=refresh content="0;url=/x"><meta charset=latin1>': '',
      '<meta name=viewport content="width=1">': '<meta name="viewport" content="width=1">',
      '<link rel=preconnect href="//x"><link rel="dns-prefetch" href="//x">': '',
      '<form action="/x"><button formaction="/y">z</button></form>': '<button>z</button>',
      '<object data="x.swf"><p>fallback</p></object>': '<p>fallback</p>',
      '<noscript><img src="i.png"></noscript>': `<img src="${part('https://a.test/dir/i.png')}">`,
      '<body onload="x()" background="i.png">': `<body background="${part('https://a.test/dir/i.png')}">`,
    }))

  it('is given up if it is too long, or a tag has too many attributes', async () => {
    assert.equal(await rewrite('a'.repeat(MAX_REPLAYED_LENGTH + 1)), null)
    const many = Array.from({ length: 5000 }, (_, i) => `a${i}`).join(' ')
    assert.equal(await rewrite(`<p ${many}>`), null)
  })

  it('may be nested as deeply as it likes', async () => {
    const html = '<b>'.repeat(100_000)
    assert.equal(await rewrite(html), html)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseTree } from '../../parse/bounded-tree.ts'
import { readStructuredData } from './read-structured-data.ts'

/** Null also if the page is too large or too deeply nested for a tree. */
function read(html: string) {
  const document = parseTree(html, { withPlaces: false })
  return document === null ? null : readStructuredData(document, html, 'http://site.test/dir/page')
}

/** Records of pages have no prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('structured data', () => {
  it('of a page without any is null', () => {
    assert.equal(read('<p>text<table><tr><td>one</table><meta name=author content=x>'), null)
  })

  it('has JSON-LD as it is, and names blocks that are broken', () => {
    const data = read(`<script type="application/ld+json">{"@type": "Article", "n": [1, {"a": null}]}</script>
      <script type='application/LD+json; charset=utf-8'><!-- {"@type":"B"} --></script>
      <script type="application/ld+json">{"broken": </script><script>{"@type":"not this"}</script>`)
    assert.deepEqual(data?.json_ld, [{ '@type': 'Article', n: [1, { a: null }] }, { '@type': 'B' }])
    assert.deepEqual(data?.problems, ['A block of JSON-LD is not valid JSON.'])
  })

  it('has microdata by the algorithm of HTML', () => {
    const data =
      read(`<div itemscope itemtype="https://schema.org/Product https://schema.org/Thing" itemid="/p/1" itemref="more">
      <b itemprop="name label">Lamp <i>A</i></b><img itemprop=image src=a.png><meta itemprop=sku content=X1>
      <div itemprop=offers itemscope itemtype="https://schema.org/Offer"><data itemprop=price value=9.5>cheap</data>
        <time itemprop=until datetime=2026-12-01>soon</time></div><p>not a property</p></div>
      <div id=more><a itemprop=url href="../x">x</a></div><p itemprop=stray>stray</p>`)
    assert.deepEqual(plain(data?.microdata), [
      {
        type: ['https://schema.org/Product', 'https://schema.org/Thing'],
        id: 'http://site.test/p/1',
        properties: {
          name: ['Lamp A'],
          label: ['Lamp A'],
          image: ['http://site.test/dir/a.png'],
          sku: ['X1'],
          offers: [{ type: ['https://schema.org/Offer'], properties: { price: ['9.5'], until: ['2026-12-01'] } }],
          url: ['http://site.test/x'],
        },
      },
    ])
  })

  it('ends at items that refer to themselves', () => {
    const data = read(`<div itemscope id=a itemref="b a"><p itemprop=x>1</p></div>
      <div id=b itemprop=y itemscope itemref="a b"><p itemprop=z>2</p></div>`)
    assert.equal(data?.microdata.length, 1)
    assert.deepEqual(plain(data?.microdata[0]?.properties['x']), ['1'])
  })

  it('has RDFa Lite with names as IRIs', () => {
    const data = read(`<div vocab="http://schema.org/" typeof="Person" resource="#me" prefix="ex: http://ex.test/v#">
      <span property="name">Ada</span><a property="url" href="/ada">home</a><meta property="ex:age" content="36">
      <div property="address" typeof="PostalAddress"><span property="addressLocality">London</span></div>
      <span property="foaf:nick">al</span></div><p property="name">of no item</p>`)
    assert.deepEqual(plain(data?.rdfa), [
      {
        type: ['http://schema.org/Person'],
        id: 'http://site.test/dir/page#me',
        properties: {
          'http://schema.org/name': ['Ada'],
          'http://schema.org/url': ['http://site.test/ada'],
          'http://ex.test/v#age': ['36'],
          'http://schema.org/address': [
            {
              type: ['http://schema.org/PostalAddress'],
              properties: { 'http://schema.org/addressLocality': ['London'] },
            },
          ],
          'http://xmlns.com/foaf/0.1/nick': ['al'],
        },
      },
    ])
  })

  it('has Open Graph, Twitter cards and feeds', () => {
    const data =
      read(`<meta property="og:title" content=" A "><meta property="og:image" content="1"><meta property="og:image" content="2">
      <meta name="Twitter:Card" content="summary"><meta property="__proto__" content="x"><meta name="og:type" content=website>
      <link rel="ALTERNATE home" type="application/rss+xml" href="/feed" title="News"><link rel=alternate hreflang=de href=/de>`)
    assert.deepEqual(plain(data?.open_graph), { 'og:title': ['A'], 'og:image': ['1', '2'], 'og:type': ['website'] })
    assert.deepEqual(plain(data?.twitter), { 'twitter:card': ['summary'] })
    assert.deepEqual(data?.feeds, [{ url: 'http://site.test/feed', type: 'application/rss+xml', title: 'News' }])
  })

  it('has tables with cells that span others repeated', () => {
    const data = read(`<table><caption>Prices</caption><tr><th>Name<th colspan=2>Price</tr>
      <tr><td rowspan=2>Lamp<td>9<td>EUR</tr><tr><td>10<td>USD</tr></table>
      <table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>
      <table><tr><td><table><tr><td>1<td>2<tr><td>3<td>4</table><td>x<tr><td>y<td>z</table>`)
    assert.deepEqual(data?.tables, [
      {
        caption: 'Prices',
        headers: ['Name', 'Price', 'Price'],
        rows: [
          ['Lamp', '9', 'EUR'],
          ['Lamp', '10', 'USD'],
        ],
      },
      {
        caption: null,
        headers: [],
        rows: [
          ['1', '2'],
          ['3', '4'],
        ],
      },
    ])
  })

  it('has an item with several names under each of them', () => {
    const data = read('<div itemscope><p itemscope itemprop="author creator"><b itemprop=name>Ada</b></p></div>')
    const person = { type: [], properties: { name: ['Ada'] } }
    assert.deepEqual(plain(data?.microdata), [{ type: [], properties: { author: [person], creator: [person] } }])
  })

  it('is bounded in size and time for hostile pages', () => {
    const refs = Array.from({ length: 300 }, (_, i) => `r${i}`)
    const pages = [
      `<script type="application/ld+json">${'['.repeat(90_000)}${']'.repeat(90_000)}</script>`,
      `<script type="application/ld+json">"${'x'.repeat(500_000)}"</script>`,
      `<div itemscope><b itemprop=x>${'y'.repeat(100_000)}</b></div>`.repeat(30),
      `<div itemscope itemref="${refs.join(' ')}"></div>`.repeat(300) +
        refs.map((id) => `<div id=${id} itemprop=${id}>${'<i>x'.repeat(50)}</div>`).join(''),
      '<div itemscope itemprop=a>'.repeat(200) + '<div itemscope>'.repeat(200),
      `${'<div typeof=a property=b>'.repeat(400)}x`,
      `<table>${`<tr>${'<td rowspan=1000 colspan=100>x'.repeat(50)}`.repeat(100)}</table>`,
      `<table>${`<tr>${'<td>x'.repeat(99)}`.repeat(1000)}</table>`.repeat(20),
      Array.from({ length: 5000 }, (_, i) => `<meta property="og:p${i}" content=x>`).join(''),
      '<div typeof=x prefix="a: b">'.repeat(100) + '<i property=a:c>'.repeat(300),
      `<div typeof=x prefix="${'a'.repeat(1_000_000)}">`,
      `<div itemscope>${'<div itemscope itemprop="a b c d e f g h">'.repeat(15)}x`,
      `<div typeof=x>${'<div typeof=x property="a b c d e f g h">'.repeat(15)}x`,
      `<div itemscope>${Array.from({ length: 60_000 }, (_, i) => `<p itemprop=${i.toString(36)}>`).join('')}`,
      `<div itemscope itemid="${'x'.repeat(1_000_000)}"></div><div typeof=x resource="${'x'.repeat(1_000_000)}">`,
      `<table><tr>${'<td rowspan=1000>'.repeat(100)}${'<tr>'.repeat(999)}</table>`.repeat(40),
    ]
    const before = process.cpuUsage()
    for (const page of pages) {
      const json = JSON.stringify(read(page))
      assert.ok(json.length < 600_000, `${json.length} characters for ${page.slice(0, 40)}`)
    }
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 30_000_000, `${(user + system) / 1000} ms of CPU`)
  })
})

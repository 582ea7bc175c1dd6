import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { locsOf, readBothWays } from './testing/read-both-ways.ts'

function rss(item: string): string {
  return `<rss version="2.0"><channel><link>/site</link><atom:link href="/self"/><image><url>/x</url><link>/y</link></image>
    <item>${item}</item></channel></rss>`
}

function atom(entry: string): string {
  return `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/site"/><updated>2020</updated><entry>${entry}</entry></feed>`
}

describe('RSS', () => {
  it('yields the links of its items, with their dates', () => {
    const { kind, entries } = readBothWays(
      rss('<title>A</title><link>/a</link><pubDate>Fri, 17 May 2024 12:30:45 GMT</pubDate>'),
    )
    assert.equal(kind, 'feed')
    const lastmod = Date.parse('2024-05-17T12:30:45Z')
    assert.deepEqual(entries, [{ loc: '/a', lastmod, changefreq: null, priority: null }])
  })

  const ITEMS: readonly [fact: string, item: string, locs: string[]][] = [
    ['a guid instead of a link', '<guid>https://example.com/a</guid>', ['https://example.com/a']],
    ['a guid declared as a link', '<guid isPermaLink="true">https://example.com/a</guid>', ['https://example.com/a']],
    ['a guid declared as no link', `<guid isPermaLink = 'False'>https://example.com/a</guid>`, []],
    ['a guid that is a number', '<guid>1234</guid>', []],
    ['a link and a guid', '<guid>https://example.com/a</guid><link>/b</link>', ['/b']],
    ['two links', '<link>/a</link><link>/b</link>', ['/a']],
    ['links of other vocabularies', '<atom:link href="/x"/><media:link>/y</media:link><link>/a</link>', ['/a']],
    ['a link inside another element', '<source><link>/x</link></source><link>/a</link>', ['/a']],
    ['tags in a description', '<description><![CDATA[<link>/x</link></item>]]></description><link>/a</link>', ['/a']],
    ['no link', '<title>A</title>', []],
  ]
  for (const [fact, item, locs] of ITEMS) {
    it(`of an item with ${fact} yields ${locs.join() || 'nothing'}`, () => {
      assert.deepEqual(locsOf(rss(item)), locs)
    })
  }

  it('1.0 has its items next to the channel', () => {
    const channel = '<channel rdf:about="/"><link>/site</link></channel>'
    assert.deepEqual(locsOf(`<rdf:RDF>${channel}<item rdf:about="/x"><link>/a</link></item></rdf:RDF>`), ['/a'])
  })
})

describe('Atom', () => {
  it('yields the links of its entries, with their dates', () => {
    const { kind, entries } = readBothWays(
      atom('<link href="/a?x=1&amp;y=2"/><published>2023</published><updated>2024</updated>'),
    )
    assert.equal(kind, 'feed')
    assert.deepEqual(entries, [{ loc: '/a?x=1&y=2', lastmod: Date.UTC(2024), changefreq: null, priority: null }])
  })

  const ENTRIES: readonly [fact: string, entry: string, locs: string[]][] = [
    ['an alternate link', `<link rel='alternate' type="text/html" href='/a'></link>`, ['/a']],
    ['other links before', '<link rel="self" href="/x"/><link rel="edit" href="/y"/><link HREF=" /a "/>', ['/a']],
    ['only other links', '<link rel="enclosure" href="/x"/>', []],
    ['two links', '<link href="/a"/><link href="/b"/>', ['/a']],
    ['a link without quotes', '<link rel=alternate href=/a/>', ['/a']],
    ['a link in its source', '<source><link href="/x"/></source><link href="/a"/>', ['/a']],
    ['a link in its content', '<content type="xhtml"><div><link href="/x"/></div></content>', []],
    ['names in a value', '<link title="href=/x" data-href="/y" href="/a"/>', ['/a']],
    ['no value', '<link href/><link href= ><link =href /><link href="/a', []],
  ]
  for (const [fact, entry, locs] of ENTRIES) {
    it(`of an entry with ${fact} yields ${locs.join() || 'nothing'}`, () => {
      assert.deepEqual(locsOf(atom(entry)), locs)
    })
  }

  it('falls back to the date of publication', () => {
    assert.equal(readBothWays(atom('<link href="/a"/><published>2023</published>')).entries[0]?.lastmod, Date.UTC(2023))
  })

  it('may have a prefix', () => {
    assert.deepEqual(locsOf('<a:feed><a:entry><link href="/x"/><a:link href="/a"/></a:entry></a:feed>'), ['/a'])
  })
})

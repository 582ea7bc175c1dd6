import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readFeed } from '../feed/feed-reader.ts'

const read = (xml: string, contentType = 'application/xml') => readFeed(Buffer.from(xml), { contentType })

it('RSS yields its title, language and description, and the link, title and text of each item', () => {
  const feed = read(`<?xml version="1.0"?><rss version="2.0"><channel>
    <title>News &amp; more</title><link>https://a.test/</link><description>All of it</description>
    <language>en</language><category>x</category><category>y</category>
    <image><title>Logo</title><link>https://a.test/logo</link></image>
    <item><title>One</title><link> https://a.test/1 </link>
      <description><![CDATA[<p>Some <b>bold</b> text</p><p>More</p>]]></description></item>
    <item><title><![CDATA[Two & a half]]></title><guid>https://a.test/2</guid>
      <description>short</description><content:encoded>&lt;p&gt;The whole&lt;/p&gt;</content:encoded></item>
    <item><title>Three</title><guid isPermaLink="false">https://a.test/3</guid><media:title>no</media:title></item>
    </channel></rss>`)
  assert.deepEqual(feed, {
    title: 'News & more',
    description: 'All of it',
    keywords: 'x, y',
    author: '',
    lang: 'en',
    text: 'One\nSome bold text\nMore\nTwo & a half\nThe whole\nThree',
    links: [
      { href: 'https://a.test/', rel: '', text: 'News & more' },
      { href: 'https://a.test/1', rel: '', text: 'One' },
      { href: 'https://a.test/2', rel: '', text: 'Two & a half' },
    ],
    pages: null,
    problem: null,
  })
})

it('Atom yields every link with its rel, and text according to its type', () => {
  const feed = read(`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>a &lt; b</title>
    <subtitle type="html">&lt;i&gt;c&lt;/i&gt;</subtitle><link rel="self" href="/feed"/><category term="z"/>
    <author><name>Ann</name></author>
    <entry><title type="html">&lt;b&gt;One&lt;/b&gt;</title><link href="/1"/><link rel="Enclosure" href="/1.mp3"/>
      <summary>s</summary><content type="xhtml"><div>first <p>second</p></div></content></entry>
    <entry><link rel="alternate" href="/2"></link><summary>only this</summary></entry></feed>`)
  assert.deepEqual([feed.title, feed.description, feed.keywords, feed.lang], ['a < b', 'c', 'z', 'de'])
  assert.equal(feed.text, 'One\nfirst second\nonly this')
  assert.deepEqual(feed.links, [
    { href: '/feed', rel: 'self', text: 'a < b' },
    { href: '/1', rel: '', text: 'One' },
    { href: '/1.mp3', rel: 'enclosure', text: 'One' },
    { href: '/2', rel: 'alternate', text: '' },
  ])
})

it('RSS 1.0 and prefixed Atom are read like the others', () => {
  const rdf = read(`<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><title>a</title>
    <items><rdf:Seq><rdf:li resource="y"/></rdf:Seq></items></channel><item><title>b</title><link>c</link></item></rdf:RDF>`)
  assert.deepEqual([rdf.title, rdf.text, rdf.links], ['a', 'b', [{ href: 'c', rel: '', text: 'b' }]])
  const atom = read('<a:feed><a:title>a</a:title><a:entry><a:title>b</a:title><a:link href="c"/></a:entry></a:feed>')
  assert.deepEqual([atom.title, atom.text, atom.links], ['a', 'b', [{ href: 'c', rel: '', text: 'b' }]])
})

it('a feed is read in its own character set', () => {
  const xml = '<?xml version="1.0" encoding="iso-8859-1"?><rss><channel><title>caf\xe9</title></channel></rss>'
  assert.equal(readFeed(Buffer.from(xml, 'latin1'), { contentType: 'text/xml' }).title, 'café')
})

it('a truncated or broken feed yields what it has', () => {
  const { text, links } = read('<rss><channel><item><title>a<item><link>b</link><title>c & d</title><description>e')
  assert.deepEqual([text, links], ['a\nc & d\ne', [{ href: 'b', rel: '', text: 'c & d' }]])
  assert.deepEqual(read('not a feed').links, [])
})

it('a text that is too long is replaced by the summary', () => {
  const long = 'word '.repeat(10_000)
  assert.equal(read(`<rss><item><description>s</description><content:encoded>${long}`).text, 's')
})

it('any markup is accepted', () => {
  const parts = [
    '<rss>',
    '<feed>',
    '<item>',
    '</item>',
    '<entry/>',
    '<title>',
    '</title>',
    '<link href=a>',
    '<link>',
    '&',
  ]
  const feeds = fc.array(fc.constantFrom(...parts, '<![CDATA[', ']]>', '<!--', '-->', 'x', '<', '>', '<guid>', '<b>'))
  fc.assert(fc.property(feeds, (pieces) => assert.equal(read(pieces.join('')).problem, null)))
})

it('the page of an item has the time of its last change, other links have none', () => {
  const { links: rss } = read(`<rss><channel><link>/</link><pubDate>Tue, 17 Nov 2026 11:00:00 GMT</pubDate>
    <item><link>/1</link><pubDate>Tue, 17 Nov 2026 10:00:00 GMT</pubDate></item>
    <item><link>/2</link><dc:date>2026-11-16T10:00:00Z</dc:date></item>
    <item><link>/3</link><pubDate>soon</pubDate></item></channel></rss>`)
  assert.deepEqual(
    rss.map(({ href, modifiedAt }) => [href, modifiedAt]),
    [
      ['/', undefined],
      ['/1', Date.UTC(2026, 10, 17, 10)],
      ['/2', Date.UTC(2026, 10, 16, 10)],
      ['/3', undefined],
    ],
  )
  const { links: atom } = read(`<feed><entry><link href="/1"/><link rel="replies" href="/1/comments"/>
    <published>2026-11-01T00:00:00Z</published><updated>2026-11-17T10:00:00Z</updated></entry></feed>`)
  assert.deepEqual(
    atom.map(({ href, modifiedAt }) => [href, modifiedAt]),
    [
      ['/1', Date.UTC(2026, 10, 17, 10)],
      ['/1/comments', undefined],
    ],
  )
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readHtml } from '../../engine/parse/html-reader.ts'
import { AnchorTextCollector } from './anchor-texts.ts'

const of = (texts: AnchorTextCollector, html: string, url = 'http://a.test/x') =>
  texts.collect(readHtml(html, true), url)
const links = (count: number) => Array.from({ length: count }, (_, i) => `<a href="/${i}">Link ${i}</a>`).join('')

it('only the first links of a page count, including those already seen', () => {
  const texts = new AnchorTextCollector()
  assert.equal(of(texts, links(500)).length, 300)
  assert.deepEqual(of(texts, links(500)), [])
  texts.clear()
  assert.equal(of(texts, links(500)).length, 300)
})

it('a link to its own page is skipped, but not on other pages', () => {
  const texts = new AnchorTextCollector()
  const html = '<a href="/">Home</a>'
  assert.deepEqual(of(texts, html, 'http://a.test/'), [])
  assert.deepEqual(of(texts, html, 'http://a.test/x'), [{ url: 'http://a.test/', text: 'Home' }])
  assert.deepEqual(of(texts, html, 'http://a.test/y'), [])
})

it('the same link counts for each page it leads to', () => {
  const texts = new AnchorTextCollector()
  const html = '<a href="/">Home</a><a href="http-basics">Basics</a>'
  const urls = ['http://a.test/x/', 'https://a.test/x/', 'http://a.test/y/'].map((url) => of(texts, html, url))
  assert.deepEqual(
    urls.map((said) => said.map(({ url }) => url)),
    [
      ['http://a.test/', 'http://a.test/x/http-basics'],
      ['https://a.test/', 'https://a.test/x/http-basics'],
      ['http://a.test/y/http-basics'],
    ],
  )
})

it('a relative link that a folder repeats is collected once, and for its own page from the others', () => {
  const texts = new AnchorTextCollector()
  const html = '<a href="one.html">One</a><a href="../two.html">Two</a><a href="?page=2">More</a>'
  const collected = ['http://a.test/x/one.html', 'http://a.test/x/two.html?q=a/b', 'http://a.test/x/y/one.html'].map(
    (url) => of(texts, html, url).map((anchor) => anchor.url),
  )
  assert.deepEqual(collected, [
    ['http://a.test/two.html', 'http://a.test/x/one.html?page=2'],
    ['http://a.test/x/one.html', 'http://a.test/x/two.html?page=2'],
    ['http://a.test/x/two.html', 'http://a.test/x/y/one.html?page=2'],
  ])
})

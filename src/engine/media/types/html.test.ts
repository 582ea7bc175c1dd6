import assert from 'node:assert/strict'
import { it } from 'node:test'
import { NO_CONTENT } from '../content-type.ts'
import { HTML } from './html.ts'
import { SITEMAP } from './sitemap.ts'
import { XHTML } from './xhtml.ts'

const CONTEXT = { url: 'https://a.test/b/', contentType: '', readDocument: async () => NO_CONTENT }

it('HTML yields its metadata, its text and its links', () => {
  const head = '<html lang=en><title>T</title><meta name=description content=D><meta name=keywords content=K>'
  assert.deepEqual(HTML.extract(Buffer.from(`${head}<p>one <a href=c rel=NoFollow>two</a>`), CONTEXT), {
    ...NO_CONTENT,
    title: 'T',
    description: 'D',
    keywords: 'K',
    lang: 'en',
    text: 'one two',
    links: [{ href: 'c', rel: 'nofollow', text: 'two' }],
  })
})

it('links under a base element are made absolute', () => {
  const { links } = HTML.extract(Buffer.from('<base href=/d/><a href=c>x</a><a href="http://[">y</a>'), CONTEXT)
  assert.deepEqual(
    links.map(({ href }) => href),
    ['https://a.test/d/c', 'http://['],
  )
})

it('an empty element of XHTML does not swallow what follows', () => {
  const page = '<html><head><title/><script src="a" /></head><body><p>text</p><script/><a href="b">c</a></body></html>'
  const { text, links } = XHTML.extract(Buffer.from(page), CONTEXT)
  assert.deepEqual([text, links], ['text\nc', [{ href: 'b', rel: '', text: 'c' }]])
})

it('a sitemap yields its URLs', () => {
  const sitemap = '<urlset><url><loc>https://a.test/1</loc></url><url><loc>https://a.test/2</loc></url></urlset>'
  assert.deepEqual(SITEMAP.extract(Buffer.from(sitemap)), {
    ...NO_CONTENT,
    links: [
      { href: 'https://a.test/1', rel: '', text: '' },
      { href: 'https://a.test/2', rel: '', text: '' },
    ],
  })
})

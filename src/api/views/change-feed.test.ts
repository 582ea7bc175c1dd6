import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readXml } from '../../engine/xml/read-xml.ts'
import type { PublishedChange } from '../../ports/changes.ts'
import { TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { toAtomFeed } from './change-feed.ts'

const CRAWL: Crawl = {
  id: 'c1',
  status: 'watching',
  reason: null,
  rootUrl: 'https://a.test/?a=1&b=2',
  requestedUrl: 'https://a.test/?a=1&b=2',
  seeds: [],
  settings: TEST_SETTINGS,
  keySeed: 1,
  createdAt: 1000,
  finishedAt: null,
  statusAt: 1000,
  activeMs: 0,
}
const CHANGE: PublishedChange = {
  id: 7,
  crawlId: 'c1',
  urlId: 1,
  url: 'https://a.test/',
  kind: 'changed',
  at: 5000,
  pageId: 2,
  previousPageId: 1,
  facts: {},
  isRepeated: null,
  title: 'Title',
  cursor: 3,
  publishedAt: 6000,
  wordsAdded: 1,
  wordsRemoved: 2,
  summary: 'More',
}

/** Texts of elements by name, and the names of open elements at the end. */
function parse(xml: string) {
  const texts: [name: string, text: string][] = []
  const open: string[] = []
  readXml(Buffer.from(xml), {
    onTag(tag) {
      if (tag.isEnd) assert.equal(open.pop(), tag.name)
      else if (!tag.isSelfClosing) open.push(tag.name)
    },
    onText: (text) => void texts.push([open.at(-1) ?? '', text]),
  })
  return { texts, open }
}

it('an entry has a stable id, its time, and says what changed', () => {
  const { texts, open } = parse(toAtomFeed(CRAWL, [CHANGE], 'http://127.0.0.1:8080'))
  const inside = texts.filter(([, text]) => text.trim() !== '').map(([name, text]) => `${name}: ${text}`)
  assert.deepEqual(open, [])
  assert.deepEqual(inside, [
    'id: tag:orbweaver.invalid,2026:crawl/c1/changes',
    'title: Changes on https://a.test/?a=1&b=2',
    'updated: 1970-01-01T00:00:06.000Z',
    'name: Orbweaver',
    'id: tag:orbweaver.invalid,2026:crawl/c1/change/7',
    'title: Changed: Title',
    'updated: 1970-01-01T00:00:06.000Z',
    'summary: More\n1 word added, 2 words removed.',
  ])
})

it('whatever a page is called, the feed is well-formed', () => {
  const text = fc.string({
    unit: fc.constantFrom('<', '&', '"', "'", ']]>', '\u0000', '\ud800', '\ufffe', 'é', 'a', '\n'),
  })
  fc.assert(
    fc.property(text, text, text, (title, summary, path) => {
      const url = `https://a.test/${path}`
      const xml = toAtomFeed({ ...CRAWL, rootUrl: url }, [{ ...CHANGE, title, summary, url }], 'http://127.0.0.1:8080')
      assert.ok(xml.isWellFormed())
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not occur.
      assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
      assert.deepEqual(parse(xml).open, [])
    }),
  )
})

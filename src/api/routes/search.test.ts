import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { makeDocument, NOW, toPageResults } from '../../ports/contracts/testing/test-index.ts'
import type { IndexDocument } from '../../ports/search.ts'
import { openForWriting } from '../../search/sqlite/open.ts'
import { SqliteIndex } from '../../search/sqlite/read/sqlite-index.ts'
import { SqliteFeed } from '../../search/sqlite/write/feed.ts'
import { searchRoutes } from '../contract/search.ts'
import type { ApiDependencies, Caller } from '../handlers.ts'
import { searchHandlers } from './search.ts'

const CALLER = { scope: 'read', tokenId: null, signal: new AbortController().signal, requestId: 'r' } as Caller

const DOCUMENTS: IndexDocument[] = [
  makeDocument(1, {
    title: 'Apples <b>red</b>',
    text: 'Every apple is <i>red</i>.',
    words: ['apples', 'red'],
    terms: { title: 'appl red', body: 'everi appl is red' },
  }),
  makeDocument(2, {
    title: 'Pears',
    text: 'A pear & an apple.',
    words: ['pears'],
    terms: { title: 'pear', body: 'a pear an appl' },
  }),
  ...[3, 4, 5].map((n) => makeDocument(n, { terms: { body: 'noth here' } })),
]

async function makeHandlers(t: TestContext, documents: IndexDocument[] | null) {
  const clock = new ManualClock(NOW)
  const crawls = {
    async find(id: string) {
      if (id !== DOCUMENTS[0]?.crawlId) throw new AppError('CRAWL_NOT_FOUND', 'no such crawl')
      return { id }
    },
  }
  let search: SqliteIndex | null = null
  if (documents !== null) {
    const dir = mkdtempSync(join(tmpdir(), 'orbweaver-api-search-'))
    const db = openForWriting(dir)
    t.after(() => {
      db.close()
      rmSync(dir, { recursive: true })
    })
    const pages = {
      listAfter: async () => [],
      retentionOf: async () => [],
      history: async () => [],
      newestId: async () => 0,
    }
    await new SqliteFeed({ db, pages, clock }).finish('1', { pages: toPageResults(documents), anchors: [] })
    search = new SqliteIndex(db, () => clock.now())
  }
  return searchHandlers({
    clock,
    crawls,
    search,
    pages: { newestId: async () => 3 },
    config: { synonyms: null },
  } as unknown as ApiDependencies)
}

const searchInput = (query: Record<string, string>) => ({ query: searchRoutes.search.query.parse(query) }) as never

describe('the search route', () => {
  it('responds as in its contract, with markup as plain text', async (t) => {
    const { search } = await makeHandlers(t, DOCUMENTS)
    const response = await search(searchInput({ q: 'apples', explain: 'true', facets: 'true' }), CALLER)
    assert.deepEqual(searchRoutes.search.response.parse(response), response)
    const [first, second] = response.results
    assert.deepEqual([first?.title, first?.snippet], ['Apples <b>red</b>', 'Every apple is <i>red</i>.'])
    assert.deepEqual(
      [first?.title_html, first?.snippet_html],
      ['<mark>Apples</mark> &lt;b&gt;red&lt;/b&gt;', 'Every <mark>apple</mark> is &lt;i&gt;red&lt;/i&gt;.'],
    )
    assert.deepEqual([first?.title_highlights, first?.highlights], [[[0, 6]], [[6, 11]]])
    assert.deepEqual([second?.page_id, Object.keys(second?.explanation?.fields ?? {})], [2, ['body']])
    assert.deepEqual([response.total, response.facets?.lang], [2, [{ key: 'en', count: 2 }]])
  })

  it('continues from a cursor and rejects invalid ones', async (t) => {
    const { search } = await makeHandlers(t, DOCUMENTS)
    const first = await search(searchInput({ q: 'apple', limit: '1' }), CALLER)
    assert.equal(first.results.length, 1)
    const second = await search(searchInput({ q: 'apple', limit: '1', cursor: first.next_cursor ?? '' }), CALLER)
    assert.deepEqual([second.results[0]?.page_id, second.next_cursor], [2, null])
    for (const cursor of ['x', Buffer.from('[-1]').toString('base64url'), Buffer.from('[1e9]').toString('base64url')]) {
      await assert.rejects(search(searchInput({ q: 'apple', cursor }), CALLER), { code: 'BAD_CURSOR' })
    }
  })

  it('reports how a query was interpreted, suggestions and unknown crawls', async (t) => {
    const { search } = await makeHandlers(t, DOCUMENTS)
    assert.match((await search(searchInput({ q: '(apple' }), CALLER)).note ?? '', /plain words/)
    assert.equal((await search(searchInput({ q: 'aplpes' }), CALLER)).did_you_mean, 'apples')
    const some = await search(searchInput({ q: 'apple zebra' }), CALLER)
    assert.deepEqual([some.total, some.note], [2, 'No page contains all the words; these contain some of them.'])
    const lost = await search(searchInput({ q: 'apple', crawl: 'nobody' }), CALLER)
    assert.deepEqual([lost.total, lost.note], [0, 'There is no crawl nobody.'])
    const own = await search(searchInput({ q: 'apple', crawl: DOCUMENTS[0]?.crawlId ?? '' }), CALLER)
    assert.equal(own.total, 2)
    assert.deepEqual((await search(searchInput({ q: '' }), CALLER)).results, [])
    assert.equal((await search(searchInput({ q: 'site:h1.test' }), CALLER)).total, 1)
  })

  it('prefers pages in the language that was asked for, or in that of most pages', async (t) => {
    const terms = { body: 'appl' }
    const documents = [makeDocument(1, { terms, lang: 'de' }), ...[2, 3].map((n) => makeDocument(n, { terms }))]
    const { search } = await makeHandlers(t, documents)
    const first = async (query: Record<string, string>) =>
      (await search(searchInput({ q: 'apple', ...query }), CALLER)).results[0]?.page_id
    assert.equal(await first({ prefer_lang: 'de-AT' }), 1)
    assert.notEqual(await first({}), 1)
    assert.notEqual(await first({ prefer_lang: '?' }), 1)
  })

  it('reports a missing index', async (t) => {
    const { search, suggest, getTerm, getIndex } = await makeHandlers(t, null)
    await assert.rejects(search(searchInput({ q: 'x' }), CALLER), { code: 'INDEX_OFF' })
    await assert.rejects(suggest({ query: { q: 'x', limit: 8 } } as never, CALLER), { code: 'INDEX_OFF' })
    const term = { params: { term: 'x' }, query: { limit: 1, lang: 'en' } } as never
    await assert.rejects(getTerm(term, CALLER), { code: 'INDEX_OFF' })
    assert.equal((await getIndex({} as never, CALLER)).is_on, false)
  })
})

describe('a term and suggestions', () => {
  it('come from the index', async (t) => {
    const { getTerm, suggest, getIndex } = await makeHandlers(t, DOCUMENTS)
    const entry = await getTerm({ params: { term: 'Apples' }, query: { limit: 10, lang: 'en' } } as never, CALLER)
    assert.deepEqual(searchRoutes.getTerm.response.parse(entry), entry)
    assert.deepEqual([entry.term, entry.document_frequency, entry.documents[0]?.positions], ['appl', 2, [1]])
    assert.deepEqual(entry.documents[0]?.fields, { title: [0], body: [1] })
    await assert.rejects(getTerm({ params: { term: '"; --' }, query: { limit: 1, lang: 'en' } } as never, CALLER), {
      code: 'TERM_NOT_FOUND',
    })
    const loud = await getTerm({ params: { term: 'Apples' }, query: { limit: 1, lang: 'EN-gb' } } as never, CALLER)
    assert.equal(loud.term, 'appl')
    const { suggestions } = await suggest({ query: { q: 'red app', limit: 8 } } as never, CALLER)
    assert.deepEqual(suggestions, [{ text: 'red apples', kind: 'word' }])
    const titles = await suggest({ query: { q: 'pea', limit: 8 } } as never, CALLER)
    assert.deepEqual(titles.suggestions, [
      { text: 'pears', kind: 'word' },
      { text: 'Pears', kind: 'title' },
    ])
    assert.equal((await getIndex({} as never, CALLER)).documents, 5)
  })

  it('without a language are stemmed in all languages of the index', async (t) => {
    const german = [6, 7].map((n) => makeDocument(n, { lang: 'de', terms: { body: 'das haus' } }))
    const russian = makeDocument(8, { lang: 'ru', terms: { body: 'яблок' } })
    const { getTerm } = await makeHandlers(t, [...DOCUMENTS, ...german, russian])
    const getTermFor = (term: string, query: Record<string, string> = {}) =>
      getTerm({ params: { term }, query: searchRoutes.getTerm.query.parse(query) } as never, CALLER)
    assert.deepEqual([(await getTermFor('Häuser')).term, (await getTermFor('Häuser')).document_frequency], ['haus', 2])
    assert.equal((await getTermFor('яблоко')).term, 'яблок')
    assert.equal((await getTermFor('Apples')).term, 'appl')
    await assert.rejects(getTermFor('Häuser', { lang: 'en' }), { code: 'TERM_NOT_FOUND' })
    await assert.rejects(getTermFor('zebra'), { code: 'TERM_NOT_FOUND' })
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import {
  ANY_FILTER,
  makeDocument,
  makeIndexQuery,
  termNode,
  toPageResults,
} from '../../../ports/contracts/testing/test-index.ts'
import type { QueryNode } from '../../../ports/search.ts'
import { interpretQuery } from '../../query/interpret-query.ts'
import { NO_SYNONYMS } from '../../query/synonyms.ts'
import { NO_FORMS } from '../../query/word-forms.ts'
import { INDEX_VERSION, indexPath, openForReading, openForWriting, pragma } from '../open.ts'
import { SqliteFeed } from '../write/feed.ts'
import { CANDIDATE_LIMITS as DEFAULT_LIMITS } from './select-documents.ts'
import { SqliteIndex } from './sqlite-index.ts'

function makeDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-index-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

const NO_PAGES = {
  listAfter: async () => [],
  retentionOf: async () => [],
  history: async () => [],
  newestId: async () => 0,
}

async function filled(
  t: TestContext,
  documents: ReturnType<typeof makeDocument>[],
  limits?: ConstructorParameters<typeof SqliteIndex>[2],
) {
  const db = openForWriting(makeDir(t))
  t.after(() => db.close())
  const feed = new SqliteFeed({ db, pages: NO_PAGES, clock: new ManualClock() })
  await feed.finish('1', { pages: toPageResults(documents), anchors: [] })
  return new SqliteIndex(db, () => 0, limits)
}

describe('an index with more documents than a query ranks', () => {
  const LIMITS = { scored: 10, scoredForLongQuery: 10, maxScored: 1500, entries: 1000, counted: 50, scanned: 80 }
  const documents = Array.from({ length: 100 }, (_, i) => {
    const title = i === 3 ? 'apple' : 'page'
    return makeDocument(i + 1, { lang: i < 50 ? 'de' : 'en', terms: { title, body: 'apple tree' } })
  })

  it('reports an inexact total, and still finds matches in titles', async (t) => {
    const index = await filled(t, documents, LIMITS)
    const { hits, total, isTotalExact } = await index.find(makeIndexQuery('apple', { groupsSimilar: false }))
    assert.deepEqual([hits[0]?.pageId, total, isTotalExact], [4, 100, false])
  })

  it('computes facets over all counted documents', async (t) => {
    const index = await filled(t, documents, { ...LIMITS, counted: 1000 })
    const { total, facets } = await index.find(makeIndexQuery('apple', { wantsFacets: true }))
    assert.deepEqual(facets?.lang, [
      { key: 'de', count: 50 },
      { key: 'en', count: 50 },
    ])
    assert.equal(total, 100)
  })

  it('finds no page with an excluded word, whatever its field', async (t) => {
    const index = await filled(t, documents, LIMITS)
    const not = { kind: 'not' as const, part: termNode('tree') }
    const { hits, total } = await index.find(makeIndexQuery({ kind: 'and', parts: [termNode('apple'), not] }))
    assert.deepEqual([hits, total], [[], 0])
    const mixed = documents.map((document, i) => ({
      ...document,
      terms: { ...document.terms, title: 'apple', body: i % 2 === 0 ? 'pear' : 'plum' },
    }))
    const other = await filled(t, mixed, LIMITS)
    const excluded = { kind: 'not' as const, part: termNode('pear') }
    const result = await other.find(
      makeIndexQuery({ kind: 'and', parts: [termNode('apple'), excluded] }, { groupsSimilar: false }),
    )
    assert.equal(result.hits.length, 10)
    assert.ok(result.hits.every(({ pageId }) => pageId % 2 === 0))
  })

  it('finds documents of a site, however many newer ones others have', async (t) => {
    const old = makeDocument(1, { host: 'www.old.test:81', terms: { body: 'apple tree' } })
    const index = await filled(t, [old, ...documents.slice(1)], LIMITS)
    for (const host of ['www.old.test:81', '.www.old.test', '.old.test', '.test']) {
      const { hits } = await index.find(
        makeIndexQuery('apple', { filter: { ...ANY_FILTER, hosts: [host] }, groupsSimilar: false }),
      )
      assert.equal(host === '.test' ? hits.length : hits[0]?.pageId, host === '.test' ? 10 : 1, host)
    }
    for (const host of ['old.test:81', '.ld.test', 'www.old.test', '.www.old.test:82']) {
      const { hits } = await index.find(makeIndexQuery('apple', { filter: { ...ANY_FILTER, hosts: [host] } }))
      assert.deepEqual(hits, [], host)
    }
  })

  it('counts exactly if it can', async (t) => {
    const index = await filled(t, documents, { ...LIMITS, counted: 1000 })
    const { total, isTotalExact } = await index.find(makeIndexQuery('apple'))
    assert.deepEqual([total, isTotalExact], [100, true])
  })

  it('stops looking for documents that pass a filter', async (t) => {
    const index = await filled(t, documents, { ...LIMITS, scanned: 40 })
    const { hits, isTotalExact } = await index.find(makeIndexQuery('tree', { filter: { ...ANY_FILTER, lang: 'de' } }))
    assert.deepEqual([hits.length, isTotalExact], [0, false])
  })

  it('scans a bounded number of documents if no index applies', async (t) => {
    const index = await filled(
      t,
      documents.map((document, i) => ({ ...document, depth: i < 3 ? 7 : 1, linkRank: (i % 10) / 10 })),
      LIMITS,
    )
    const deep = { ...ANY_FILTER, depth: { min: 7, max: null } }
    const { hits, isTotalExact } = await index.find(makeIndexQuery(null, { filter: deep }))
    // The lowest two of ten ranks are beyond the limit.
    assert.deepEqual([hits.map(({ pageId }) => pageId), isTotalExact], [[3], false])
  })

  it('finds a bounded number of documents without a text', async (t) => {
    const index = await filled(t, documents, LIMITS)
    const { total, isTotalExact } = await index.find(makeIndexQuery(null))
    assert.deepEqual([total, isTotalExact], [50, false])
  })
})

it('finds the best of many matches, whatever their age', async (t) => {
  const filler = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`).join(' ')
  const documents = Array.from({ length: 600 }, (_, i) => {
    const apples = i % 60 === 7 ? 4 + i / 60 : 1
    return makeDocument(i + 1, { terms: { body: `${'apple '.repeat(apples)}${filler(30 + (i % 90))} tree` } })
  })
  const all = await filled(t, documents, { ...DEFAULT_LIMITS, scored: 1000, scoredForLongQuery: 1000 })
  const few = await filled(t, documents, {
    scored: 20,
    scoredForLongQuery: 20,
    maxScored: 40,
    entries: 100,
    counted: 1000,
    scanned: 1000,
  })
  const both = { kind: 'and' as const, parts: [termNode('apple'), termNode('tree')] }
  for (const text of ['apple', both]) {
    const ids = async (index: SqliteIndex) =>
      (await index.find(makeIndexQuery(text, { groupsSimilar: false }))).hits.map(({ pageId }) => pageId)
    assert.deepEqual(await ids(few), await ids(all))
  }
})

it('finds the best pages with some of the words, whatever their age, if one of the words may be a phrase', async (t) => {
  const documents = Array.from({ length: 200 }, (_, i) =>
    makeDocument(i + 1, { terms: { body: i === 3 ? 'apple apple apple plum pear' : `apple n${i} n${i} n${i}` } }),
  )
  const index = await filled(t, documents, {
    ...DEFAULT_LIMITS,
    scored: 10,
    scoredForLongQuery: 10,
    counted: 50,
  })
  const split: QueryNode = { kind: 'phrase', terms: ['pe', 'ar'], field: null }
  const pear: QueryNode = { kind: 'or', parts: [termNode('pear'), split], areForms: true }
  const parts = [termNode('apple'), pear, termNode('absent')]
  const query = makeIndexQuery({ kind: 'and', parts }, { anyWord: { kind: 'or', parts } })
  assert.equal((await index.find(query)).hits[0]?.pageId, 4)
})

it('the indexing rate is measured from when pages were taken', async (t) => {
  const db = openForWriting(makeDir(t))
  t.after(() => db.close())
  const clock = new ManualClock()
  const feed = new SqliteFeed({ db, pages: NO_PAGES, clock })
  const index = new SqliteIndex(db, () => clock.now())
  for (let batch = 0; batch < 4; batch++) {
    await feed.take(1)
    clock.advance(6000)
    const documents = Array.from({ length: 300 }, (_, i) => makeDocument(batch * 300 + i + 1))
    await feed.finish(String(batch), { pages: toPageResults(documents), anchors: [] })
    assert.equal((await index.status()).pagesPerSecond, 50)
  }
})

it('anchor texts of a rolled back batch are saved again', async (t) => {
  const db = openForWriting(makeDir(t))
  t.after(() => db.close())
  const feed = new SqliteFeed({ db, pages: NO_PAGES, clock: new ManualClock() })
  const anchors = [{ url: 'http://a.test/', text: 'Home' }]
  await assert.rejects(feed.finish('no number', { pages: [], anchors }))
  await feed.finish('1', { pages: [], anchors })
  assert.equal(db.prepare('select text from anchors').get()?.['text'], 'Home')
})

describe('any query', () => {
  it('is answered without an error', async (t) => {
    const documents = [1, 2, 3].map((n) =>
      makeDocument(n, { terms: { title: 'apple pear', body: `apple n${n} 苹果` } }),
    )
    const index = await filled(t, documents)
    const pieces = [
      'apple',
      '"',
      '(',
      ')',
      'AND',
      'OR',
      'NOT',
      'NEAR/2',
      '-',
      '*',
      ':',
      'title:',
      'site:a.test',
      'size:>1k',
      '苹果',
      "'",
      ';',
      '--',
      '{body}',
      '^',
      '\\',
      '\0',
      'lang:en',
      'depth:1..2',
      'near-duplicate-of:1',
    ]
    const texts = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((list) => list.join(' ')),
      fc.string({ unit: 'binary', maxLength: 100 }),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { text: node, filter } = interpretQuery(text, {
          languages: ['en', 'de'],
          synonyms: NO_SYNONYMS,
          forms: NO_FORMS,
          now: 0,
        })
        const { hits } = await index.find(makeIndexQuery(node, { filter, wantsFacets: true, explains: true }))
        assert.ok(hits.length <= 3)
      }),
      { numRuns: 500 },
    )
  })

  it('may be nested as deeply as a query can be', async (t) => {
    const index = await filled(t, [makeDocument(1, { terms: { body: 'apple' } })])
    let node: ReturnType<typeof termNode> | { kind: 'and'; parts: never[] } = termNode('apple')
    for (let i = 0; i < 30; i++) node = { kind: 'and', parts: [node, termNode('apple')] as never[] }
    assert.equal((await index.find(makeIndexQuery(node))).total, 1)
  })
})

describe('the index file', () => {
  it('has the page cache given to its connection, and is not mapped', (t) => {
    const dir = makeDir(t)
    const writing = openForWriting(dir, 4 << 20)
    const readOnly = openForReading(dir, 2 << 20) ?? assert.fail('the index is not there')
    assert.deepEqual([pragma(writing, 'cache_size'), pragma(readOnly, 'cache_size')], [-4096, -2048])
    assert.deepEqual([pragma(writing, 'mmap_size'), pragma(readOnly, 'mmap_size')], [0, 0])
    readOnly.close()
    writing.close()
  })

  it('of another version or another program is rebuilt', (t) => {
    const dir = makeDir(t)
    openForWriting(dir).close()
    const other = new DatabaseSync(indexPath(dir))
    other.exec(`insert into words values ('x', 1); pragma user_version = ${INDEX_VERSION + 1}`)
    other.close()
    assert.equal(openForReading(dir), null)
    const db = openForWriting(dir)
    assert.deepEqual(
      [pragma(db, 'user_version'), db.prepare('select count(*) as n from words').get()?.['n']],
      [INDEX_VERSION, 0],
    )
    db.close()
    writeFileSync(indexPath(dir), 'this is not a database, but long enough to be taken for one '.repeat(20))
    openForWriting(dir).close()
    openForReading(dir)?.close()
  })
})

describe('damage', () => {
  const documents = Array.from({ length: 50 }, (_, i) => makeDocument(i + 1, { terms: { body: `apple t${i}` } }))
  const BREAKS: Record<string, string> = {
    'lost terms': 'delete from terms where rowid = 7',
    'lost texts': 'delete from text_blocks',
    'broken terms': 'update terms_data set block = zeroblob(length(block)) where id = (select max(id) from terms_data)',
  }
  for (const [name, sql] of Object.entries(BREAKS)) {
    it(`is found: ${name}`, async (t) => {
      const dir = makeDir(t)
      const db = openForWriting(dir)
      const feed = new SqliteFeed({ db, pages: NO_PAGES, clock: new ManualClock() })
      await feed.finish('1', { pages: toPageResults(documents), anchors: [] })
      assert.deepEqual(await new SqliteIndex(db, () => 0).findDamage(), [])
      db.close()
      const breaking = new DatabaseSync(indexPath(dir), { defensive: false })
      breaking.exec(sql)
      breaking.close()
      const readOnly = openForReading(dir) ?? assert.fail('the index is not there')
      t.after(() => readOnly.close())
      assert.notDeepEqual(await new SqliteIndex(readOnly, () => 0).findDamage(), [])
    })
  }
})

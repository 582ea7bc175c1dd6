// The content of an index depends only on the pages and their order, not on batch boundaries, restarts of the indexer or
// repeated indexing.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import pg from 'pg'
import { isLongRun } from '../../test/testing/long-run.ts'
import type { TestStore } from '../ports/contracts/testing/store-harness.ts'
import { makeIndexQuery } from '../ports/contracts/testing/test-index.ts'
import type { IndexFeed } from '../ports/index-feed.ts'
import type { SearchIndex } from '../ports/search.ts'
import { Analyser } from '../search/analyse/analyser.ts'
import { loadLanguageDetector } from '../search/analyse/language-identifier.ts'
import { indexBatch, readLinks } from '../search/indexer/index-batch.ts'
import { unpackLineCounts } from '../search/line-counts.ts'
import { makeTestCluster } from '../search/postgres/testing/test-cluster.ts'
import { openForReading, openForWriting } from '../search/sqlite/open.ts'
import { SqliteIndex } from '../search/sqlite/read/sqlite-index.ts'
import { SqliteFeed } from '../search/sqlite/write/feed.ts'
import { makeTestStore } from '../store/testing/sqlite-test-store.ts'
import { makeHtmlArchive } from './testing/html-archive.ts'

const detectLanguage = await loadLanguageDetector()

interface Subject {
  store: TestStore
  index: SearchIndex
  /** A feed as a new process opens it. */
  newFeed(): IndexFeed
  /** The content of the index, without keywords and suggestions. */
  dump(): Promise<Dump>
  close(): Promise<void>
}

type Dump = Record<string, unknown[]>

interface TestPage {
  host: number
  path: number
  declared: string
  text: number
  /** One bit per line of the frame. */
  frame: number
  uniqueLines: number
  links: number
  isHidden: boolean
}

/** Archives some pages and indexes some batches. */
interface Step {
  pages: number
  /** Batches whose links are read first. */
  linkBatches: number
  batches: number
  batchPages: number
  restarts: boolean
  /** A batch is analysed but lost before the restart. */
  losesBatch: boolean
}

const TEXTS = [
  'The old lighthouse stands on a rock above the bay, and every summer thousands of visitors climb its narrow stairs.',
  'Der alte Leuchtturm steht auf einem Felsen über der Bucht, und jeden Sommer steigen Tausende die enge Treppe hinauf.',
  'El viejo faro se levanta sobre una roca encima de la bahía, y cada verano miles de visitantes suben la escalera.',
  'O velho farol ergue-se sobre uma rocha acima da baía, e todos os verões milhares de visitantes sobem a sua escada.',
  'Garden hose, brass fitting, 20 m, rubber, green.',
  'Hotel, bar, restaurant.',
]
const FRAME = [
  'Subscribe to our letter today',
  'Visiting hours and prices',
  'Press room',
  'All offers',
  'Imprint',
] as const
const HOSTS = 3
const PATHS = 10

const PAGES = fc.array(
  fc.record<TestPage>({
    host: fc.nat(HOSTS - 1),
    path: fc.nat(PATHS - 1),
    declared: fc.constantFrom('en', 'en', 'de', 'es', ''),
    text: fc.nat(TEXTS.length - 1),
    frame: fc.nat(2 ** FRAME.length - 1),
    uniqueLines: fc.constantFrom(0, 3, 60, 130),
    links: fc.constantFrom(0, 4, 60, 180, 400),
    isHidden: fc.nat(9).map((n) => n === 0),
  }),
  { minLength: 20, maxLength: 40 },
)
const STEPS = fc.array(
  fc.record<Step>({
    pages: fc.integer({ min: 1, max: 8 }),
    linkBatches: fc.nat(3),
    batches: fc.nat(6),
    batchPages: fc.integer({ min: 1, max: 9 }),
    restarts: fc.boolean(),
    losesBatch: fc.boolean(),
  }),
  { minLength: 3, maxLength: 12 },
)

/** The HTML of page number `n`. */
function htmlOf({ declared, text, frame, uniqueLines, links }: TestPage, n: number): string {
  const framed = FRAME.filter((_, i) => (frame & (1 << i)) !== 0).map((line) => `<div>${line}</div>`)
  const lines = Array.from({ length: uniqueLines }, (_, i) => `<p>Note ${n * 1000 + i} of this page</p>`)
  const anchors = Array.from({ length: links }, (_, i) => {
    const target = n * 7 + i
    const path = target % PATHS
    const href = i % 3 === 0 ? String(path) : i % 3 === 1 ? `/${path}` : `http://h${target % HOSTS}.test/${path}`
    return `<a href="${href}">Place ${(target * 5) % 37}</a>`
  })
  return `<html lang="${declared}"><title>Page ${n}</title>${framed.join('')}<main><p>${TEXTS[text]}</p>${lines.join('')}
    <p>${TEXTS[text]} ${anchors.join(' ')}</p></main>`
}

async function readSomeLinks(indexer: Indexing, batches: number, batchPages: number): Promise<void> {
  for (let i = 0; i < batches; i++) {
    const batch = await indexer.feed.takeUnreadLinks(batchPages)
    if (batch === null) return
    await readLinks(batch, { ...indexer, consumers: [], isStopped: () => false })
  }
}

/** Indexes up to `batches` batches; false if nothing is left. */
async function indexSome(indexer: Indexing, batches: number, batchPages: number): Promise<boolean> {
  for (let i = 0; i < batches; i++) {
    const batch = await indexer.feed.take(batchPages)
    if (batch === null) return false
    await indexBatch(batch, { ...indexer, consumers: [], isStopped: () => false })
  }
  return true
}

interface Indexing {
  feed: IndexFeed
  analyser: Analyser
  reading: ReturnType<typeof makeHtmlArchive>['reading']
}

async function fill(subject: Subject, pages: readonly TestPage[], steps: readonly Step[]): Promise<Dump> {
  const { reading, keep } = makeHtmlArchive(subject.store)
  const newIndexer = (): Indexing => ({
    feed: subject.newFeed(),
    analyser: new Analyser({ detect: detectLanguage, findEntities: null }),
    reading,
  })
  let indexer = newIndexer()
  let archived = 0
  const archiveSome = async (count: number) => {
    for (const page of pages.slice(archived, archived + count)) {
      await keep(`h${page.host}/${page.path}`, htmlOf(page, archived), { noindex: page.isHidden })
      archived += 1
    }
  }
  for (const step of steps) {
    await archiveSome(step.pages)
    await readSomeLinks(indexer, step.linkBatches, step.batchPages)
    await indexSome(indexer, step.batches, step.batchPages)
    if (step.losesBatch) await loseBatch(indexer, step.batchPages)
    if (step.restarts || step.losesBatch) indexer = newIndexer()
  }
  await archiveSome(pages.length)
  await indexSome(indexer, Number.POSITIVE_INFINITY, 1000)
  return { ...(await subject.dump()), hits: await scores(subject.index) }
}

/** Analyses a batch that is never finished. */
async function loseBatch(indexer: Indexing, batchPages: number): Promise<void> {
  const never = async () => undefined
  const dependencies = {
    ...indexer,
    feed: { saveAnchors: never, finish: never, add: indexer.feed.add.bind(indexer.feed) },
    consumers: [],
    isStopped: () => false,
  }
  const links = await indexer.feed.takeUnreadLinks(batchPages)
  if (links !== null) await readLinks(links, dependencies)
  const batch = await indexer.feed.take(batchPages)
  if (batch !== null) await indexBatch(batch, dependencies)
}

async function scores(index: SearchIndex): Promise<unknown[]> {
  const found: unknown[] = []
  for (const word of ['lighthous', 'leuchtturm', 'far', 'note', 'place', 'subscrib', 'page']) {
    const { hits, total } = await index.find(
      makeIndexQuery(word, { limit: 50, now: 0, explains: true, groupsSimilar: false }),
    )
    found.push({ word, total }, ...hits.map((hit) => ({ ...hit, crawlId: null, keywords: null })))
  }
  return found
}

function checkSameInSteps(makeSubject: () => Promise<Subject>, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(PAGES, STEPS, async (pages, steps) => {
    const results: Dump[] = []
    for (const chosenSteps of [[], steps]) {
      const subject = await makeSubject()
      try {
        results.push(await fill(subject, pages, chosenSteps))
      } finally {
        await subject.close()
      }
    }
    assertSame(results[1], results[0])
  })
  return Promise.resolve(fc.assert(property, { numRuns, endOnFailure: true }))
}

/** Compares row by row, because a diff of everything would take minutes. */
function assertSame(actual: Dump | undefined, expected: Dump | undefined): void {
  for (const [name, rows] of Object.entries(expected ?? {})) {
    const others = actual?.[name] ?? []
    assert.equal(others.length, rows.length, `rows of ${name}`)
    const at = rows.findIndex((row, i) => !isDeepStrictEqual(row, others[i]))
    if (at !== -1) assert.deepEqual({ name, row: others[at] }, { name, row: rows[at] })
  }
}

async function makeSqlite(): Promise<Subject> {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-history-'))
  const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  const db = openForWriting(dir)
  const reading = openForReading(dir) ?? assert.fail('there is no index')
  const all = (sql: string) => reading.prepare(sql).all()
  return {
    store,
    index: new SqliteIndex(reading, () => 0),
    newFeed: () => new SqliteFeed({ db, pages: store.pages, clock: store.clock }),
    dump: async () => ({
      documents: all('select page_id, url, version, lang, possible_langs, title from documents order by page_id'),
      bags: all('select * from bags order by page_id'),
      terms: all('select term, doc, col, offset from term_places order by doc, col, offset'),
      totals: [...all('select * from totals'), ...all('select * from languages where documents > 0')],
      anchors: all('select * from anchors'),
      hosts: all('select host, content, languages from host_lines').map(unpackRow),
    }),
    async close() {
      reading.close()
      db.close()
      rmSync(dir, { recursive: true })
      await store.close()
    },
  }
}

/** Filled by one process after another. */
async function makePostgres(): Promise<Subject> {
  const { feeds, ...cluster } = await makeTestCluster(4)
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  const all = async (sql: string) => (await client.query(sql)).rows
  let starts = 0
  return {
    ...cluster,
    newFeed() {
      const previous = feeds[(starts + feeds.length - 1) % feeds.length] as IndexFeed & { close(): void }
      previous.close()
      return feeds[starts++ % feeds.length] ?? assert.fail('there is no feed')
    },
    dump: async () => ({
      documents: await all(
        `select page, url, version, lang, possible_langs, title, text, length, terms, others, starts, lines, repeated
         from documents order by page`,
      ),
      terms: await all(
        'select term, sum(documents) from term_counts group by term having sum(documents) <> 0 order by term',
      ),
      totals: await all(
        `select lang, sum(documents), sum(terms) from index_counts group by lang having sum(documents) <> 0 order by lang`,
      ),
      anchors: await all('select distinct url_key, text from anchors order by url_key, text'),
      hosts: (await all('select host, content, languages from host_lines order by host')).map(unpackRow),
    }),
    async close() {
      await client.end()
      await cluster.close()
    },
  }
}

function unpackRow(row: Record<string, unknown>): unknown {
  const lines = [...unpackLineCounts(row['content'] as Uint8Array)].sort(([a], [b]) => a - b)
  return [row['host'], lines, row['languages']]
}

it('a SQLite index is the same for any sequence of steps', () => checkSameInSteps(makeSqlite, isLongRun ? 12 : 4))

it('a Postgres index is the same for any sequence of steps and indexers', () =>
  checkSameInSteps(makePostgres, isLongRun ? 6 : 2))

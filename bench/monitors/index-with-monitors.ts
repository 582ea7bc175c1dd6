// Archives pages in a real store, indexes them with the real indexer, and examines them with monitors of each kind.

import { silentLog } from '../../src/lib/log.ts'
import { MonitorExaminer } from '../../src/monitor/monitor-examiner.ts'
import type { CopiedPassage, MonitorRow, MonitorRule, ProtectedDocuments } from '../../src/ports/monitors.ts'
import type { VersionConsumer } from '../../src/ports/versions.ts'
import { Analyser } from '../../src/search/analyse/analyser.ts'
import { loadLanguageDetector } from '../../src/search/analyse/language-identifier.ts'
import { Indexer } from '../../src/search/indexer/indexer.ts'
import { openTestIndex } from '../../src/search/sqlite/testing/test-index.ts'
import { makeHtmlArchive } from '../../src/setup/testing/html-archive.ts'
import { makeTestStore } from '../../src/store/testing/sqlite-test-store.ts'
import { threadCpuMs } from '../../test/testing/cpu-time.ts'
import type { SourceText } from './planted-pages.ts'

export interface MonitoredPages {
  /** Copies by page, in order; empty without a hit. */
  copies: CopiedPassage[][]
  /** CPU time of the indexer alone. */
  indexMs: number
  /** CPU time of reading all documents once. */
  loadMs: number
  /** CPU time by monitor name. */
  rulesMs: Record<string, number>
}

const COPIES = 'copies'
const CHANGED = { kind: 'changed' } as const
const RULES: Record<string, { rule: MonitorRule; include?: string[] }> = {
  [COPIES]: { rule: { kind: 'copies', minWords: 50 } },
  words: {
    rule: { kind: 'words', words: ['acme corporation', 'lamp', 'closing down', 'quarterly report', 'recall'] },
  },
  pattern: { rule: { kind: 'pattern', pattern: '\\b[A-Z]{2}\\d{2}(?: ?\\d{4}){4}\\b' } },
  'selector on one page in 50': {
    rule: { kind: 'selector', selector: 'h1', condition: CHANGED },
    include: ['[05]0$'],
  },
  'selector that no page has': {
    rule: { kind: 'selector', selector: 'main .price, #checkout > h1', condition: CHANGED },
  },
  'selector that every page has': { rule: { kind: 'selector', selector: 'h1, title', condition: CHANGED } },
}

export async function indexWithMonitors(
  pages: readonly string[],
  documents: readonly SourceText[],
  dir: string,
): Promise<MonitoredPages> {
  const store = await makeTestStore({ leaseMs: 60_000, random: () => 0.5 })
  const index = openTestIndex(dir, store, () => undefined)
  const { reading, crawl } = makeHtmlArchive(store)
  const names = pages.map((_, i) => `a/${i}`)
  const monitors = await addMonitors(store, documents)
  await crawl(
    Object.fromEntries(names.map((name, i) => [name, { html: pages[i] ?? '', links: i === 0 ? names.slice(1) : [] }])),
  )
  const { crawls, urls, revisits, monitorHits, protectedDocuments, clock } = store
  const examiners = monitors.map((monitor) => {
    const list = { list: async () => [monitor], revision: async () => 1 }
    const dependencies = { monitors: list, documents: protectedDocuments, hits: monitorHits, clock, log: silentLog }
    return { name: monitor.id, examiner: new MonitorExaminer(dependencies) }
  })
  const loadStart = threadCpuMs()
  // Reads the documents, which happens once per change of them.
  const [first] = await store.pages.listAfter(0, 1)
  if (first === undefined) throw new Error('There are no pages.')
  const nothing = { html: '', text: () => '' }
  for (const { examiner } of examiners) await examiner.examine({ ...first.version, visitedAt: clock.now() }, nothing)
  const loadMs = threadCpuMs() - loadStart
  const rules = examiners.map(({ name, examiner }) => ({ name, ...measured(examiner) }))
  const analyser = new Analyser({ detect: await loadLanguageDetector(), findEntities: null })
  const consumers = rules.map(({ consumer }) => consumer)
  const start = threadCpuMs()
  await new Indexer({
    feed: index.feed,
    reading,
    crawls,
    urls,
    revisits,
    analyser,
    consumers,
    clock,
    log: silentLog,
  }).catchUp()
  const totalMs = threadCpuMs() - start
  const rulesMs = Object.fromEntries(rules.map(({ name, cpuMs }) => [name, cpuMs()]))
  const copies: CopiedPassage[][] = pages.map(() => [])
  for (let before: number | null = null; ; ) {
    const filter = { crawlId: null, url: null, isOpen: null, isMuted: null, before, limit: 500 }
    const hits = await monitorHits.list({ ...filter, monitorId: COPIES })
    for (const { url, evidence } of hits) {
      if (evidence.kind === 'copies') copies[Number(new URL(url).pathname.slice(1))] = evidence.copies
    }
    const last = hits.at(-1)
    if (last === undefined) break
    before = last.id
  }
  await index.close()
  const monitorMs = Object.values(rulesMs).reduce((sum, ms) => sum + ms, 0)
  return { copies, indexMs: totalMs - monitorMs, loadMs, rulesMs }
}

async function addMonitors(
  { monitors, protectedDocuments }: Awaited<ReturnType<typeof makeTestStore>>,
  documents: readonly SourceText[],
): Promise<MonitorRow[]> {
  const rows = Object.entries(RULES).map(([id, { rule, include = [] }]) => {
    return { id, name: id, rule, crawlIds: [], include, exclude: [], isMuted: false, createdAt: 0 }
  })
  for (const row of rows) await monitors.add(row)
  for (const [i, { file, words }] of documents.entries()) await addDocument(protectedDocuments, `d${i}`, file, words)
  return rows
}

async function addDocument(documents: ProtectedDocuments, id: string, title: string, words: string[]): Promise<void> {
  const about = { id, monitorId: COPIES, title, url: null, words: words.length, addedAt: 0 }
  const added = await documents.add({ ...about, text: words.join(' ') })
  if (added !== 'added') throw new Error(`The documents do not fit: ${added}.`)
}

function measured(inner: VersionConsumer): { consumer: VersionConsumer; cpuMs(): number } {
  let cpuMs = 0
  return {
    consumer: {
      wants: (version) => inner.wants(version),
      async examine(version, content) {
        const start = threadCpuMs()
        await inner.examine(version, content)
        cpuMs += threadCpuMs() - start
      },
    },
    cpuMs: () => cpuMs,
  }
}

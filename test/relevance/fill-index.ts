// Indexes the corpus as the indexer does, but without an archive.

import { setImmediate as turn } from 'node:timers/promises'
import { profileText } from '../../src/engine/text/text-profiler.ts'
import type { FeedPage, IndexFeed } from '../../src/ports/index-feed.ts'
import type { PageVersion } from '../../src/ports/pages.ts'
import { Analyser } from '../../src/search/analyse/analyser.ts'
import { loadLanguageDetector } from '../../src/search/analyse/language-identifier.ts'
import { BATCH_PAGES } from '../../src/search/indexer/indexer.ts'
import { threadCpuMs } from '../testing/cpu-time.ts'
import { type CorpusPage, makeCorpusPage } from './corpus.ts'

const NOW = Date.UTC(2026, 10, 15)
const DAY_MS = 86_400_000

export interface IndexFillResult {
  pages: number
  htmlBytes: number
  /** CPU time of the thread, without generating the pages. */
  analyseMs: number
  writeMs: number
}

export async function fillIndex(
  feed: Pick<IndexFeed, 'finish'>,
  from: number,
  to: number,
  onBatch?: (pages: number) => void,
): Promise<IndexFillResult> {
  const analyser = new Analyser({ detect: await loadLanguageDetector(), findEntities: null })
  const indexFillResult: IndexFillResult = { pages: 0, htmlBytes: 0, analyseMs: 0, writeMs: 0 }
  for (let start = from; start < to; start += BATCH_PAGES) {
    const pages = Array.from({ length: Math.min(BATCH_PAGES, to - start) }, (_, i) => makeCorpusPage(start + i))
    const feedPages = pages.map(toFeedPage)
    const startedAt = threadCpuMs()
    analyser.setHosts(new Map())
    const analysed = pages.map((page, i) => analyser.analyse(feedPages[i] as FeedPage, { html: page.html }))
    const analysedAt = threadCpuMs()
    await feed.finish('0', {
      pages: analysed,
      anchors: analysed.flatMap(({ anchors }) => anchors),
    })
    indexFillResult.analyseMs += analysedAt - startedAt
    indexFillResult.writeMs += threadCpuMs() - analysedAt
    indexFillResult.pages += pages.length
    indexFillResult.htmlBytes += pages.reduce((sum, { html }) => sum + html.length, 0)
    onBatch?.(indexFillResult.pages)
    // Lets signals and timers run.
    await turn()
  }
  return indexFillResult
}

function toFeedPage({ id, url, title, html }: CorpusPage): FeedPage {
  const { fingerprint } = profileText(html.slice(html.indexOf('<main>')))
  const version: PageVersion = {
    id: id + 1,
    crawlId: 'bench',
    url,
    version: 1,
    visitedAt: NOW - (id % 365) * DAY_MS,
    expiresAt: null,
    firstSeenAt: NOW,
    changes: 0,
    httpStatus: 200,
    contentType: 'text/html',
    contentLength: html.length,
    contentHash: null,
    payloadDigest: null,
    title,
    redirectTo: null,
    canonical: null,
    noindex: false,
    fetchMs: 1,
    wireBytes: html.length,
    charset: 'utf-8',
    lang: 'en',
    description: null,
    keywords: null,
    words: null,
    fingerprint: fingerprint === null ? null : String(fingerprint),
    resembles: null,
    note: null,
    isArchived: true,
    record: null,
    payload: null,
    isDamaged: false,
    isRequisite: false,
  }
  return {
    version,
    urlId: id + 1,
    depth: 1,
    changedAt: version.visitedAt,
    anchors: [],
    linkRank: 0,
    inlinks: 0,
    previous: null,
    hasUnreadLinks: false,
  }
}

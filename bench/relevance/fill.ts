// An index of the corpus, made as the indexer makes it, but for the archive that the pages would come from.

import { setImmediate as turn } from 'node:timers/promises'
import { surveyText } from '../../src/engine/text/survey.ts'
import type { PageVersion } from '../../src/ports/pages.ts'
import type { FeedPage, IndexFeed } from '../../src/ports/search.ts'
import { Analyser } from '../../src/search/analyse/analyse.ts'
import { loadDetector } from '../../src/search/analyse/language.ts'
import { BATCH_PAGES } from '../../src/search/indexer/loop.ts'
import { type CorpusPage, makePage } from './corpus.ts'

const NOW = Date.UTC(2026, 10, 15)
const DAY_MS = 86_400_000

export interface Filled {
  pages: number
  htmlBytes: number
  /** CPU of the thread; making the pages is not counted. */
  analyseMs: number
  writeMs: number
}

export async function fillIndex(
  feed: Pick<IndexFeed, 'finish'>,
  from: number,
  to: number,
  onBatch?: (pages: number) => void,
): Promise<Filled> {
  const analyser = new Analyser({ detect: await loadDetector(), findEntities: null })
  const filled: Filled = { pages: 0, htmlBytes: 0, analyseMs: 0, writeMs: 0 }
  for (let start = from; start < to; start += BATCH_PAGES) {
    const pages = Array.from({ length: Math.min(BATCH_PAGES, to - start) }, (_, i) => makePage(start + i))
    const given = pages.map(toFeedPage)
    const begunAt = cpuMs()
    analyser.knowLines(new Map())
    const analysed = pages.map((page, i) => analyser.analyse(given[i] as FeedPage, { html: page.html }))
    const analysedAt = cpuMs()
    await feed.finish('0', {
      pages: analysed,
      anchors: analysed.flatMap(({ anchors }) => anchors),
    })
    filled.analyseMs += analysedAt - begunAt
    filled.writeMs += cpuMs() - analysedAt
    filled.pages += pages.length
    filled.htmlBytes += pages.reduce((sum, { html }) => sum + html.length, 0)
    onBatch?.(filled.pages)
    // Signals and timers have their turn.
    await turn()
  }
  return filled
}

/** Of this thread alone: collecting garbage and compiling beside it is for other cores. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function toFeedPage({ id, url, title, html }: CorpusPage): FeedPage {
  const { fingerprint } = surveyText(html.slice(html.indexOf('<main>')))
  const version: PageVersion = {
    ...{ id: id + 1, crawlId: 'bench', url, version: 1, visitedAt: NOW - (id % 365) * DAY_MS, expiresAt: null },
    ...{ firstSeenAt: NOW, changes: 0, httpStatus: 200, contentType: 'text/html', contentLength: html.length },
    ...{ contentHash: null, payloadDigest: null, title, redirectTo: null, canonical: null, noindex: false, fetchMs: 1 },
    ...{ wireBytes: html.length, charset: 'utf-8', lang: 'en', description: null, keywords: null, words: null },
    ...{ fingerprint: fingerprint === null ? null : String(fingerprint), resembles: null, note: null, isKept: true },
    ...{ record: null, payload: null, isDamaged: false },
  }
  return {
    version,
    urlId: id + 1,
    depth: 1,
    changedAt: version.visitedAt,
    anchors: [],
    linkRank: 0,
    inlinks: 0,
    before: null,
  }
}

// Indexes one batch: reads its pages back from the archive, analyses them in order, and writes the result in one
// transaction.

import type { PageReaderDependencies } from '../../engine/pages/read-archived-page.ts'
import type { AnchorText, FeedBatch, IndexFeed, LinkBatch, PageResult } from '../../ports/index-feed.ts'
import type { VersionConsumer } from '../../ports/versions.ts'
import type { Analyser, PageSource } from '../analyse/analyser.ts'
import { consumeVersion } from './consume-version.ts'
import { type ExclusionReason, readPageHtml, readPageSource } from './page-source.ts'
import { readInOrder } from './read-in-order.ts'

export interface BatchDependencies {
  feed: Pick<IndexFeed, 'saveAnchors' | 'add' | 'finish'>
  reading: PageReaderDependencies
  analyser: Analyser
  consumers: readonly VersionConsumer[]
  /** If true, the batch is abandoned and offered again later. */
  isStopped: () => boolean
}

export interface BatchCounts {
  indexed: number
  /** Pages that were indexed before and are reindexed, for example with new anchor texts. */
  again: number
  leftOut: Partial<Record<ExclusionReason, number>>
}

/** Documents in memory. Their titles may keep the source of their page alive, so its length counts too. */
const WRITTEN_AT_ONCE = 64
const MAX_CHARACTERS = 4 << 20

/** Returns null if it was stopped. */
export async function indexBatch(
  { token, pages, hosts }: FeedBatch,
  { feed, reading, analyser, consumers, isStopped }: BatchDependencies,
): Promise<BatchCounts | null> {
  const counts: BatchCounts = { indexed: 0, again: 0, leftOut: {} }
  const anchors: AnchorText[] = []
  let results: PageResult[] = []
  let characters = 0
  analyser.setHosts(hosts)
  const read = readInOrder(pages, {
    versionOf: ({ version }) => version,
    read: ({ version, previous }) => readPageSource(version, reading, { isIndexed: previous !== null }),
    isStopped,
  })
  for await (const { page, result } of read) {
    // A page missing from the outcome is offered again later; the other pages do not wait for it.
    if ('isUnavailable' in result) continue
    const isNew = page.previous?.pageId !== page.version.id
    const analysed = 'leftOut' in result ? null : analyser.analyse(page, result.source)
    const read = { result, text: analysed?.text ?? null }
    if (isNew && !(await consumeVersion(page.version, read, { consumers, reading }))) continue
    if ('leftOut' in result) {
      counts.leftOut[result.leftOut] = (counts.leftOut[result.leftOut] ?? 0) + 1
      analyser.excludePage(page)
      results.push({ leftOut: { url: page.version.url, version: page.version.version } })
    }
    if (analysed === null) continue
    results.push({ document: analysed.document })
    anchors.push(...analysed.anchors)
    if (isNew) counts.indexed += 1
    else counts.again += 1
    characters += 'source' in result ? lengthOf(result.source) : 0
    if (results.length < WRITTEN_AT_ONCE && characters < MAX_CHARACTERS) continue
    await feed.add(token, results)
    results = []
    characters = 0
  }
  if (isStopped()) return null
  await feed.finish(token, { pages: results, anchors })
  return counts
}

/** Reads the links of pages before they are indexed. Returns false if it was stopped. */
export async function readLinks(
  { token, pages }: LinkBatch,
  { feed, reading, analyser, isStopped }: BatchDependencies,
): Promise<boolean> {
  const anchors: AnchorText[] = []
  const unread: number[] = []
  const read = readInOrder(pages, {
    versionOf: (version) => version,
    read: (version) => readPageHtml(version, reading),
    isStopped,
  })
  for await (const { page, result } of read) {
    if ('isUnavailable' in result) unread.push(page.id)
    else if ('html' in result) anchors.push(...analyser.collectAnchors(page.url, result.html))
  }
  if (isStopped()) return false
  await feed.saveAnchors(token, anchors, unread)
  return true
}

function lengthOf(source: PageSource): number {
  return 'html' in source ? source.html.length : source.extracted.text.length
}

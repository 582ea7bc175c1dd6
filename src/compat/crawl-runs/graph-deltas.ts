// Returns the changes of a run's graph since a version. This API uses numeric versions; native versions are strings with
// more information. The store therefore keeps the position behind each number for a day, so that any process can
// continue. An unknown number starts from the beginning; the repeated changes do no harm.

import { KEY_RETENTION_MS } from '../../api/requests/idempotency.ts'
import type { Clock } from '../../lib/clock.ts'
import type { IdempotencyKeys } from '../../ports/access.ts'
import type { Browse, GraphRequest } from '../../ports/browse.ts'
import type { Crawl, Crawls } from '../../ports/crawls.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'
import { FinalUrls } from '../final-urls.ts'
import { readRowsById } from '../read-rows.ts'
import { toLineageEdge } from './lineage.ts'
import { type RawUrlDependencies, RawUrls } from './raw-urls.ts'
import { runUrlJson } from './run-json.ts'
import { RowsInFlight } from './run-rows.ts'
import { createStateMapper } from './run-states.ts'

/** The position of a client: in the middle of the changes since a version, or, with `afterId` 0, at their end. */
interface DeltaPosition {
  /** Null to start from the beginning. */
  since: string | null
  /** The version reached when all changes since `since` have been returned. */
  until: string | null
  afterId: number
}

export interface GraphDeltaDependencies extends RawUrlDependencies {
  browse: Pick<Browse, 'graph' | 'redirectTargets'>
  crawls: Pick<Crawls, 'urlsInFlight'>
  urls: Pick<Urls, 'rows' | 'urlsOf'>
  positions: Pick<IdempotencyKeys, 'find' | 'save' | 'deleteOlderThan'>
  clock: Clock
}

const CLEANUP_INTERVAL_MS = 3_600_000
/** Numbers per millisecond, so that two processes rarely choose the same one. */
const NUMBERS_PER_MS = 1000
/** URLs of a run that are read. */
const MAX_URLS = 50_000
const ALL_URLS: Omit<GraphRequest, 'since'> = {
  limit: MAX_URLS,
  maxEdges: 0,
  group: 'url',
  by: 'found',
  around: null,
  under: null,
  open: [],
}

export class GraphDeltas {
  readonly #dependencies: GraphDeltaDependencies
  #cleanedAt = 0

  constructor(dependencies: GraphDeltaDependencies) {
    this.#dependencies = dependencies
  }

  async readSince(crawl: Crawl, { version, limit }: { version: number; limit: number }) {
    const { browse, urls, crawls } = this.#dependencies
    const known = version === 0 ? null : await this.#find(crawl.id, version)
    const position = known ?? { since: null, until: null, afterId: 0 }
    const { nodes, version: now } = await browse.graph(crawl.id, { ...ALL_URLS, since: position.since })
    const ids = nodes.map(({ id }) => Number(id)).filter((id) => id > position.afterId)
    const returnedIds = ids.toSorted((a, b) => a - b).slice(0, limit)
    const hasMore = returnedIds.length < ids.length
    const until = position.until ?? now
    const watermark =
      returnedIds.length === 0 && position.afterId === 0 && known !== null
        ? version
        : await this.#save(
            crawl.id,
            hasMore
              ? { since: position.since, until, afterId: returnedIds.at(-1) ?? 0 }
              : { since: until, until: null, afterId: 0 },
            known === null ? 0 : version,
          )
    const mapState = createStateMapper(crawl)
    const rows = await Array.fromAsync(readRowsById(urls, crawl.id, returnedIds))
    const rowsInFlight = await RowsInFlight.read(crawls, crawl.id)
    const finalUrls = await FinalUrls.read(browse, crawl, rows)
    const rawUrls = await RawUrls.read(this.#dependencies, crawl, rows)
    const toJson = (row: UrlRow) => runUrlJson(rowsInFlight.addLease(row), { mapState, finalUrls, rawUrls })
    return {
      urls: rows.map((row) => toDeltaJson(toJson(row), watermark)),
      edges: rows.flatMap((row) => toLineageEdge(row, rawUrls.of(row)) ?? []),
      hasMore,
      watermark,
    }
  }

  async #find(crawlId: string, version: number): Promise<DeltaPosition | null> {
    const stored = await this.#dependencies.positions.find(keyOf(crawlId, version))
    return stored === null ? null : (JSON.parse(stored.answer) as DeltaPosition)
  }

  /** The numbers that a client gets only grow, whichever process it reaches. */
  async #save(crawlId: string, deltaPosition: DeltaPosition, previousVersion: number): Promise<number> {
    const { positions, clock } = this.#dependencies
    const at = clock.now()
    if (at - this.#cleanedAt >= CLEANUP_INTERVAL_MS) {
      this.#cleanedAt = at
      await positions.deleteOlderThan(at - KEY_RETENTION_MS)
    }
    const answer = JSON.stringify(deltaPosition)
    const first = Math.floor(at) * NUMBERS_PER_MS + Math.floor(Math.random() * NUMBERS_PER_MS)
    for (let version = Math.max(previousVersion + 1, first); ; version++) {
      const key = keyOf(crawlId, version)
      await positions.save(key, { fingerprint: crawlId, answer, at })
      // The first position under a key is kept: another process may have chosen the same number.
      if ((await positions.find(key))?.answer === answer) return version
    }
  }
}

function keyOf(crawlId: string, version: number): string {
  return `graph-delta:${crawlId}:${version}`
}

function toDeltaJson(url: ReturnType<typeof runUrlJson>, watermark: number) {
  const { content_type: _type, claimed_at: _at, claimed_by_worker: _by, visited_at: _visited, ...row } = url
  return { ...row, graph_version: String(watermark) }
}

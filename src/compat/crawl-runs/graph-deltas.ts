// Returns the changes of a run's graph since a version. This API uses numeric versions; native versions are strings with
// more information. This process therefore maps numbers to versions in memory. An unknown number starts from the
// beginning; the repeated changes do no harm.

import type { Clock } from '../../lib/clock.ts'
import type { Browse, GraphRequest } from '../../ports/browse.ts'
import type { Crawl, Crawls } from '../../ports/crawls.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'
import { readRowsById } from '../read-rows.ts'
import { FinalUrls } from './final-urls.ts'
import { toLineageEdge } from './lineage.ts'
import { runUrlJson } from './run-json.ts'
import { RowsInFlight } from './run-rows.ts'
import { createStateMapper } from './run-states.ts'

/** The position of a client: in the middle of the changes since a version, or, with `afterId` 0, at their end. */
interface DeltaPosition {
  crawlId: string
  /** Null: from the beginning. */
  since: string | null
  /** The version reached when all changes since `since` have been returned. */
  until: string | null
  afterId: number
}

export interface GraphDeltaDependencies {
  browse: Pick<Browse, 'graph' | 'redirectTargets'>
  crawls: Pick<Crawls, 'urlsInFlight'>
  urls: Pick<Urls, 'rows'>
  clock: Clock
}

const MAX_POSITIONS = 10_000
/** URLs of a run that are read. */
const MAX_URLS = 50_000
const ALL_URLS: Omit<GraphRequest, 'since'> = {
  limit: MAX_URLS,
  maxEdges: 0,
  group: 'url',
  by: 'found',
  around: null,
  under: null,
}

export class GraphDeltas {
  readonly #dependencies: GraphDeltaDependencies
  readonly #positions = new Map<number, DeltaPosition>()
  #lastVersion = 0

  constructor(dependencies: GraphDeltaDependencies) {
    this.#dependencies = dependencies
  }

  async readSince(crawl: Crawl, { version, limit }: { version: number; limit: number }) {
    const { browse, urls, crawls } = this.#dependencies
    const known = this.#positions.get(version)
    const isKnown = known?.crawlId === crawl.id
    const position = isKnown ? known : { since: null, until: null, afterId: 0 }
    const { nodes, version: now } = await browse.graph(crawl.id, { ...ALL_URLS, since: position.since })
    const ids = nodes.map(({ id }) => Number(id)).filter((id) => id > position.afterId)
    const returnedIds = ids.toSorted((a, b) => a - b).slice(0, limit)
    const hasMore = returnedIds.length < ids.length
    const until = position.until ?? now
    const watermark =
      returnedIds.length === 0 && position.afterId === 0 && isKnown
        ? version
        : this.#remember(
            hasMore
              ? { crawlId: crawl.id, since: position.since, until, afterId: returnedIds.at(-1) ?? 0 }
              : { crawlId: crawl.id, since: until, until: null, afterId: 0 },
          )
    const mapState = createStateMapper(crawl)
    const rows = await Array.fromAsync(readRowsById(urls, crawl.id, returnedIds))
    const rowsInFlight = await RowsInFlight.read(crawls, crawl.id)
    const finalUrls = await FinalUrls.read(browse, crawl, rows)
    const toJson = (row: UrlRow) => runUrlJson(rowsInFlight.addLease(row), { crawl, mapState, finalUrls })
    return {
      urls: rows.map((row) => toDeltaJson(toJson(row), watermark)),
      edges: rows.flatMap((row) => toLineageEdge(row) ?? []),
      hasMore,
      watermark,
    }
  }

  /** Numbers only grow, also across restarts, so that an old number never refers to another version. */
  #remember(deltaPosition: DeltaPosition): number {
    this.#lastVersion = Math.max(this.#lastVersion + 1, this.#dependencies.clock.now())
    this.#positions.set(this.#lastVersion, deltaPosition)
    const [oldest] = this.#positions.keys()
    if (this.#positions.size > MAX_POSITIONS && oldest !== undefined) this.#positions.delete(oldest)
    return this.#lastVersion
  }
}

function toDeltaJson(url: ReturnType<typeof runUrlJson>, watermark: number) {
  const { content_type: _type, claimed_at: _at, claimed_by_worker: _by, visited_at: _visited, ...row } = url
  return { ...row, graph_version: String(watermark) }
}

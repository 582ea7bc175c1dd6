// What is new in the graph of a run since a version. The dialect counts versions in numbers; the native ones are texts
// that hold more than a number can. So a number stands for a version, as long as this process remembers it: one that it
// does not know begins from the start, and what then comes again does no harm.

import type { Clock } from '../../lib/clock.ts'
import type { Browse, GraphRequest } from '../../ports/browse.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Urls } from '../../ports/urls.ts'
import { readRowsById, toLineageEdge } from './lineage.ts'
import { runUrlJson } from './run-json.ts'
import { createStateMapper } from './run-states.ts'

/** Where a client stands: in the middle of what was new since a version, or, with `afterId` 0, at its end. */
interface DeltaPosition {
  crawlId: string
  /** Null: from the start. */
  since: string | null
  /** The version that holds when everything since the last one has been told. */
  until: string | null
  afterId: number
}

export interface GraphDeltaDependencies {
  browse: Pick<Browse, 'graph'>
  urls: Pick<Urls, 'rows'>
  clock: Clock
}

const MAX_POSITIONS = 10_000
/** Urls of a run that are looked at. */
const MAX_URLS = 50_000
const ALL: Omit<GraphRequest, 'since'> = {
  ...{ limit: MAX_URLS, maxEdges: 0, group: 'url', by: 'found', around: null, under: null },
}

export class GraphDeltas {
  readonly #dependencies: GraphDeltaDependencies
  readonly #positions = new Map<number, DeltaPosition>()
  #lastVersion = 0

  constructor(parts: GraphDeltaDependencies) {
    this.#dependencies = parts
  }

  async readSince(crawl: Crawl, { version, limit }: { version: number; limit: number }) {
    const { browse, urls } = this.#dependencies
    const known = this.#positions.get(version)
    const isKnown = known?.crawlId === crawl.id
    const mark = isKnown ? known : { since: null, until: null, afterId: 0 }
    const { nodes, version: now } = await browse.graph(crawl.id, { ...ALL, since: mark.since })
    const ids = nodes.map(({ id }) => Number(id)).filter((id) => id > mark.afterId)
    const told = ids.toSorted((a, b) => a - b).slice(0, limit)
    const hasMore = told.length < ids.length
    const until = mark.until ?? now
    const watermark =
      told.length === 0 && mark.afterId === 0 && isKnown
        ? version
        : this.#remember(
            hasMore
              ? { crawlId: crawl.id, since: mark.since, until, afterId: told.at(-1) ?? 0 }
              : { crawlId: crawl.id, since: until, until: null, afterId: 0 },
          )
    const read = createStateMapper(crawl)
    const rows = []
    const edges = []
    for await (const row of readRowsById(urls, crawl.id, told)) {
      rows.push(toDeltaJson(runUrlJson(row, read), watermark))
      const edge = toLineageEdge(row)
      if (edge !== null) edges.push(edge)
    }
    return { urls: rows, edges, hasMore, watermark }
  }

  /** Numbers only grow, also over restarts, so that no number of before stands for something else. */
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

// Counts the URLs of a crawl for all figures in one pass.

import type { UrlState } from '../../lib/states.ts'
import type { Bucket, CrawlStats, HostFigures } from '../../ports/browse.ts'
import { stateFromCode } from '../encoding/state-codes.ts'
import type { Row } from './browse-db.ts'
import { Histogram } from './histogram.ts'
import { isProblem } from './problem-states.ts'

/** Upper bounds in ms; the last bucket has the rest. */
const TIME_BOUNDS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000]
const TOP_TYPES = 30
const TOP_REASONS = 100
/** Servers invent content types: names beyond this number are not distinguished. */
const MAX_NAMES = 5000
const OTHERS = 'other'

export interface HostTotals extends Omit<HostFigures, 'host' | 'meanFetchMs'> {
  fetchMs: number
  fetches: number
}

const NO_URLS: HostTotals = {
  urls: 0,
  queued: 0,
  visited: 0,
  failed: 0,
  excluded: 0,
  bytes: 0,
  fetchMs: 0,
  fetches: 0,
}

export class StatsAccumulator {
  readonly hosts = new Map<number, HostTotals>()
  readonly #statusCodes = new Map<string, number>()
  readonly #contentTypes = new Map<string, number>()
  readonly #reasons = new Map<string, number>()
  readonly #depths = new Map<number, number>()
  readonly #times = TIME_BOUNDS.map(() => 0).concat(0)
  readonly #fetchMs = new Histogram()
  readonly #contentLength = new Histogram()

  /** A URL with its last visit. */
  add(row: Row): void {
    const [status, type, length, fetchMs] = [
      row['http_status'],
      row['content_type'],
      row['content_length'],
      row['fetch_ms'],
    ]
    const depth = Number(row['depth'])
    this.#depths.set(depth, (this.#depths.get(depth) ?? 0) + 1)
    if (typeof row['reason'] === 'string') countName(this.#reasons, row['reason'])
    if (status !== null) countName(this.#statusCodes, String(status))
    if (typeof type === 'string') countName(this.#contentTypes, baseType(type))
    if (typeof length === 'number') this.#contentLength.add(length)
    if (typeof fetchMs === 'number') this.#countTime(fetchMs)
    this.#countHost(row, stateFromCode(Number(row['state'])))
  }

  #countTime(ms: number): void {
    this.#fetchMs.add(ms)
    const at = TIME_BOUNDS.findIndex((bound) => ms <= bound)
    const bucket = at === -1 ? TIME_BOUNDS.length : at
    this.#times[bucket] = (this.#times[bucket] ?? 0) + 1
  }

  #countHost(row: Row, state: UrlState): void {
    const [bytes, fetchMs] = [row['content_length'], row['fetch_ms']]
    addHostFigures(this.hosts, Number(row['host']), {
      state,
      urls: 1,
      bytes: typeof bytes === 'number' ? bytes : 0,
      fetchMs: typeof fetchMs === 'number' ? fetchMs : 0,
      fetches: typeof fetchMs === 'number' ? 1 : 0,
    })
  }

  get stats(): Omit<CrawlStats, 'asOf' | 'hosts'> {
    return {
      statusCodes: topBuckets(this.#statusCodes, MAX_NAMES),
      contentTypes: topBuckets(this.#contentTypes, TOP_TYPES),
      reasons: topBuckets(this.#reasons, TOP_REASONS),
      depths: [...this.#depths].map(([depth, n]) => ({ depth, count: n })).sort((a, b) => a.depth - b.depth),
      hostCount: this.hosts.size,
      fetchTimes: this.#times.map((n, i) => ({ upTo: TIME_BOUNDS[i] ?? null, count: n })),
      fetchMs: percentiles(this.#fetchMs),
      contentLength: { ...percentiles(this.#contentLength), total: this.#contentLength.total },
    }
  }
}

/** Adds URLs of one state to the figures of their host. */
export function addHostFigures(
  hosts: Map<number, HostTotals>,
  id: number,
  { state, ...added }: Pick<HostTotals, 'urls' | 'bytes' | 'fetchMs' | 'fetches'> & { state: UrlState },
): void {
  const host = hosts.get(id) ?? { ...NO_URLS }
  hosts.set(id, host)
  host.urls += added.urls
  host.bytes += added.bytes
  host.fetchMs += added.fetchMs
  host.fetches += added.fetches
  if (state === 'queued' || state === 'in_progress') host.queued += added.urls
  if (state === 'visited') host.visited += added.urls
  if (state === 'excluded') host.excluded += added.urls
  if (isProblem(state)) host.failed += added.urls
}

export function toHostFigures(host: string, { fetchMs, fetches, ...counted }: HostTotals): HostFigures {
  return { host, ...counted, meanFetchMs: fetches === 0 ? null : Math.round(fetchMs / fetches) }
}

function countName(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < MAX_NAMES ? name : OTHERS
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function baseType(type: string): string {
  const at = type.indexOf(';')
  return (at === -1 ? type : type.slice(0, at)).trim().toLowerCase()
}

function topBuckets(counts: Map<string, number>, limit: number): Bucket[] {
  const buckets = [...counts].map(([key, n]) => ({ key, count: n }))
  return buckets.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, limit)
}

function percentiles(histogram: Histogram): CrawlStats['fetchMs'] {
  const [p50, p90, p99] = [histogram.percentile(0.5), histogram.percentile(0.9), histogram.percentile(0.99)]
  return { p50, p90, p99, max: histogram.max }
}

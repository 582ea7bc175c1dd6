// Computes from visits how hosts were treated, and reads what was rejected from the other tables.

import { mergedStateSql } from '../../frontier/judge-pattern.ts'
import type { RejectedLinkExample } from '../../ports/crawls.ts'
import type { BrokenSitemap, Diagnostics, HostMeasurements, HostPoliteness } from '../../ports/diagnostics.ts'
import type { HostRequests } from '../../ports/frontier.ts'
import { PATTERN_STATE, type PatternRow, type PatternState } from '../../ports/patterns.ts'
import type { RobotsCopy } from '../../ports/robots.ts'
import { crawlRowId } from '../crawls/postgres-crawl-reader.ts'
import { IN_PROGRESS, QUEUED, SITEMAP_KIND, stateCode, stateFromCode, TRAP_REASON } from '../encoding/state-codes.ts'
import type { Connections, Row } from '../postgres/query.ts'
import { inSnapshot, readInSnapshot, streamRows } from '../postgres/snapshot.ts'
import { toRobotsCopy } from '../robots/robots-copy.ts'
import { measuredByRequests, toHostMeasurements, toHostRequests, withRequests } from './host-measurements.ts'
import { RequestTiming } from './request-timing.ts'

const HOSTS = `select h.id, h.name, h.gap_ms, h.concurrency_limit, u.denied
  from (select host, count(*) filter (where state = ${stateCode('excluded')} and reason like 'robots%') as denied
        from urls where crawl = $1 group by host) u
    join hosts h on h.id = u.host
  order by h.name collate "C"`

const HOSTS_NAMED = `select h.id, h.name, h.gap_ms, h.concurrency_limit, u.denied
  from (select host, count(*) filter (where state = ${stateCode('excluded')} and reason like 'robots%') as denied
        from urls where crawl = $1 and host in (select id from hosts where name = any($2)) group by host) u
    join hosts h on h.id = u.host
  order by h.name collate "C"`

const TIMES_OF_HOSTS = `select host, visited_at - fetch_ms as start, visited_at as end from visits
  where crawl = $1 and host = any($2) and fetch_ms is not null order by start`

const COPIES = `select * from robots where origin in ('http://' || $1, 'https://' || $1) order by origin`

/** A visit is recorded when it ends, with its duration. */
const TIMES = `select visited_at - fetch_ms as start, visited_at as end from visits
  where crawl = $1 and host = $2 and fetch_ms is not null order by start`

const { excluded, proven, suspected, released } = PATTERN_STATE
/** Each thread has its own row for a pattern. */
const PATTERNS = `select p.pattern, p.state, p.visits, p.fruitless, coalesce(s.n, 0) as excluded_urls, s.example
  from (select pattern, sum(visits)::bigint as visits, sum(fruitless)::bigint as fruitless,
          ${mergedStateSql()} as state
        from patterns where crawl = $1 group by pattern) p
    left join (select reason, count(*) as n, min(url collate "C") as example from urls
        where crawl = $1 and reason like '${TRAP_REASON}%' group by reason) s
      on s.reason = '${TRAP_REASON}' || p.pattern
  where p.state in ('${excluded}', '${released}') or s.n > 0 or p.pattern in (select h.pattern from held_urls h where h.crawl = $1)
  order by array_position(array['${excluded}', '${proven}', '${suspected}', '${released}'], p.state), excluded_urls desc, p.fruitless desc,
    p.pattern collate "C"`

const EXAMPLES = `select s.reason, s.sample, coalesce(u.url, '') as page
  from rejection_samples s left join urls u on u.crawl = s.crawl and u.id = s.url_id
  where s.crawl = $1 order by s.reason collate "C", s.sample collate "C"`

const REQUESTS = `select host, sum(sent)::bigint as sent, sum(rendered)::bigint as rendered from host_requests
  where crawl = $1 group by host order by host collate "C"`

const MAX_SITEMAPS = 10

const BROKEN_SITEMAPS = `select url, state, reason from urls
  where crawl = $1 and kind = ${SITEMAP_KIND} and state not in (${QUEUED}, ${IN_PROGRESS}, ${stateCode('excluded')})
    and (state not in (${stateCode('visited')}, ${stateCode('redirected')}) or reason is not null)
  order by id limit ${MAX_SITEMAPS}`

export class PostgresDiagnostics implements Diagnostics {
  readonly #db: Connections

  constructor(db: Connections) {
    this.#db = db
  }

  async *politeness(crawlId: string): AsyncGenerator<HostPoliteness> {
    const crawl = await crawlRowId(this.#db, crawlId)
    const requests = await this.#readRequests(crawl)
    for (const host of await readInSnapshot(this.#db, { text: HOSTS, values: [crawl] })) {
      const name = String(host['name'])
      const timing = withRequests(await this.#readTiming(crawl, Number(host['id'])), requests.get(name))
      requests.delete(name)
      yield { ...toHostMeasurements(host), ...timing, robots: await this.#readRobots(name) }
    }
    for (const [name, counts] of requests)
      yield { ...measuredByRequests(name, counts), robots: await this.#readRobots(name) }
  }

  async #readRobots(host: string): Promise<RobotsCopy[]> {
    const { rows } = await this.#db.query({ name: 'robots_of_host', text: COPIES, values: [host] })
    return rows.map(toRobotsCopy)
  }

  async #readRequests(crawl: number): Promise<Map<string, HostRequests>> {
    return toHostRequests(await readInSnapshot(this.#db, { text: REQUESTS, values: [crawl] }))
  }

  async measureHosts(crawlId: string, hosts: readonly string[]): Promise<HostMeasurements[]> {
    const crawl = await crawlRowId(this.#db, crawlId)
    const rows = await readInSnapshot(this.#db, { text: HOSTS_NAMED, values: [crawl, hosts] })
    const timings = new Map(rows.map(({ id }) => [Number(id), new RequestTiming()]))
    await inSnapshot(this.#db, async (connection) => {
      const visits = streamRows(connection, { text: TIMES_OF_HOSTS, values: [crawl, [...timings.keys()]] })
      for await (const visit of visits) {
        timings.get(Number(visit['host']))?.add(Number(visit['start']), Number(visit['end']))
      }
    })
    const requests = await this.#readRequests(crawl)
    return rows.map((row) => {
      const { result } = timings.get(Number(row['id'])) ?? new RequestTiming()
      return { ...toHostMeasurements(row), ...withRequests(result, requests.get(String(row['name']))) }
    })
  }

  #readTiming(crawl: number, host: number): Promise<RequestTiming['result']> {
    return inSnapshot(this.#db, async (connection) => {
      const requestTiming = new RequestTiming()
      for await (const visit of streamRows(connection, { text: TIMES, values: [crawl, host] })) {
        requestTiming.add(Number(visit['start']), Number(visit['end']))
      }
      return requestTiming.result
    })
  }

  async patterns(crawlId: string): Promise<PatternRow[]> {
    return (await this.#rowsOf(crawlId, PATTERNS)).map((row) => ({
      pattern: String(row['pattern']),
      state: row['state'] as PatternState,
      visits: Number(row['visits']),
      fruitless: Number(row['fruitless']),
      excludedUrls: Number(row['excluded_urls']),
      example: row['example'] as string | null,
    }))
  }

  async rejectedExamples(crawlId: string): Promise<RejectedLinkExample[]> {
    return (await this.#rowsOf(crawlId, EXAMPLES)).map((row) => ({
      reason: String(row['reason']),
      text: String(row['sample']),
      pageUrl: String(row['page']),
    }))
  }

  async brokenSitemaps(crawlId: string): Promise<BrokenSitemap[]> {
    return (await this.#rowsOf(crawlId, BROKEN_SITEMAPS)).map((row) => ({
      url: String(row['url']),
      state: stateFromCode(Number(row['state'])),
      reason: row['reason'] as string | null,
    }))
  }

  async #rowsOf(crawlId: string, text: string): Promise<Row[]> {
    return readInSnapshot(this.#db, { text, values: [await crawlRowId(this.#db, crawlId)] })
  }
}

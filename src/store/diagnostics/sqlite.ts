// Computes from visits how hosts were treated, and reads what was rejected from the other tables.

import type { DatabaseSync } from 'node:sqlite'
import type { RejectedLinkExample } from '../../ports/crawls.ts'
import type { BrokenSitemap, Diagnostics, HostMeasurements, HostPoliteness } from '../../ports/diagnostics.ts'
import type { HostRequests } from '../../ports/frontier.ts'
import type { PatternRow } from '../../ports/patterns.ts'
import { crawlRowId } from '../crawls/sqlite.ts'
import { QUEUED, SITEMAP_KIND, stateCode, stateFromCode } from '../encoding/state-codes.ts'
import { listPatterns } from '../frontier/sqlite/discovery/patterns.ts'
import { toRobotsCopy } from '../robots/robots-copy.ts'
import {
  type HostTiming,
  measuredByRequests,
  toHostMeasurements,
  toHostRequests,
  withRequests,
} from './host-measurements.ts'
import { RequestTiming } from './request-timing.ts'

const MAX_SITEMAPS = 10

const DENIED = `u.state = ${stateCode('excluded')} and u.reason like 'robots%'`
const HOSTS = `select h.id, h.name, h.gap_ms, h.concurrency_limit, count(*) filter (where ${DENIED}) as denied
  from urls u join hosts h on h.id = u.host where u.crawl = ?1`

export class SqliteDiagnostics implements Diagnostics {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async *politeness(crawlId: string): AsyncGenerator<HostPoliteness> {
    const crawl = crawlRowId(this.#db, crawlId)
    const hosts = this.#db.prepare(`${HOSTS} group by h.id order by h.name`)
    const copies = this.#db.prepare(`select * from robots where origin in ('http://' || ?1, 'https://' || ?1)`)
    const requests = this.#readRequests(crawl)
    for (const host of hosts.all(crawl)) {
      const name = String(host['name'])
      const robots = copies.all(name).map(toRobotsCopy)
      const timing = withRequests(this.#readTiming(crawl, Number(host['id'])), requests.get(name))
      requests.delete(name)
      yield { ...toHostMeasurements(host), ...timing, robots }
    }
    for (const [name, counts] of requests)
      yield { ...measuredByRequests(name, counts), robots: copies.all(name).map(toRobotsCopy) }
  }

  async measureHosts(crawlId: string, hosts: readonly string[]): Promise<HostMeasurements[]> {
    const crawl = crawlRowId(this.#db, crawlId)
    const names = JSON.stringify(hosts)
    const rows = this.#db
      .prepare(`${HOSTS} and h.name in (select value from json_each(?2)) group by h.id order by h.name`)
      .all(crawl, names)
    const visits = this.#db.prepare(
      `select u.host, v.visited_at - v.fetch_ms as start, v.visited_at as end from urls u join visits v on v.url_id = u.id
       where u.crawl = ?1 and u.host in (select id from hosts where name in (select value from json_each(?2)))
         and v.fetch_ms is not null order by start`,
    )
    const timings = new Map(rows.map(({ id }) => [Number(id), new RequestTiming()]))
    for (const { host, start, end } of visits.iterate(crawl, names)) {
      timings.get(Number(host))?.add(Number(start), Number(end))
    }
    const requests = this.#readRequests(crawl)
    return rows.map((row) => {
      const { result } = timings.get(Number(row['id'])) ?? new RequestTiming()
      return { ...toHostMeasurements(row), ...withRequests(result, requests.get(String(row['name']))) }
    })
  }

  #readRequests(crawl: number): Map<string, HostRequests> {
    return toHostRequests(this.#db.prepare('select * from host_requests where crawl = ? order by host').all(crawl))
  }

  /** A visit is recorded when it ends, with its duration. */
  #readTiming(crawl: number, host: number): HostTiming {
    const visits = this.#db.prepare(
      `select v.visited_at - v.fetch_ms as start, v.visited_at as end from urls u join visits v on v.url_id = u.id
       where u.crawl = ? and u.host = ? and v.fetch_ms is not null order by start`,
    )
    const requestTiming = new RequestTiming()
    for (const visit of visits.iterate(crawl, host)) requestTiming.add(Number(visit['start']), Number(visit['end']))
    return requestTiming.result
  }

  async patterns(crawlId: string): Promise<PatternRow[]> {
    return listPatterns(this.#db, crawlRowId(this.#db, crawlId))
  }

  async rejectedExamples(crawlId: string): Promise<RejectedLinkExample[]> {
    const rows = this.#db
      .prepare(
        `select s.reason, s.sample, coalesce(u.url, '') as page from rejection_samples s left join urls u on u.id = s.url_id
         where s.crawl = ? order by s.reason, s.sample`,
      )
      .all(crawlRowId(this.#db, crawlId))
    return rows.map((row) => ({
      reason: String(row['reason']),
      text: String(row['sample']),
      pageUrl: String(row['page']),
    }))
  }

  async brokenSitemaps(crawlId: string): Promise<BrokenSitemap[]> {
    const rows = this.#db
      .prepare(
        `select url, state, reason from urls where crawl = ? and kind = ${SITEMAP_KIND}
           and state not in (${QUEUED}, ${stateCode('excluded')})
           and (state not in (${stateCode('visited')}, ${stateCode('redirected')}) or reason is not null)
         order by id limit ${MAX_SITEMAPS}`,
      )
      .all(crawlRowId(this.#db, crawlId))
    return rows.map((row) => ({
      url: String(row['url']),
      state: stateFromCode(Number(row['state'])),
      reason: row['reason'] as string | null,
    }))
  }
}

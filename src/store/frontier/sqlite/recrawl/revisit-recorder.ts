// Writes what a visit says about the next one, in the commit of the visit. Only for crawls with --recrawl.

import type { DatabaseSync } from 'node:sqlite'
import { type HostFreshness, hostGain, isEmptyGain, priorOfHost } from '../../../../frontier/host-freshness.ts'
import { GROUP_KEEP } from '../../../../frontier/recrawl/priors.ts'
import { addVisit, type PlanContext, planRevisit, type RevisitHistory } from '../../../../frontier/revisit-plan.ts'
import type { CrawlSettings } from '../../../../ports/crawls.ts'
import type { VisitReport } from '../../../../ports/frontier.ts'
import {
  HISTORY_COLUMNS,
  HOST_COUNTS,
  HOST_RATES,
  historyValues,
  hostGainValues,
  toHistory,
  toHostFreshness,
  toVisitEnd,
} from '../../revisit-row.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'
import { type Hosts, settingsAt } from '../hosts.ts'

export class RevisitRecorder {
  readonly #hosts: Pick<Hosts, 'byId'>
  readonly #find
  readonly #save
  readonly #threshold
  readonly #findHost
  readonly #addToHost

  constructor(db: DatabaseSync, hosts: Pick<Hosts, 'byId'>) {
    this.#hosts = hosts
    const columns = ['url_id', 'crawl', 'due_at', ...HISTORY_COLUMNS]
    this.#find = db.prepare('select * from revisits where url_id = ?')
    this.#save = db.prepare(
      `insert into revisits (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
       on conflict (url_id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    )
    this.#threshold = db.prepare('select threshold from recrawls where crawl = ?')
    this.#findHost = db.prepare('select * from revisit_hosts where crawl = ? and host = ?')
    const sums = [
      ...HOST_COUNTS.map((name) => `${name} = ${name} + excluded.${name}`),
      ...HOST_RATES.map((name) => `${name} = ${name} * ${GROUP_KEEP} + excluded.${name}`),
    ]
    this.#addToHost = db.prepare(
      `insert into revisit_hosts (crawl, host, ${[...HOST_COUNTS, ...HOST_RATES].join(', ')})
       values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (crawl, host) do update set ${sums.join(', ')}`,
    )
  }

  /** The outcome is final. Returns the history before; null if the URL had none. */
  record(
    crawl: ActiveCrawl,
    url: { id: number; hostId: number },
    visit: VisitReport,
    now: number,
  ): RevisitHistory | null {
    const row = this.#find.get(url.id)
    const before = row === undefined ? null : toHistory(row)
    const end = toVisitEnd(visit)
    if (end === null) return before
    const prior = priorOfHost(this.hostOf(crawl, url.hostId))
    const after = addVisit(before, end, { now, prior })
    const gain = hostGain(before, end, { after, prior })
    if (!isEmptyGain(gain)) this.#addToHost.run(crawl.rowId, url.hostId, ...hostGainValues(gain))
    this.plan(crawl, url, after, now)
    return before
  }

  hostOf(crawl: ActiveCrawl, hostId: number): HostFreshness {
    return toHostFreshness(this.#findHost.get(crawl.rowId, hostId))
  }

  /** Saves the history and the time of the next visit, as of a visit at `from`. */
  plan(crawl: ActiveCrawl, url: { id: number; hostId: number }, history: RevisitHistory, from: number): void {
    const dueAt = planRevisit(history, this.settingsAt(crawl, url.hostId), this.#contextOf(crawl, url.hostId), from)
    const planned = { ...history, intervalMs: dueAt - from }
    this.#save.run(url.id, crawl.rowId, dueAt, ...historyValues(planned))
  }

  /** With the bounds of the host's policy. */
  settingsAt({ settings }: ActiveCrawl, hostId: number): CrawlSettings {
    const host = this.#hosts.byId(hostId)
    return host === undefined ? settings : settingsAt(settings, host)
  }

  #contextOf(crawl: ActiveCrawl, hostId: number): PlanContext {
    const threshold = this.#threshold.get(crawl.rowId)?.['threshold'] ?? null
    return {
      threshold: threshold === null ? null : Number(threshold),
      prior: priorOfHost(this.hostOf(crawl, hostId)),
    }
  }
}

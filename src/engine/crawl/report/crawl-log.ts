// What the log hears of the urls and hosts of a crawl. A visit is a line at the level debug; when nobody wants those,
// nothing is made up for them: 20 ns a visit (2026-11).

import { asAppError } from '../../../lib/errors.ts'
import { type Log, type LogLevel, logAt } from '../../../lib/log.ts'
import { redactLink } from '../../../lib/redact.ts'
import type { HostHealth, LeasedUrl, VisitOutcome, VisitReport } from '../../../ports/frontier.ts'
import type { PatternReport } from '../../../ports/patterns.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import type { HostEvent } from '../hosts/host-events.ts'
import type { RejectedLink } from '../links/rejections.ts'

export interface HostChange {
  host: string
  event: HostEvent
  before: HostHealth
  after: HostHealth
  /** What brought the change. */
  result: FetchResult
  /** When it may be asked again. */
  nextAt: number
  now: number
}

const URL_EVENTS: Record<VisitOutcome['state'], string> = {
  visited: 'url visited',
  redirected: 'url redirected',
  forbidden: 'url forbidden',
  not_found: 'url not found',
  http_error: 'url failed',
  failed: 'url failed',
  excluded: 'url excluded',
  retry: 'url retried',
}
const HOST_EVENTS: Record<HostEvent, { level: LogLevel; event: string }> = {
  set_aside: { level: 'info', event: 'host set aside' },
  answers_again: { level: 'info', event: 'host answers again' },
  given_up: { level: 'warn', event: 'host given up' },
  refuses: { level: 'info', event: 'host refuses' },
}
/** Of a link that is no url: enough to know it by, and to see a password in it as such before it is cut. */
const MAX_LINK = 200
const MAX_LOOKED_AT = 4096

export class CrawlLog {
  readonly #log: Log
  readonly #about: { crawl: string; worker: string }

  constructor(log: Log, about: { crawl: string; worker: string }) {
    this.#log = log
    this.#about = about
  }

  /** What became of a visit; `result` is null when it was decided without a request. */
  logVisit(url: LeasedUrl, host: string, { outcome, facts }: VisitReport, result: FetchResult | null): void {
    if (!this.#log.wants('debug')) return
    this.#log.debug(URL_EVENTS[outcome.state], {
      ...this.#about,
      host,
      url: url.url,
      state: outcome.state,
      reason: outcome.reason,
      detail: result === null ? null : detailOf(result),
      http_status: result === null ? null : statusOf(result),
      ms: result?.fetchMs ?? null,
      attempt: facts === null ? null : url.attempts + 1,
    })
  }

  logRejectedLink({ reason, text, pageUrl }: RejectedLink): void {
    if (!this.#log.wants('debug')) return
    const link = redactLink(text.slice(0, MAX_LOOKED_AT)).slice(0, MAX_LINK)
    this.#log.debug('link dropped', { ...this.#about, reason, link, page: pageUrl })
  }

  logHostChange({ host, event: news, before, after, result, nextAt, now }: HostChange): void {
    const { level, event } = HOST_EVENTS[news]
    const status = statusOf(result)
    const fields = { ...this.#about, host, detail: detailOf(result), http_status: status }
    if (news === 'answers_again') return this.#log(event, { ...fields, ...silenceOf(before, now) })
    const reason =
      result.kind === 'failure' ? result.problem : result.retryAfter === null ? `http_${status}` : 'retry_after'
    const until = new Date(news === 'given_up' ? after.downUntil : nextAt).toISOString()
    logAt(this.#log, level, event, { ...fields, reason, ...silenceOf(after, now), until })
  }

  logTrap({ pattern, visits, fruitless }: PatternReport): void {
    const host = pattern.slice(0, pattern.indexOf('/'))
    this.#log.warn('trap found', { ...this.#about, host, pattern, reason: 'repeats_itself', visits, fruitless })
  }

  /** A defect of ours: the crawl ends here for now, and it should be known at which page. */
  logUnreadPage(url: LeasedUrl, host: string, error: unknown): void {
    const { code, message } = asAppError(error)
    this.#log.warn('page not read', { ...this.#about, host, url: url.url, code, message })
  }
}

function silenceOf({ failures, failingSince }: HostHealth, now: number) {
  return { failures: failures || null, silent_ms: failingSince === 0 ? null : now - failingSince }
}

function statusOf(result: FetchResult): number | null {
  return result.kind === 'failure' ? null : result.status
}

function detailOf(result: FetchResult): string | null {
  return result.kind === 'failure' && result.detail !== '' ? result.detail : null
}

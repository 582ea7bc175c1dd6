// Log lines about the URLs and hosts of a crawl. A visit is a line at debug level; while that level is off, a visit
// costs 20 ns and builds nothing (2026-11).

import { asAppError, bugStack } from '../../../lib/errors.ts'
import { type Log, type LogLevel, logAt } from '../../../lib/log.ts'
import { redactLink } from '../../../lib/redact.ts'
import type { HostHealth, LeasedUrl } from '../../../ports/leases.ts'
import type { PatternReport } from '../../../ports/patterns.ts'
import type { VisitOutcome, VisitReport } from '../../../ports/visits.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import type { HostEvent } from '../hosts/host-events.ts'
import type { RejectedLink } from '../links/rejections.ts'

export interface HostChange {
  host: string
  event: HostEvent
  before: HostHealth
  after: HostHealth
  /** The result that caused the change. */
  result: FetchResult
  /** When the next request may start. */
  nextAt: number
  now: number
}

const URL_MESSAGES: Record<VisitOutcome['state'], string> = {
  visited: 'url visited',
  redirected: 'url redirected',
  forbidden: 'url forbidden',
  not_found: 'url not found',
  http_error: 'url failed',
  failed: 'url failed',
  excluded: 'url excluded',
  retry: 'url retried',
}
const HOST_EVENTS: Record<HostEvent, { level: LogLevel; message: string }> = {
  suspended: { level: 'info', message: 'host suspended' },
  recovered: { level: 'info', message: 'host responds again' },
  given_up: { level: 'warn', message: 'host given up' },
  refuses: { level: 'info', message: 'host refuses' },
}
/** A rejected link is logged with this many characters. */
const MAX_LINK = 200
/** Passwords are redacted in this many characters, before the link is cut. */
const MAX_REDACTED = 4096

export class CrawlLog {
  readonly #log: Log
  readonly #context: { crawl: string; worker: string }

  constructor(log: Log, context: { crawl: string; worker: string }) {
    this.#log = log
    this.#context = context
  }

  /** Logs that pages of a host keep matching rules for harmful scripts. */
  logHostBlocked(host: string, rule: string | null): void {
    this.#log.warn('scripts of a host keep being blocked', { ...this.#context, host, rule })
  }

  /** `result` is null if the visit ended without a request. */
  logVisit(url: LeasedUrl, host: string, { outcome, facts }: VisitReport, result: FetchResult | null): void {
    if (!this.#log.wants('debug')) return
    this.#log.debug(URL_MESSAGES[outcome.state], {
      ...this.#context,
      host,
      url: url.url,
      url_id: url.id,
      state: outcome.state,
      reason: outcome.reason,
      detail: result === null ? null : detailOf(result),
      http_status: result === null ? null : statusOf(result),
      ms: result?.fetchMs ?? null,
      ...(result?.proxy === undefined ? {} : { proxy: result.proxy }),
      attempt: facts === null ? null : url.attempts + 1,
    })
  }

  logRejectedLink({ reason, text, pageUrl }: RejectedLink): void {
    if (!this.#log.wants('debug')) return
    const link = redactLink(text.slice(0, MAX_REDACTED)).slice(0, MAX_LINK)
    this.#log.debug('link dropped', { ...this.#context, reason, link, page: pageUrl })
  }

  logHostChange({ host, event, before, after, result, nextAt, now }: HostChange): void {
    const { level, message } = HOST_EVENTS[event]
    const status = statusOf(result)
    const fields = { ...this.#context, host, detail: detailOf(result), http_status: status }
    if (event === 'recovered') return this.#log(message, { ...fields, ...silenceOf(before, now) })
    const reason =
      result.kind === 'failure' ? result.problem : result.retryAfter === null ? `http_${status}` : 'retry_after'
    const until = new Date(event === 'given_up' ? after.downUntil : nextAt).toISOString()
    logAt(this.#log, level, message, { ...fields, reason, ...silenceOf(after, now), until })
  }

  logTrap({ pattern, visits, fruitless }: PatternReport): void {
    const host = pattern.slice(0, pattern.indexOf('/'))
    this.#log.warn('trap found', { ...this.#context, host, pattern, reason: 'repeats_itself', visits, fruitless })
  }

  /** A bug in our code: the crawl fails on this worker for now. The line says which page caused it. */
  logUnreadPage(url: LeasedUrl, host: string, error: unknown): void {
    const { code, message } = asAppError(error)
    this.#log.warn('page not read', { ...this.#context, host, url: url.url, code, message, stack: bugStack(error) })
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

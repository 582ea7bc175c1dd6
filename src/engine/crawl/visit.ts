// The path of one url from its answer to its report, in order: judge, hash, extract, admit.

import { hash } from 'node:crypto'
import type { LeasedUrl, VisitFacts, VisitReport } from '../../ports/frontier.ts'
import type { FetchResponse, FetchResult } from '../fetch/result.ts'
import { decodeHtml } from '../parse/charset.ts'
import { isHtml, sniffHtml } from '../parse/content-type.ts'
import { readHtml } from '../parse/html.ts'
import { normaliseUrl } from '../url/normalise.ts'
import { Resolver } from '../url/resolve.ts'
import type { Admit, Admitted } from './admit.ts'
import { judge, type RetryPolicy } from './verdict.ts'

export interface VisitParts {
  admit: Admit
  policy: RetryPolicy
  followRedirects: boolean
  random: () => number
}

/** More hops than this from the last link end a chain of redirects. */
export const MAX_HOPS = 10
const MAX_TITLE = 500

const NOTHING: Admitted = { found: [], linkKeys: null }

export function reportVisit(
  leased: { token: number; url: LeasedUrl },
  result: FetchResult,
  parts: VisitParts,
  now: number,
): VisitReport {
  const { token, url } = leased
  const verdict = judge(result, parts.policy, { attempts: url.attempts, now, luck: parts.random() })
  const facts = factsOf(result, now)
  const report: VisitReport = { token, urlId: url.id, verdict, facts, ...NOTHING }
  if (result.kind === 'failure') return report
  if (verdict.state === 'redirected') followRedirect(report, url, result, parts)
  if (verdict.state === 'visited') readPage(report, url, result, parts)
  return report
}

function factsOf(result: FetchResult, now: number): VisitFacts {
  const isResponse = result.kind === 'response'
  return {
    httpStatus: isResponse ? result.status : null,
    contentType: isResponse && result.contentType !== '' ? result.contentType : null,
    contentLength: isResponse ? result.body.length : null,
    contentHash: isResponse && result.status === 200 ? hash('sha256', result.body, 'buffer') : null,
    title: null,
    redirectTo: null,
    fetchMs: result.fetchMs,
    ip: result.ip,
    visitedAt: now,
  }
}

function followRedirect(report: VisitReport, url: LeasedUrl, result: FetchResponse, parts: VisitParts): void {
  const location = result.location ?? ''
  const target = normaliseUrl(location, url.url)
  report.facts.redirectTo = 'url' in target ? target.url : location
  if (!parts.followRedirects) return
  if (url.hops >= MAX_HOPS) {
    report.verdict = { state: 'redirected', reason: 'too_many_redirects' }
    return
  }
  Object.assign(report, parts.admit.links([{ href: location }], new Resolver(url.url), url.depth, true))
}

function readPage(report: VisitReport, url: LeasedUrl, result: FetchResponse, parts: VisitParts): void {
  const { body, contentType } = result
  if (!(contentType === '' ? sniffHtml(body) : isHtml(contentType))) return
  const page = readHtml(decodeHtml(body, contentType).text, false)
  report.facts.title = page.title.length > MAX_TITLE ? page.title.slice(0, MAX_TITLE) : page.title
  const base = page.baseHref === null ? null : normaliseUrl(page.baseHref, url.url)
  const resolver = new Resolver(base !== null && 'url' in base ? base.url : url.url)
  Object.assign(report, parts.admit.links(page.links, resolver, url.depth, false))
}

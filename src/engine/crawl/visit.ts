// The path of one url from its answer to its report, in order: judge, hash, extract, admit.

import { hash } from 'node:crypto'
import { detach } from '../../lib/detach.ts'
import type { FoundUrl, LeasedUrl, VisitFacts, VisitReport } from '../../ports/frontier.ts'
import type { FetchResponse, FetchResult } from '../fetch/result.ts'
import { decodeHtml } from '../parse/charset.ts'
import { isHtml, sniffHtml } from '../parse/content-type.ts'
import { readHtml } from '../parse/html.ts'
import type { Permit } from '../robots/gate.ts'
import { normaliseUrl } from '../url/normalise.ts'
import { Resolver } from '../url/resolve.ts'
import type { Admit, LinkPlace } from './admit.ts'
import { judge, type RetryPolicy, retryOr } from './verdict.ts'

export interface VisitParts {
  admit: Admit
  policy: RetryPolicy
  followRedirects: boolean
  random: () => number
}

const MAX_TITLE = 500

const NOTHING = { found: [] as FoundUrl[], links: 0 }

export function reportVisit(
  leased: { token: number; url: LeasedUrl },
  result: FetchResult,
  parts: VisitParts,
  now: number,
): VisitReport {
  const { token, url } = leased
  const verdict = judge(result, parts.policy, { attempts: url.attempts, now, luck: parts.random() })
  const facts = factsOf(result, now)
  const report: FetchedReport = { token, urlId: url.id, verdict, facts, ...NOTHING }
  if (result.kind === 'failure') return report
  if (verdict.state === 'redirected') followRedirect(report, url, result, parts)
  if (verdict.state === 'visited') readPage(report, url, result, parts)
  return report
}

/** A url that robots.txt keeps us from: for good by a rule, or for now because the rules cannot be had. */
export function reportDenied(
  leased: { token: number; url: LeasedUrl },
  permit: Exclude<Permit, { kind: 'allowed' | 'unknown' }>,
  parts: VisitParts,
  now: number,
): VisitReport {
  const { token, url } = leased
  const report = { token, urlId: url.id, ...NOTHING }
  if (permit.kind === 'denied') {
    return { ...report, verdict: { state: 'excluded', reason: permit.reason }, facts: null }
  }
  const attempt = { attempts: url.attempts, now, luck: parts.random() }
  const verdict = retryOr('excluded', permit.reason, permit.until - now, parts.policy, attempt)
  return { ...report, verdict, facts: verdict.state === 'retry' ? { ...NO_ANSWER, visitedAt: now } : null }
}

type FetchedReport = VisitReport & { facts: VisitFacts }

const NO_ANSWER: VisitFacts = {
  httpStatus: null,
  contentType: null,
  contentLength: null,
  contentHash: null,
  title: null,
  redirectTo: null,
  fetchMs: null,
  ip: null,
  visitedAt: 0,
}

function factsOf(result: FetchResult, now: number): VisitFacts {
  const facts = { ...NO_ANSWER, fetchMs: result.fetchMs, ip: result.ip, visitedAt: now }
  if (result.kind === 'failure') return facts
  facts.httpStatus = result.status
  facts.contentType = result.contentType === '' ? null : result.contentType
  facts.contentLength = result.body.length
  facts.contentHash = result.status === 200 ? hash('sha256', result.body, 'hex') : null
  return facts
}

function followRedirect(report: FetchedReport, url: LeasedUrl, result: FetchResponse, parts: VisitParts): void {
  const location = result.location ?? ''
  const target = normaliseUrl(location, url.url)
  report.facts.redirectTo = 'url' in target ? target.url : location
  if (!parts.followRedirects) return
  addLinks(
    report,
    [{ href: location }],
    { resolver: new Resolver(url.url), depth: url.depth, hops: url.hops + 1 },
    parts,
  )
}

function readPage(report: FetchedReport, url: LeasedUrl, result: FetchResponse, parts: VisitParts): void {
  const { body, contentType } = result
  if (!(contentType === '' ? sniffHtml(body) : isHtml(contentType))) return
  const page = readHtml(decodeHtml(body, contentType).text, false)
  report.facts.title = detach(page.title.slice(0, MAX_TITLE))
  const base = page.baseHref === null ? null : normaliseUrl(page.baseHref, url.url)
  const resolver = new Resolver(base !== null && 'url' in base ? base.url : url.url)
  addLinks(report, page.links, { resolver, depth: url.depth + 1, hops: 0 }, parts)
}

function addLinks(report: VisitReport, links: { href: string }[], place: LinkPlace, parts: VisitParts): void {
  report.found = parts.admit.links(links, place)
  report.links = parts.admit.linkKeys.onPage
}

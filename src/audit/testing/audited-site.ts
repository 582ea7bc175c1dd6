// Audits a site that a test describes: a real store, real rules, and pages whose bytes are in memory. What a crawl
// would learn about a page is read from its HTML.

import { readHtml } from '../../engine/parse/html-reader.ts'
import { profileText } from '../../engine/text/text-profiler.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { urlKey } from '../../engine/url/url-key.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { TerminalState } from '../../lib/states.ts'
import type { Position } from '../../ports/archive.ts'
import type { AuditFinding, AuditSummary } from '../../ports/audits.ts'
import { archivedVisit, hashOf } from '../../ports/contracts/testing/page-visits.ts'
import { StoreHarness, TEST_SETTINGS, type TestStore } from '../../ports/contracts/testing/store-harness.ts'
import type { Lease, LeasedUrl } from '../../ports/leases.ts'
import type { FoundUrl, UrlKind, VisitReport } from '../../ports/visits.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import type { Rule } from '../rule.ts'
import { runAudit } from '../run-audit.ts'

export interface TestPage {
  html?: string
  status?: number
  /** A redirect, with status 301 unless given. */
  to?: string
  /** No response, for this reason. */
  problem?: string
  /** If set, the page is a sitemap of these URLs. */
  lists?: string[]
  contentType?: string
  headers?: [string, string][]
  fetchMs?: number
  bytes?: number
  isArchived?: boolean
  isUnreadable?: boolean
}

/** Pages by path on https://site.test, or by URL. The first one is the seed; sitemaps are seeds too. */
export type TestSite = Record<string, string | TestPage>

export interface AuditResult {
  summary: AuditSummary
  /** Paths and details in short, as tests compare them. */
  found: string[]
  findings: AuditFinding[]
}

const SITE = 'https://site.test'

/** Uses an embedded store. */
export async function auditSite(rule: Rule, ...sites: TestSite[]): Promise<AuditResult> {
  const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  try {
    const { summary, findings } = await auditSites(store, [rule], sites)
    const found = findings.get(rule.name) ?? []
    return { summary, findings: found, found: found.map(describeFinding) }
  } finally {
    await store.close()
  }
}

/** Crawls the sites one after another, and audits the last crawl. */
export async function auditSites(
  store: TestStore,
  rules: readonly Rule[],
  sites: readonly TestSite[],
): Promise<{ summary: AuditSummary; findings: Map<string, AuditFinding[]> }> {
  const bodies = new Map<number, TestPage>()
  const harness = new StoreHarness(store)
  for (const site of sites) {
    await crawlSite(harness, site, bodies)
    store.clock.advance(1000)
  }
  const { audits, crawls, urls, pages } = store
  const auditId = (await audits.begin(harness.crawlId, 1)) ?? 0
  const archive = { read: async ({ offset }: Position) => readBody(bodies.get(offset)) }
  const request = { auditId, crawlId: harness.crawlId, signal: new AbortController().signal }
  const summary = await runAudit(request, { audits, crawls, urls, pages, archive, clock: systemClock, rules })
  if (summary === null) throw new Error('the audit was stopped')
  const findings = new Map<string, AuditFinding[]>()
  for (const { name } of rules) findings.set(name, await audits.findings(auditId, name, 0, 1000))
  return { summary, findings }
}

export function describeFinding({ url, otherUrl, text, detail }: AuditFinding): string {
  const parts = [url, otherUrl, text, detail].filter((part) => part !== null)
  return parts.join(' | ').replaceAll(SITE, '')
}

async function crawlSite(harness: StoreHarness, site: TestSite, bodies: Map<number, TestPage>): Promise<void> {
  const pages = new Map(
    Object.entries(site).map(([path, page]) => [toUrl(path), typeof page === 'string' ? { html: page } : page]),
  )
  const [first = ''] = pages.keys()
  const sitemaps = [...pages].flatMap(([url, { lists }]) => (lists === undefined ? [] : [url]))
  harness.crawl = await harness.store.crawls.create({
    seeds: [toFoundUrl(first), ...sitemaps.map((url) => toFoundUrl(url, 'sitemap'))],
    settings: { ...TEST_SETTINGS, archive: 'all', keepDays: null },
    keySeed: 1,
  })
  for (;;) {
    const { leases } = await harness.lease()
    if (leases.length === 0) return
    for (const lease of leases) {
      const visits = lease.urls.map((url) => toVisit(harness, { lease, url, page: pages.get(url.url), bodies }))
      await harness.commit(visits, { release: [lease.token] })
    }
  }
}

interface VisitInput {
  lease: Lease
  url: LeasedUrl
  page: TestPage | undefined
  bodies: Map<number, TestPage>
}

function toVisit(harness: StoreHarness, { lease, url, page, bodies }: VisitInput): VisitReport {
  const given = page ?? { status: 404 }
  const { html, to, problem, lists, status = to === undefined ? 200 : 301, contentType = 'text/html' } = given
  const facts = html === undefined ? null : readHtml(html, true)
  const profile = profileText(facts?.text ?? '')
  const resolve = (href: string) => {
    const target = normaliseUrl(href, url.url)
    return 'url' in target ? target.url : href
  }
  const offset = bodies.size + 1
  bodies.set(offset, given)
  const description = facts?.description || null
  const digest =
    html === undefined ? hashOf(offset) : hashOf(Number(Buffer.from(html).reduce((a, b) => (a * 31 + b) % 2 ** 40, 7)))
  const report = { digest, position: { segment: 's1', offset, length: 1 }, description, words: profile.wordCount }
  const visit = archivedVisit(
    harness,
    lease,
    url,
    { ...report, fingerprint: profile.fingerprint },
    {
      httpStatus: problem === undefined ? status : null,
      contentType: lists === undefined ? contentType : 'application/xml',
      contentLength: given.bytes ?? html?.length ?? 0,
      title: facts?.title || null,
      redirectTo: to === undefined ? null : resolve(to),
      canonical: facts?.canonical ? resolve(facts.canonical) : null,
      noindex: /noindex/.test(facts?.robots ?? ''),
      fetchMs: given.fetchMs ?? 5,
    },
  )
  const links = [...(facts?.links.map(({ href }) => href) ?? []), ...(lists ?? []), ...(to === undefined ? [] : [to])]
  const found = [...new Set(links.map(resolve))].map((target) => toFoundUrl(target))
  const isArchived = problem === undefined && lists === undefined && given.isArchived !== false
  return {
    ...visit,
    outcome: { state: stateOf(given, status), reason: problem ?? null },
    page: isArchived ? visit.page : null,
    found,
    linkCount: found.length,
  }
}

function stateOf({ to, problem }: TestPage, status: number): TerminalState {
  if (problem !== undefined) return 'failed'
  if (to !== undefined) return 'redirected'
  if (status === 404) return 'not_found'
  if (status === 403) return 'forbidden'
  return status >= 400 ? 'http_error' : 'visited'
}

function readBody(page: TestPage | undefined) {
  if (page === undefined || page.isUnreadable === true) throw new AppError('ARCHIVE_BROKEN', 'The record is damaged.')
  const about = { url: SITE, fetchedAt: 0, ip: null, status: 200, isTruncated: false, sameAs: null }
  const payload = Buffer.from(page.html ?? '')
  return { ...about, headers: page.headers ?? [], payload, extracted: null }
}

function toUrl(path: string): string {
  return path.startsWith('/') ? SITE + path : path
}

function toFoundUrl(text: string, kind: UrlKind = 'page'): FoundUrl {
  const url = toUrl(text)
  return { url, host: new URL(url).host, key: urlKey(url, 1), kind, isRefresh: false, listing: null }
}

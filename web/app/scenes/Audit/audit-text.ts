// Texts of the audit: columns of findings by rule, stages, and why a rule was not applied.

import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import type { Tone } from '../../components/display/Badge.tsx'
import { formatNumber, plural, shortUrl } from '../../text/format.ts'

export type Audit = RouteResponse<'getAudit'>
export type AuditRule = Audit['rules'][number]
export type AuditRun = NonNullable<Audit['run']>
export type AuditFinding = RouteResponse<'listAuditFindings'>['items'][number]

export const SEVERITY_STYLES: Record<AuditRule['severity'], { label: string; plural: string; tone: Tone }> = {
  error: { label: 'Error', plural: 'Errors', tone: 'bad' },
  warning: { label: 'Warning', plural: 'Warnings', tone: 'warn' },
  notice: { label: 'Notice', plural: 'Notices', tone: 'neutral' },
}

const SKIP_TEXTS: Record<NonNullable<AuditRule['skipped']>, string> = {
  nothing_visited: 'Needs visited pages, and this crawl has none.',
  no_archive: 'Needs archived pages, and this crawl has none.',
  no_sitemap: 'Needs a sitemap, and this crawl has read none.',
  no_earlier_crawl: 'Needs an earlier crawl with the same start URLs.',
  crawl_incomplete: 'Needs a crawl that has visited all pages.',
}

/** Text for a rule without a count. */
export function skipText({ skipped }: AuditRule): string {
  return skipped === null ? 'Run the audit again to apply this rule.' : SKIP_TEXTS[skipped]
}

export const NEED_TEXTS: Record<NonNullable<AuditRule['needs']>, string> = {
  archive: 'Needs archived pages',
  sitemap: 'Needs a sitemap',
  earlier_crawl: 'Needs an earlier crawl',
}

const STAGE_TEXTS: Record<NonNullable<AuditRun['stage']>, string> = {
  urls: 'Reading URLs',
  links: 'Reading links',
  pages: 'Examining archived pages',
  findings: 'Collecting findings',
}

export function progressText({ state, stage, done, total }: AuditRun): string {
  if (state === 'waiting' || stage === null) return 'Waiting for the audit of another crawl'
  return `${STAGE_TEXTS[stage]}: ${formatNumber(done)} of ${formatNumber(total)}`
}

/** Null if the crawl had visited all its URLs. */
export function openUrlsText({ open_urls: openUrls, crawl_status: status }: Audit): string | null {
  if (openUrls === 0) return null
  const state = status === 'paused' ? 'was paused' : 'was still running'
  return `The crawl ${state}: ${plural(openUrls, 'URL')} not visited yet.`
}

export function endText({ state, problem }: AuditRun): string | null {
  switch (state) {
    case 'failed':
      return `The last audit failed: ${problem ?? 'the reason is not known'}`
    case 'cancelled':
      return 'The last audit was cancelled.'
    case 'interrupted':
      return 'The last audit was interrupted, because its server stopped.'
    case 'running':
    case 'waiting':
      return null
  }
}

const LINKED = { other: 'Links to', text: 'Anchor text' }
const REDIRECT = { other: 'Leads to', text: 'Title' }
const COPY = { other: 'Same as', text: 'Title' }

const COLUMN_LABELS: Readonly<Record<string, { other: string; text: string }>> = {
  'broken-links': LINKED,
  'links-to-redirects': LINKED,
  'redirect-chains': REDIRECT,
  'redirect-loops': REDIRECT,
  'duplicate-pages': COPY,
  'duplicate-titles': COPY,
  'near-duplicate-pages': { other: 'Similar to', text: 'Title' },
  'duplicate-descriptions': { other: 'Same as', text: 'Description' },
  'long-descriptions': { other: 'Other URL', text: 'Description' },
  'canonical-conflicts': { other: 'Canonical URL', text: 'Title' },
  'hreflang-errors': { other: 'Other version', text: 'Title' },
  'several-h1': { other: 'Other URL', text: 'Headings' },
  'images-without-alt': { other: 'Other URL', text: 'Images' },
  'security-headers': { other: 'Other URL', text: 'Header' },
}

export interface FindingColumns {
  /** Null if no finding has another URL. */
  other: string | null
  text: string | null
}

export function findingColumns(rule: string, findings: readonly AuditFinding[]): FindingColumns {
  const { other, text } = COLUMN_LABELS[rule] ?? { other: 'Other URL', text: 'Title' }
  return {
    other: findings.some((finding) => finding.other_url !== null) ? other : null,
    text: findings.some((finding) => finding.text !== null) ? text : null,
  }
}

/** The origin of all URLs that findings are about; '' if they have several. */
export function commonOrigin(findings: readonly AuditFinding[]): string {
  const [first = '', ...others] = new Set(findings.map(({ url }) => /^https?:\/\/[^/]+/.exec(url)?.[0] ?? ''))
  return others.length === 0 ? first : ''
}

/** The path of a URL of that origin; other URLs in full, without http://. */
export function withoutOrigin(url: string, origin: string): string {
  return origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : shortUrl(url)
}

export interface RuleGroups {
  found: AuditRule[]
  passed: AuditRule[]
  skipped: AuditRule[]
}

/** The API sends rules by severity. A rule without a count was not applied, or is newer than the audit. */
export function groupRules(rules: readonly AuditRule[]): RuleGroups {
  return {
    found: rules.filter(({ count }) => count !== null && count > 0),
    passed: rules.filter(({ count }) => count === 0),
    skipped: rules.filter(({ count }) => count === null),
  }
}

export function countBySeverity(rules: readonly AuditRule[]): Record<AuditRule['severity'], number> {
  const counts = { error: 0, warning: 0, notice: 0 }
  for (const { severity, count } of rules) counts[severity] += count ?? 0
  return counts
}

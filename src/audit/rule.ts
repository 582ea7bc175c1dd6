// The interface of the rules of an audit. Each rule is a file in rules/, listed in rules.ts.

import type { AuditFinding, SkipReason } from '../ports/audits.ts'
import type { PageVersion } from '../ports/pages.ts'
import type { UrlRow } from '../ports/urls.ts'
import type { PageFacts } from './page-facts.ts'
import type { UrlTable } from './url-table.ts'

export const SEVERITIES = ['error', 'warning', 'notice'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Data that a rule needs besides the rows of a crawl. */
export type RuleNeed = 'archive' | 'sitemap' | 'earlier_crawl'

export interface Rule {
  /** Name in commands and addresses. */
  name: string
  title: string
  severity: Severity
  /** Why it matters, in one sentence. */
  why: string
  /** The recommended fix, in one sentence. */
  fix: string
  needs: RuleNeed | null
  start(context: RuleContext): RuleCheck
}

export interface RuleContext {
  urls: UrlTable
  add(finding: NewFinding): void
  /** Counts a finding without listing it. */
  countOnly(): void
}

/** Fields that are missing are null. */
export type NewFinding = Pick<AuditFinding, 'urlId' | 'url' | 'detail'> & Partial<AuditFinding>

/** An archived page, in the version of its last visit. */
export interface ExaminedPage {
  index: number
  version: PageVersion
  facts: PageFacts
}

/** The methods are called in this order, each for everything before the next one. */
export interface RuleCheck {
  /** Every URL. `urls` is complete only afterwards. */
  url?(row: UrlRow, index: number): void
  /**
   * Called for every link of the crawl, by the indexes of its URLs. Includes links of sitemaps and redirects, but not
   * links of a URL to itself.
   */
  link?(from: number, to: number): void
  /** Every archived page, without its content. */
  version?(version: PageVersion, index: number): void
  /** Every archived page that could be read. */
  page?(page: ExaminedPage): void
  /** Every URL of the earlier crawl. */
  earlierUrl?(row: UrlRow): void
  /** Every URL, once everything is known. */
  report?(row: UrlRow, index: number): void
  end?(): void
  /** Called at the end: the reason why the rule does not apply to this crawl, if any. */
  skipReason?(): SkipReason | null
}

// The summary of a crawl: its outcome, its counts, and commands to run next.

import { failureCounts, hasMostlyFailed, ledgerTotal, pageCount } from '../../lib/states.ts'
import type { BrokenSitemap } from '../../ports/diagnostics.ts'
import { type ExcludedPattern, releaseCommand } from '../excluded-patterns.ts'
import { formatCommand, type StoreLocation } from '../format/format-command.ts'
import {
  formatBytes,
  formatDuration,
  formatRate,
  groupDigits,
  pluralize,
  readableCode,
  sanitizeText,
} from '../format/units.ts'
import type { CrawlSnapshot } from './crawl-snapshot.ts'
import { averageRate } from './json-events.ts'
import { nextVisitText } from './next-visit-text.ts'
import { DONE_ORDER, STATE_STYLES, stateLabel } from './state-styles.ts'
import { colorize, type Style } from './styled-line.ts'
import { holdText } from './wait-text.ts'

const TOP_REASONS = 6
/** A crawl with more URLs has found its way without the links that scripts may add to a start page. */
const HARDLY_ANY_URLS = 3
/** With so many links out of scope, some were probably wanted, such as the absolute links of a copied site. */
const MANY_LINKS = 10
/** Shorter times get a decimal. */
const SHORT_MS = 10_000

/** Findings that the summary shows beside the counts. */
export interface SummaryFindings {
  /** The most common reasons of URLs that were not visited, with counts. */
  reasons: Record<string, number>
  brokenSitemaps: BrokenSitemap[]
  /** URL patterns excluded as traps. */
  traps: ExcludedPattern[]
}

export interface SummaryOptions extends SummaryFindings {
  color: boolean
  location: StoreLocation
  program: string
  /** What limits the speed of a running crawl, as a sentence. */
  bottleneck?: string | null
}

export function summaryLines(snapshot: CrawlSnapshot, options: SummaryOptions): string[] {
  const tint = (text: string, style: Style) => colorize(text, style, options.color)
  const total = ledgerTotal(snapshot.ledger)
  const totals = [
    pluralize(total, 'URL'),
    elapsedText(snapshot.elapsedMs),
    // The running time has revisits in it, which are not further pages.
    ...(snapshot.nextVisitInMs === null ? [`${formatRate(averageRate(snapshot))} pages/s`] : []),
    `${formatBytes(snapshot.bytes)} received`,
  ]
  return [
    tint(outcomeText(snapshot), 'bold'),
    ...waitLines(snapshot, options, tint),
    `${sanitizeText(snapshot.rootUrl)}  ${tint(`crawl ${sanitizeText(snapshot.crawlId)}`, 'dim')}`,
    '',
    totals.join(', '),
    ...stateLines(snapshot, tint),
    ...reasonLines(snapshot, options.reasons, tint),
    ...missingSitemapLines(snapshot, tint),
    ...sitemapLines(options.brokenSitemaps, tint),
    ...trapLines(snapshot, options, tint),
    ...rejectedLines(snapshot, tint),
    ...nextLines(snapshot, options),
  ]
}

/** A crawl on hold has no other bottleneck. */
function waitLines({ held }: CrawlSnapshot, { bottleneck = null }: SummaryOptions, colorize: Colorize): string[] {
  if (held !== null) return [colorize(`Waiting: ${holdText(held)}.`, 'yellow')]
  return bottleneck === null ? [] : [colorize(sanitizeText(bottleneck), 'yellow')]
}

/** Empty unless most URLs failed. */
export function failureText({ ledger }: Pick<CrawlSnapshot, 'ledger'>): string {
  if (!hasMostlyFailed(ledger)) return ''
  const { failed, finished } = failureCounts(ledger)
  return `, ${groupDigits(failed)} of ${pluralize(finished, 'URL')} failed`
}

function elapsedText(ms: number): string {
  return ms < SHORT_MS ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms)
}

function outcomeText(snapshot: CrawlSnapshot): string {
  const reason =
    snapshot.reason === null || snapshot.reason === snapshot.status ? '' : ` (${readableCode(snapshot.reason)})`
  const open = snapshot.ledger.queued + snapshot.ledger.in_progress
  switch (snapshot.status) {
    case 'completed':
      return hasVisitedNothing(snapshot)
        ? `Finished${reason}: no page was visited.`
        : `Finished${reason}${failureText(snapshot)}.`
    case 'running': {
      const urlsLeft = `${pluralize(open, 'URL')} left`
      return isWithoutWorker(snapshot)
        ? `Not finished${reason}: ${urlsLeft}, nothing is lost.`
        : `Running: ${urlsLeft}.`
    }
    case 'watching':
      return `Watching${nextVisitText(snapshot)}.`
    case 'paused':
      return `Paused${reason}: ${open === 0 ? 'no URL is due now' : `${pluralize(open, 'URL')} left`}, nothing is lost.`
    case 'cancelled':
      return `Cancelled${reason}.`
    case 'failed':
      return `Failed${reason}.`
  }
}

/** The crawl should be running, but no process is there to run it. */
function isWithoutWorker({ status, held }: CrawlSnapshot): boolean {
  return status === 'running' && held === 'no_worker'
}

type Colorize = (text: string, style: Style) => string

function stateLines(snapshot: CrawlSnapshot, colorize: Colorize): string[] {
  const { ledger, sitemaps, requisites } = snapshot
  const counts: [label: string, urls: number, style: Style][] = [
    [stateLabel('visited'), pageCount(snapshot), STATE_STYLES.visited],
    ['sitemaps', sitemaps, STATE_STYLES.visited],
    ['requisites', requisites, STATE_STYLES.visited],
  ]
  for (const state of [...DONE_ORDER, 'in_progress', 'queued'] as const) {
    if (state !== 'visited') counts.push([stateLabel(state), ledger[state], STATE_STYLES[state]])
  }
  const present = counts.filter(([, urls]) => urls > 0)
  const width = Math.max(0, ...present.map(([, urls]) => groupDigits(urls).length))
  return present.map(([label, urls, style]) => {
    return `  ${colorize(label.padEnd(12), 'dim')}${colorize(groupDigits(urls).padStart(width), style)}`
  })
}

/** A crawl of sitemap URLs without a sitemap ends after its start URLs, which looks like success. */
function missingSitemapLines(snapshot: CrawlSnapshot, colorize: Colorize): string[] {
  const pages = pageCount(snapshot)
  const isMissing = snapshot.status === 'completed' && snapshot.sitemapOnly && snapshot.sitemaps === 0 && pages > 0
  if (!isMissing) return []
  const { failed, not_found, http_error, forbidden, excluded } = snapshot.ledger
  // One of the problem URLs may be a sitemap.
  const cause =
    failed + not_found + http_error + forbidden + excluded > 0 ? 'No sitemap could be read' : 'The site has no sitemap'
  const visited = pages === 1 ? 'start URL was' : 'start URLs were'
  return [colorize(`${cause}, so only the ${visited} visited.`, 'yellow')]
}

function sitemapLines(sitemaps: BrokenSitemap[], colorize: Colorize): string[] {
  if (sitemaps.length === 0) return []
  const lines = sitemaps.map(({ url, state, reason }) => `  ${sanitizeText(url)} (${readableCode(reason ?? state)})`)
  return [colorize('unreadable sitemaps:', 'dim'), ...lines]
}

function trapLines(
  snapshot: CrawlSnapshot,
  { traps, program, location }: SummaryOptions,
  colorize: Colorize,
): string[] {
  if (traps.length === 0) return []
  const total = traps.reduce((sum, { urls }) => sum + urls, 0)
  const named = traps.slice(0, TOP_REASONS).map(({ pattern, urls, example }) => {
    return `  ${groupDigits(urls)} linked from ${sanitizeText(pattern)}, for example ${sanitizeText(example)}`
  })
  const [first] = traps
  const release = releaseCommand(snapshot.crawlId, first?.pattern ?? '', program, location)
  const more = traps.length > TOP_REASONS ? [`  and ${pluralize(traps.length - TOP_REASONS, 'more pattern')}`] : []
  const title = `${pluralize(total, 'URL')} excluded as spider traps: the pages repeat each other endlessly.`
  return [colorize(title, 'yellow'), ...named, ...more, `  Visit them anyway with: ${release}`]
}

function rejectedLines(snapshot: CrawlSnapshot, colorize: Colorize): string[] {
  const reasons = Object.entries(snapshot.rejected).filter(([, links]) => links > 0)
  if (reasons.length === 0) return []
  const hints = 'too_many_links' in snapshot.rejected ? ['Raise --max-links to follow more links per page.'] : []
  const outOfScope = snapshot.rejected['scope'] ?? 0
  const isMost = 2 * outOfScope > reasons.reduce((sum, [, links]) => sum + links, 0)
  if (ledgerTotal(snapshot.ledger) <= HARDLY_ANY_URLS && outOfScope >= MANY_LINKS && isMost)
    hints.push('Hardly any links are in scope. Start at the address these links point to, or use a wider --scope.')
  return [`${colorize('rejected links:', 'dim')} ${topReasons(reasons)}`, ...hints]
}

function reasonLines(snapshot: CrawlSnapshot, reasons: Record<string, number>, colorize: Colorize): string[] {
  const { needs_javascript: emptyPages = 0, links_need_javascript: deadEnds = 0, ...others } = reasons
  // Traps are listed separately. A server counts each one.
  const named = Object.entries(others).filter(([reason]) => !/^trap(?::|$)/.test(reason))
  const hints = 'address_blocked' in reasons ? ['Addresses that are not public need --allow-private.'] : []
  const total = ledgerTotal(snapshot.ledger)
  if (total > 0 && reasons['robots'] === total && snapshot.status === 'completed') {
    const urls = total === 1 ? 'the start URL' : 'all start URLs'
    hints.push(`robots.txt disallows ${urls}. If the site is yours, use --ignore-robots.`)
  }
  if ('http_401' in reasons) hints.push('Pages that returned 401 need credentials: use --auth.')
  if (emptyPages > 0) hints.push(`${emptyPagesText(emptyPages)} Try --render auto.`)
  else if (deadEnds > 0 && total <= HARDLY_ANY_URLS)
    hints.push('The start page has hardly any links without JavaScript. Try --render auto.')
  return named.length === 0 ? hints : [`${colorize('reasons:', 'dim')} ${topReasons(named)}`, ...hints]
}

/** The most common ones, and how often all others together. */
function topReasons(counts: [reason: string, count: number][]): string {
  const sorted = counts.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const named = sorted.slice(0, TOP_REASONS).map(([reason, count]) => `${readableCode(reason)} (${groupDigits(count)})`)
  const others = sorted.slice(TOP_REASONS).reduce((sum, [, count]) => sum + count, 0)
  return [...named, ...(others === 0 ? [] : [`other (${groupDigits(others)})`])].join(', ')
}

function emptyPagesText(pages: number): string {
  return `${pluralize(pages, 'page')} ${pages === 1 ? 'looks' : 'look'} empty without JavaScript.`
}

/** If only the start URL was found and not visited, the summary says everything that an export would. */
function nextLines(snapshot: CrawlSnapshot, options: SummaryOptions): string[] {
  if (hasVisitedNothing(snapshot) && ledgerTotal(snapshot.ledger) === 1) return []
  return ['', 'Next:', ...nextCommands(snapshot, options).map((command) => `  ${command}`)]
}

function hasVisitedNothing({ status, ledger }: CrawlSnapshot): boolean {
  return status === 'completed' && ledger.visited === 0 && ledgerTotal(ledger) > 0
}

function nextCommands(snapshot: CrawlSnapshot, { location, program }: SummaryOptions): string[] {
  // Every command accepts the start of an id.
  const id = sanitizeText(snapshot.crawlId.slice(0, 8))
  const commands = [`export ${id} --format csv --out crawl.csv`, `verify ${id}`]
  if (snapshot.status === 'watching') commands.unshift(`complete ${id}`)
  else if (snapshot.status === 'paused' || isWithoutWorker(snapshot)) commands.unshift(`resume ${id}`)
  return commands.map((words) => formatCommand(program, words, location))
}

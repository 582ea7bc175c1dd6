// The last words of a crawl: what happened, the counts, and what to type next.

import type { BrokenSitemap } from '../../ports/manners.ts'
import { ledgerTotal, pageCount } from '../../ports/state.ts'
import { commandLine, type Place } from '../hint.ts'
import { type ExcludedPattern, releaseCommand } from '../traps.ts'
import { rejectedTotal } from './grid.ts'
import { wholeRate } from './json.ts'
import { paint, type Style } from './line.ts'
import type { LiveSnapshot } from './snapshot.ts'
import { DONE_ORDER, STATE_STYLES, stateLabel } from './states.ts'
import { bytes, clean, duration, grouped, plural, rate } from './units.ts'
import { heldText } from './waiting.ts'

const TOP_REASONS = 5
/** Below this, whole seconds say too little. */
const SHORT_MS = 10_000

export interface SummaryOptions {
  /** Commonest reasons of urls that were not visited as they should, with counts. */
  reasons: Record<string, number>
  brokenSitemaps: BrokenSitemap[]
  /** Patterns whose URLs were excluded as traps. */
  traps: ExcludedPattern[]
  color: boolean
  place: Place
  /** As it was called. */
  program: string
}

export function summaryLines(snapshot: LiveSnapshot, options: SummaryOptions): string[] {
  const tint = (text: string, style: Style) => paint(text, style, options.color)
  const total = ledgerTotal(snapshot.ledger)
  const totals = [
    plural(total, 'url'),
    tookText(snapshot.elapsedMs),
    `${rate(wholeRate(snapshot))} pages/s`,
    `${bytes(snapshot.bytes)} received`,
  ]
  return [
    tint(whatHappened(snapshot), 'bold'),
    ...(snapshot.held === null ? [] : [tint(`Waiting: ${heldText(snapshot.held)}.`, 'yellow')]),
    `${clean(snapshot.rootUrl)}  ${tint(`crawl ${clean(snapshot.crawlId)}`, 'dim')}`,
    '',
    totals.join(', '),
    ...stateLines(snapshot, tint),
    ...reasonLines(options.reasons, tint),
    ...sitemapLines(options.brokenSitemaps, tint),
    ...trapLines(snapshot, options, tint),
    ...rejectedLines(snapshot, tint),
    '',
    'Next:',
    ...nextCommands(snapshot, options).map((command) => `  ${command}`),
  ]
}

function tookText(ms: number): string {
  return ms < SHORT_MS ? `${(ms / 1000).toFixed(1)}s` : duration(ms)
}

function whatHappened(snapshot: LiveSnapshot): string {
  const why = snapshot.reason === null ? '' : ` (${readable(snapshot.reason)})`
  const open = snapshot.ledger.queued + snapshot.ledger.in_progress
  switch (snapshot.status) {
    case 'completed':
      return `Finished${why}.`
    case 'running':
      return `Not finished${why}: ${plural(open, 'url')} left, nothing is lost.`
    case 'paused':
      return `Paused${why}: ${plural(open, 'url')} left, nothing is lost.`
    case 'cancelled':
      return `Cancelled${why}.`
    case 'failed':
      return `Failed${why}.`
  }
}

type Tint = (text: string, style: Style) => string

function stateLines(snapshot: LiveSnapshot, tint: Tint): string[] {
  const { ledger, sitemaps } = snapshot
  const counts: [label: string, urls: number, style: Style][] = [
    [stateLabel('visited'), pageCount(snapshot), STATE_STYLES.visited],
    ['sitemaps', sitemaps, STATE_STYLES.visited],
  ]
  for (const state of [...DONE_ORDER, 'in_progress', 'queued'] as const) {
    if (state !== 'visited') counts.push([stateLabel(state), ledger[state], STATE_STYLES[state]])
  }
  const present = counts.filter(([, urls]) => urls > 0)
  const width = Math.max(0, ...present.map(([, urls]) => grouped(urls).length))
  return present.map(([label, urls, style]) => {
    return `  ${tint(label.padEnd(12), 'dim')}${tint(grouped(urls).padStart(width), style)}`
  })
}

function sitemapLines(sitemaps: BrokenSitemap[], tint: Tint): string[] {
  if (sitemaps.length === 0) return []
  const lines = sitemaps.map(({ url, state, reason }) => `  ${clean(url)} (${readable(reason ?? state)})`)
  return [tint('sitemaps that could not be read:', 'dim'), ...lines]
}

function trapLines(snapshot: LiveSnapshot, { traps, program, place }: SummaryOptions, tint: Tint): string[] {
  if (traps.length === 0) return []
  const total = traps.reduce((sum, { urls }) => sum + urls, 0)
  const named = traps.slice(0, TOP_REASONS).map(({ pattern, urls, example }) => {
    return `  ${grouped(urls)} of ${clean(pattern)}, for example ${clean(example)}`
  })
  const [first] = traps
  const release = releaseCommand(snapshot.crawlId, first?.pattern ?? '', program, place)
  const more = traps.length > TOP_REASONS ? [`  and ${plural(traps.length - TOP_REASONS, 'more pattern')}`] : []
  const title = `${plural(total, 'URL')} excluded as a trap: their pages repeat each other without end.`
  return [tint(title, 'yellow'), ...named, ...more, `  To visit them after all: ${release}`]
}

function rejectedLines(snapshot: LiveSnapshot, tint: Tint): string[] {
  const reasons = Object.entries(snapshot.rejected)
    .filter(([, links]) => links > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  if (reasons.length === 0) return []
  const named = reasons.slice(0, TOP_REASONS).map(([reason, links]) => `${readable(reason)} ${grouped(links)}`)
  const others = rejectedTotal(Object.fromEntries(reasons.slice(TOP_REASONS)))
  if (others > 0) named.push(`other ${grouped(others)}`)
  const hint = 'too_many_links' in snapshot.rejected ? ['To follow more links of a page, raise --max-links.'] : []
  return [`${tint('links not followed:', 'dim')} ${named.join(', ')}`, ...hint]
}

function reasonLines(reasons: Record<string, number>, tint: Tint): string[] {
  const named = Object.entries(reasons).map(([reason, urls]) => `${readable(reason)} ${grouped(urls)}`)
  if (named.length === 0) return []
  const hint = 'address_blocked' in reasons ? ['Addresses that are not public need --allow-private.'] : []
  return [`${tint('reasons:', 'dim')} ${named.join(', ')}`, ...hint]
}

function nextCommands(snapshot: LiveSnapshot, { place, program }: SummaryOptions): string[] {
  // As much of the id as tells it apart; every command takes that.
  const id = clean(snapshot.crawlId.slice(0, 8))
  const resumable = snapshot.status === 'running' || snapshot.status === 'paused'
  // A server is asked for less than a store can be.
  const hasServer = (place.server ?? null) !== null
  const commands = hasServer ? [`status ${id}`] : [`export ${id} --format csv --out urls.csv`, `verify ${id}`]
  if (resumable) commands.unshift(`resume ${id}`)
  return commands.map((words) => commandLine(program, words, place))
}

function readable(code: string): string {
  return clean(code).replaceAll('_', ' ')
}

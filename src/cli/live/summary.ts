// The last words of a crawl: what happened, the counts, and what to type next.

import { ledgerTotal } from '../../ports/state.ts'
import { rejectedTotal } from './grid.ts'
import { wholeRate } from './json.ts'
import { paint, type Style } from './line.ts'
import type { LiveSnapshot } from './snapshot.ts'
import { DONE_ORDER, STATE_STYLES, stateLabel } from './states.ts'
import { bytes, clean, duration, grouped, plural, rate } from './units.ts'

const TOP_REASONS = 5
const DEFAULT_DATA_DIRS = ['orbweaver-data', './orbweaver-data']

export interface SummaryOptions {
  /** Commonest reasons of urls that were not visited as they should, with counts. */
  reasons: Record<string, number>
  color: boolean
  dataDir: string
}

export function summaryLines(snapshot: LiveSnapshot, options: SummaryOptions): string[] {
  const tint = (text: string, style: Style) => paint(text, style, options.color)
  const total = ledgerTotal(snapshot.ledger)
  const totals = [
    plural(total, 'url'),
    duration(snapshot.elapsedMs),
    `${rate(wholeRate(snapshot))} pages/s`,
    `${bytes(snapshot.bytes)} received`,
  ]
  return [
    tint(whatHappened(snapshot), 'bold'),
    `${clean(snapshot.rootUrl)}  ${tint(`crawl ${clean(snapshot.crawlId)}`, 'dim')}`,
    '',
    totals.join(', '),
    ...stateLines(snapshot, tint),
    ...reasonLines(options.reasons, tint),
    ...rejectedLines(snapshot, tint),
    '',
    'Next:',
    ...nextCommands(snapshot, options.dataDir).map((command) => `  ${command}`),
  ]
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
  const states = [...DONE_ORDER, 'in_progress', 'queued'] as const
  const present = states.filter((state) => snapshot.ledger[state] > 0)
  const width = Math.max(0, ...present.map((state) => grouped(snapshot.ledger[state]).length))
  return present.map((state) => {
    const number = grouped(snapshot.ledger[state]).padStart(width)
    return `  ${tint(stateLabel(state).padEnd(12), 'dim')}${tint(number, STATE_STYLES[state])}`
  })
}

function rejectedLines(snapshot: LiveSnapshot, tint: Tint): string[] {
  const reasons = Object.entries(snapshot.rejected)
    .filter(([, links]) => links > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  if (reasons.length === 0) return []
  const named = reasons.slice(0, TOP_REASONS).map(([reason, links]) => `${readable(reason)} ${grouped(links)}`)
  const others = rejectedTotal(Object.fromEntries(reasons.slice(TOP_REASONS)))
  if (others > 0) named.push(`other ${grouped(others)}`)
  return [`${tint('links not followed:', 'dim')} ${named.join(', ')}`]
}

function reasonLines(reasons: Record<string, number>, tint: Tint): string[] {
  const named = Object.entries(reasons).map(([reason, urls]) => `${readable(reason)} ${grouped(urls)}`)
  if (named.length === 0) return []
  const hint = 'address_blocked' in reasons ? ['Addresses that are not public need --allow-private.'] : []
  return [`${tint('reasons:', 'dim')} ${named.join(', ')}`, ...hint]
}

function nextCommands(snapshot: LiveSnapshot, dataDir: string): string[] {
  // As much of the id as tells it apart; every command takes that.
  const id = clean(snapshot.crawlId.slice(0, 8))
  const data = DEFAULT_DATA_DIRS.includes(dataDir) ? '' : ` --data ${shellWord(clean(dataDir))}`
  const resumable = snapshot.status === 'running' || snapshot.status === 'paused'
  return [
    ...(resumable ? [`./orbweaver resume ${id}${data}`] : []),
    `./orbweaver export ${id} --format csv --out urls.csv${data}`,
    `./orbweaver verify ${id}${data}`,
  ]
}

function readable(code: string): string {
  return clean(code).replaceAll('_', ' ')
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

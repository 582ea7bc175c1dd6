import { doneCount, type Ledger, ledgerTotal } from '../../lib/states.ts'
import { DONE_ORDER, STATE_STYLES } from './state-styles.ts'
import { type Line, type Span, span } from './styled-line.ts'

const GLYPHS = {
  unicode: { done: '━', inProgress: '╍', queued: '─' },
  ascii: { done: '#', inProgress: '+', queued: '.' },
} as const

/** The ledger as a bar of `width` columns. The bar is full only if no URL is queued or in progress. */
export function progressBar(ledger: Ledger, width: number, unicode: boolean): Line {
  const glyphs = unicode ? GLYPHS.unicode : GLYPHS.ascii
  const total = ledgerTotal(ledger)
  const spans: Span[] = []
  let sum = 0
  let drawn = 0
  // Rounds the ends, not the lengths, so that a growing segment does not move the segments before it.
  const advance = (urls: number) => {
    sum += urls
    const end = total > 0 ? Math.floor((sum / total) * width) : 0
    const cells = Math.max(0, Math.min(end, width) - drawn)
    drawn += cells
    return cells
  }
  for (const state of DONE_ORDER) spans.push(span(glyphs.done.repeat(advance(ledger[state])), STATE_STYLES[state]))
  spans.push(span(glyphs.inProgress.repeat(advance(ledger.in_progress))))
  spans.push(span(glyphs.queued.repeat(width - drawn), 'dim'))
  return spans
}

export function percentDone(ledger: Ledger): number {
  const total = ledgerTotal(ledger)
  return total > 0 ? Math.floor((doneCount(ledger) / total) * 100) : 0
}

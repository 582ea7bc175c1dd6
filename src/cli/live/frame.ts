// Renders one frame of the live view as lines of text. Pure: equal input gives equal lines.

import { countRemaining, estimateRemainingMs } from '../../engine/crawl/stats/estimate-remaining.ts'
import { doneCount, ledgerTotal } from '../../lib/states.ts'
import {
  compactCount,
  formatDuration,
  formatRate,
  formatRoughDuration,
  groupDigits,
  pluralize,
  sanitizeAscii,
  sanitizeText,
} from '../format/units.ts'
import { countGrid } from './count-grid.ts'
import type { CrawlSnapshot } from './crawl-snapshot.ts'
import { hostTables } from './host-tables.ts'
import { nextVisitText } from './next-visit-text.ts'
import { percentDone, progressBar } from './progress-bar.ts'
import { sparkline } from './sparkline.ts'
import { fitLine, justify, type Line, lineWidth, printLine, span } from './styled-line.ts'
import { holdText, waitText } from './wait-text.ts'

export interface FrameOptions {
  columns: number
  rows: number
  color: boolean
  unicode: boolean
  /** Pages per second, one value per second, newest last. */
  history: readonly number[]
  /** The highest rate so far. */
  peak: number
}

// In a wider frame the numbers would be too far from their labels.
const MAX_FRAME_WIDTH = 130

interface DrawingContext {
  width: number
  unicode: boolean
  ellipsis: string
  sanitize: (text: string) => string
}

/** Returns at most `rows - 1` lines, each at most `columns` wide including a free column on either side. */
export function renderFrame(snapshot: CrawlSnapshot, options: FrameOptions): string[] {
  const drawingContext: DrawingContext = {
    width: Math.max(0, Math.min(options.columns - 2, MAX_FRAME_WIDTH)),
    unicode: options.unicode,
    ellipsis: options.unicode ? '…' : '...',
    sanitize: options.unicode ? sanitizeText : sanitizeAscii,
  }
  const sections = layOutSections(snapshot, options, drawingContext)
  return sections.map((line) => {
    const fitted = fitLine(line, drawingContext.width, drawingContext.ellipsis)
    return lineWidth(fitted) === 0 ? '' : ` ${printLine(fitted, options.color)}`
  })
}

/** Picks sections by importance while they fit, hosts last, and returns them in reading order. */
function layOutSections(snapshot: CrawlSnapshot, options: FrameOptions, drawingContext: DrawingContext): Line[] {
  const space = Math.max(0, options.rows - 1)
  const grid = countGrid(snapshot, drawingContext.width)
  const bar = [barLine(snapshot, drawingContext), countsLine(snapshot, drawingContext)]
  const speed = [rateLine(snapshot, options, drawingContext), waitLine(snapshot, drawingContext)]
  const title = [titleLine(snapshot, drawingContext)]
  const hint = [hintLine(snapshot, drawingContext)]
  let room = space
  const chosen = new Set<Line[]>()
  for (const section of [bar, speed, title, hint, grid]) {
    if (section.length > room) continue
    chosen.add(section)
    room -= section.length
  }
  const isSpaced = room >= chosen.size - 1
  if (isSpaced) room -= chosen.size - 1
  const hostRoom = chosen.has(grid) ? room - (isSpaced ? 1 : 0) : 0
  const hosts = hostTables(snapshot.hosts, { ...drawingContext, height: hostRoom })
  const shown = [title, bar, speed, grid, hosts, hint].filter((part) =>
    part === hosts ? hosts.length > 0 : chosen.has(part),
  )
  return shown.flatMap((section, index) => (isSpaced && index > 0 ? [[], ...section] : section))
}

function titleLine(snapshot: CrawlSnapshot, drawingContext: DrawingContext): Line {
  const state = snapshot.draining ? 'stopping' : snapshot.status
  const right = `${state === 'running' ? '' : `${state}  `}crawl ${drawingContext.sanitize(snapshot.crawlId.slice(0, 8))}`
  const left = [span('Orbweaver', 'bold'), span(`  ${drawingContext.sanitize(snapshot.rootUrl)}`)]
  return justify({ left, right: [span(right, 'dim')] }, drawingContext.width, drawingContext.ellipsis)
}

function barLine(snapshot: CrawlSnapshot, drawingContext: DrawingContext): Line {
  // URLs beyond the page limit are found but never visited, so that the bar leaves them out.
  const { ledger } = snapshot
  const remaining = countRemaining(snapshot)
  const inProgress = Math.min(ledger.in_progress, remaining)
  const expected = { ...ledger, in_progress: inProgress, queued: remaining - inProgress }
  const percent = `${percentDone(expected)}%`.padStart(6)
  return [
    ...progressBar(expected, Math.max(0, drawingContext.width - percent.length), drawingContext.unicode),
    span(percent),
  ]
}

function countsLine(snapshot: CrawlSnapshot, drawingContext: DrawingContext): Line {
  const done = doneCount(snapshot.ledger)
  const total = ledgerTotal(snapshot.ledger)
  const leftMs = estimateRemainingMs(snapshot)
  const left = (leftMs === null ? '-' : formatRoughDuration(leftMs)).padStart(5)
  const elapsed = formatDuration(snapshot.elapsedMs).padStart(7)
  if (drawingContext.width < 58) {
    const counts = [span(compactCount(done, 7), 'bold'), span(' of ', 'dim'), span(compactCount(total, 7))]
    const times = [span(elapsed), span('  left', 'dim'), span(left)]
    return justify({ left: counts, right: times }, drawingContext.width, drawingContext.ellipsis)
  }
  const limit =
    snapshot.maxPages === null || drawingContext.width < 78 ? '' : `, limit ${pluralize(snapshot.maxPages, 'page')}`
  const counts = [
    span(groupDigits(done), 'bold'),
    span(' done of ', 'dim'),
    span(groupDigits(total)),
    span(` found${limit}`, 'dim'),
  ]
  const times = [span('elapsed', 'dim'), span(elapsed), span('   left', 'dim'), span(left)]
  return justify({ left: counts, right: times }, drawingContext.width, drawingContext.ellipsis)
}

function rateLine(
  snapshot: CrawlSnapshot,
  { history, peak: peakRate }: FrameOptions,
  drawingContext: DrawingContext,
): Line {
  const label = 'pages/s'
  const now = formatRate(snapshot.pagesPerSecond)
  const number = (now.length > 6 ? compactCount(snapshot.pagesPerSecond, 6) : now).padStart(7)
  const room = drawingContext.width - label.length - number.length - 2
  const spark = sparkline(history, Math.floor(snapshot.elapsedMs / 1000), { room, unicode: drawingContext.unicode })
  const peak = `peak ${formatRate(peakRate).padStart(5)}`
  const line = [span(label, 'dim'), span(number, 'bold'), span('  '), span(spark.text.padEnd(spark.cells), 'green')]
  // The peak is that of whole seconds, so the current rate may exceed it.
  if (peakRate <= 0 || peakRate < snapshot.pagesPerSecond || spark.cells + peak.length + 2 > room) return line
  return justify({ left: line, right: [span(peak, 'dim')] }, drawingContext.width, drawingContext.ellipsis)
}

function waitLine(snapshot: CrawlSnapshot, drawingContext: DrawingContext): Line {
  const label = span('waiting  ', 'dim')
  if (snapshot.held !== null)
    return [label, span(holdText(snapshot.held, drawingContext.width - label.text.length), 'yellow')]
  if (snapshot.status === 'watching') return [span(`Watching${nextVisitText(snapshot)}`)]
  return [label, span(waitText(snapshot.waits, drawingContext.sanitize) || '-')]
}

function hintLine(snapshot: CrawlSnapshot, drawingContext: DrawingContext): Line {
  const hints = snapshot.draining
    ? [
        `Finishing ${pluralize(snapshot.inFlight, 'request')}. Press Ctrl-C again to quit now.`,
        'Press Ctrl-C again to quit now.',
      ]
    : snapshot.runsElsewhere
      ? ['Press Ctrl-C to leave; the crawl continues', 'Ctrl-C leaves the crawl']
      : ['Press Ctrl-C to stop; "resume" continues the crawl', 'Ctrl-C stops the crawl']
  const fitting = hints.find((hint) => hint.length <= drawingContext.width) ?? hints.at(-1) ?? ''
  return [span(fitting, snapshot.draining ? 'yellow' : 'dim')]
}

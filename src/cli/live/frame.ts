// One picture of a crawl as lines of text. Pure: the same snapshot, history and size give the same lines.

import { estimateLeftMs } from '../../engine/crawl/estimate.ts'
import { doneCount, ledgerTotal } from '../../ports/state.ts'
import { percentDone, progressBar } from './bar.ts'
import { countGrid } from './grid.ts'
import { hostTables } from './hosts.ts'
import { fitLine, justify, type Line, lineWidth, printLine, span } from './line.ts'
import type { LiveSnapshot } from './snapshot.ts'
import { sparkline } from './sparkline.ts'
import { clean, cleanAscii, count, duration, grouped, plural, rate, roughly } from './units.ts'
import { heldText, waitsText } from './waiting.ts'

export interface FrameOptions {
  columns: number
  rows: number
  color: boolean
  unicode: boolean
  /** Pages a second, one value for each of the last seconds, newest last. */
  history: readonly number[]
}

// A wider frame would only move the numbers away from their labels.
const WIDEST = 130

interface Pen {
  width: number
  unicode: boolean
  ellipsis: string
  text: (foreign: string) => string
}

/** At most `rows - 1` lines, each at most `columns` wide with a free column on either side. */
export function renderFrame(snapshot: LiveSnapshot, options: FrameOptions): string[] {
  const pen: Pen = {
    width: Math.max(0, Math.min(options.columns - 2, WIDEST)),
    unicode: options.unicode,
    ellipsis: options.unicode ? '…' : '...',
    text: options.unicode ? clean : cleanAscii,
  }
  const sections = layOut(snapshot, options, pen)
  return sections.map((line) => {
    const fitted = fitLine(line, pen.width, pen.ellipsis)
    return lineWidth(fitted) === 0 ? '' : ` ${printLine(fitted, options.color)}`
  })
}

/** Takes the sections in order of importance while there is room, hosts last, and shows them in reading order. */
function layOut(snapshot: LiveSnapshot, options: FrameOptions, pen: Pen): Line[] {
  const space = Math.max(0, options.rows - 1)
  const grid = countGrid(snapshot, pen.width)
  const bar = [barLine(snapshot, pen), countsLine(snapshot, pen)]
  const speed = [rateLine(snapshot, options.history, pen), waitLine(snapshot, pen)]
  const title = [titleLine(snapshot, pen)]
  const hint = [hintLine(snapshot, pen)]
  let room = space
  const chosen = new Set<Line[]>()
  for (const section of [bar, speed, title, hint, grid]) {
    if (section.length > room) continue
    chosen.add(section)
    room -= section.length
  }
  const airy = room >= chosen.size - 1
  if (airy) room -= chosen.size - 1
  const hostRoom = chosen.has(grid) ? room - (airy ? 1 : 0) : 0
  const hosts = hostTables(snapshot.hosts, { ...pen, height: hostRoom })
  const shown = [title, bar, speed, grid, hosts, hint].filter((part) =>
    part === hosts ? hosts.length > 0 : chosen.has(part),
  )
  return shown.flatMap((section, index) => (airy && index > 0 ? [[], ...section] : section))
}

function titleLine(snapshot: LiveSnapshot, pen: Pen): Line {
  const state = snapshot.draining ? 'stopping' : snapshot.status
  const right = `${state === 'running' ? '' : `${state}  `}crawl ${pen.text(snapshot.crawlId.slice(0, 8))}`
  const left = [span('Orbweaver', 'bold'), span(`  ${pen.text(snapshot.rootUrl)}`)]
  return justify({ left, right: [span(right, 'dim')] }, pen.width, pen.ellipsis)
}

function barLine(snapshot: LiveSnapshot, pen: Pen): Line {
  const percent = `${percentDone(snapshot.ledger)}%`.padStart(6)
  return [...progressBar(snapshot.ledger, Math.max(0, pen.width - percent.length), pen.unicode), span(percent)]
}

function countsLine(snapshot: LiveSnapshot, pen: Pen): Line {
  const done = doneCount(snapshot.ledger)
  const total = ledgerTotal(snapshot.ledger)
  const leftMs = estimateLeftMs(snapshot)
  const left = (leftMs === null ? '-' : roughly(leftMs)).padStart(5)
  const elapsed = duration(snapshot.elapsedMs).padStart(7)
  if (pen.width < 58) {
    const counts = [span(count(done, 7), 'bold'), span(' of ', 'dim'), span(count(total, 7))]
    const times = [span(elapsed), span('  left', 'dim'), span(left)]
    return justify({ left: counts, right: times }, pen.width, pen.ellipsis)
  }
  const limit = snapshot.maxPages === null || pen.width < 78 ? '' : `, limit ${plural(snapshot.maxPages, 'page')}`
  const counts = [
    span(grouped(done), 'bold'),
    span(' done of ', 'dim'),
    span(grouped(total)),
    span(` found${limit}`, 'dim'),
  ]
  const times = [span('elapsed', 'dim'), span(elapsed), span('   left', 'dim'), span(left)]
  return justify({ left: counts, right: times }, pen.width, pen.ellipsis)
}

function rateLine(snapshot: LiveSnapshot, history: readonly number[], pen: Pen): Line {
  const label = 'pages/s'
  const now = rate(snapshot.pagesPerSecond)
  const number = (now.length > 6 ? count(snapshot.pagesPerSecond, 6) : now).padStart(7)
  const room = pen.width - label.length - number.length - 2
  const spark = sparkline(history, Math.floor(snapshot.elapsedMs / 1000), { room, unicode: pen.unicode })
  const peak = `peak ${rate(spark.peak).padStart(5)}`
  const line = [span(label, 'dim'), span(number, 'bold'), span('  '), span(spark.text.padEnd(spark.cells), 'green')]
  if (spark.peak <= 0 || spark.cells + peak.length + 2 > room) return line
  return justify({ left: line, right: [span(peak, 'dim')] }, pen.width, pen.ellipsis)
}

function waitLine(snapshot: LiveSnapshot, pen: Pen): Line {
  const label = span('waiting  ', 'dim')
  if (snapshot.held !== null) return [label, span(heldText(snapshot.held, pen.width - label.text.length), 'yellow')]
  return [label, span(waitsText(snapshot.waits, pen.text) || '-')]
}

function hintLine(snapshot: LiveSnapshot, pen: Pen): Line {
  const hints = snapshot.draining
    ? [`Finishing ${plural(snapshot.inFlight, 'request')}. Ctrl-C again quits at once.`, 'Ctrl-C again quits at once.']
    : ['Ctrl-C stops and keeps everything; resume goes on where it was', 'Ctrl-C stops; resume goes on']
  const fitting = hints.find((hint) => hint.length <= pen.width) ?? hints.at(-1) ?? ''
  return [span(fitting, snapshot.draining ? 'yellow' : 'dim')]
}

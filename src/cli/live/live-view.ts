// The live view on a terminal. Between frames the hidden cursor stays on the first cell of the frame. When the window
// becomes narrower, terminals wrap the lines of the frame and disagree about where the cursor is then (tmux moves it
// down), so the next frame starts at the top of the screen. It does not clear the screen, which some keep as history.

import type { WriteStream } from 'node:tty'
import type { CrawlSnapshot, View } from './crawl-snapshot.ts'
import { renderFrame } from './frame.ts'
import { RateHistory } from './sparkline.ts'

const ESC = '\u001b['
const HIDE_CURSOR = `${ESC}?25l`
const SHOW_CURSOR = `${ESC}?25h`
const NO_WRAP = `${ESC}?7l`
const WRAP = `${ESC}?7h`
// Synchronized update: terminals that support it show complete frames only, others ignore it.
const BEGIN = `${ESC}?2026h`
const END = `${ESC}?2026l`
const ERASE_LINE = `${ESC}K`
const ERASE_BELOW = `${ESC}J`
const HOME = `${ESC}H`

export type TerminalStream = Pick<WriteStream, 'write' | 'writableNeedDrain'> & {
  columns: number
  rows: number
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

export interface LiveViewOptions {
  color: boolean
  unicode: boolean
  now: () => number
  minFrameMs: number
}

export function openLiveView(stream: TerminalStream, options: LiveViewOptions): View {
  const history = new RateHistory()
  let last: CrawlSnapshot | null = null
  let shown = ''
  let height = 0
  let columns = 0
  let drawnAt = Number.NEGATIVE_INFINITY
  let open = true

  const redraw = () => {
    if (last === null || !open) return
    const size = { columns: stream.columns || 80, rows: stream.rows || 24 }
    const { rates, peak } = history
    const { color, unicode } = options
    const lines = renderFrame(last, { ...size, color, unicode, history: rates, peak })
    const frame = lines.join('\n')
    if (frame === shown) return
    const start = size.columns < columns ? HOME : '\r'
    shown = frame
    columns = size.columns
    height = lines.length
    drawnAt = options.now()
    stream.write(`${BEGIN}${HIDE_CURSOR}${NO_WRAP}${start}${frameText(lines)}${WRAP}${END}`)
  }

  const onResize = () => {
    shown = ''
    redraw()
  }

  // Also runs on unexpected exits. Rewrites the frame, because an echoed ^C may have overwritten part of it.
  const restore = () => {
    const frame = shown === '' ? '' : `${NO_WRAP}\r${frameText(shown.split('\n'))}${'\n'.repeat(height)}`
    stream.write(`${frame}\r${WRAP}${SHOW_CURSOR}`)
  }

  stream.on('resize', onResize)
  process.once('exit', restore)

  return {
    draw(snapshot) {
      history.add(snapshot.elapsedMs, snapshot.pagesPerSecond)
      last = snapshot
      // A slow terminal gets fewer frames instead of a growing queue.
      if (options.now() - drawnAt < options.minFrameMs || stream.writableNeedDrain) return
      redraw()
    },
    close(finalLines) {
      if (!open) return
      open = false
      stream.off('resize', onResize)
      process.off('exit', restore)
      const text = finalLines.map((line) => `${line}\r\n`).join('')
      stream.write(`${BEGIN}\r${ERASE_BELOW}${text}${WRAP}${SHOW_CURSOR}${END}`)
    },
  }
}

function frameText(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}${ERASE_LINE}`).join('\r\n')
  const back = lines.length > 1 ? `${ESC}${lines.length - 1}A` : ''
  return `${text}${ERASE_BELOW}${back}\r`
}

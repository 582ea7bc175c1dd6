// The log of a crawl on its thread: lines go to the process, which writes them. The lines of a turn go as one batch, and
// the next goes when the process has written that one, so that a slow one is not flooded. Lines that wait are bounded;
// of those beyond, only the number is told.

import { type Fields, type Level, type Log, logTo, SharedLevel } from '../lib/log.ts'

export interface LogLine {
  level: Level
  event: string
  fields: Fields
}

export interface ThreadLogParts {
  /** Of the log that the lines end in. */
  levelCell: SharedArrayBuffer
  about: { crawl: string; worker: string }
  send(lines: LogLine[]): void
  /** Calls back at the end of the turn. */
  soon(callback: () => void): void
}

/** More than a second of a thread at 7,000 pages a second; some megabytes. */
const MAX_LINES = 8192
/** Lines at the level debug leave room for those that matter more. */
const MAX_WITH_DEBUG = MAX_LINES / 2

export class ThreadLog {
  readonly log: Log
  readonly #parts: ThreadLogParts
  #lines: LogLine[] = []
  #dropped = 0
  /** A batch is about to go, or on its way. */
  #isBusy = false

  constructor(parts: ThreadLogParts) {
    const shared = new SharedLevel(parts.levelCell)
    this.#parts = parts
    this.log = logTo(
      (level, event, fields) => this.#add({ level, event, fields }),
      (level) => shared.wants(level),
    )
  }

  /** The process has written what was sent. */
  heard(): void {
    this.#isBusy = false
    this.flush()
  }

  /** Sends what there is, whatever is on its way: for the last lines of a crawl. */
  flush(): void {
    if (this.#lines.length === 0) return
    const lines = this.#lines
    if (this.#dropped > 0) {
      const fields = { ...this.#parts.about, lines: this.#dropped }
      lines.push({ level: 'warn', event: 'log lines dropped', fields })
    }
    this.#lines = []
    this.#dropped = 0
    this.#isBusy = true
    this.#parts.send(lines)
  }

  #add(line: LogLine): void {
    if (this.#lines.length >= (line.level === 'debug' ? MAX_WITH_DEBUG : MAX_LINES)) {
      this.#dropped += 1
      return
    }
    this.#lines.push(line)
    if (this.#isBusy) return
    this.#isBusy = true
    this.#parts.soon(() => this.flush())
  }
}

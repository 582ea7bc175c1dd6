// The log of a crawl on its thread: lines go to the process, which writes them. The lines of a turn go as one batch,
// and the next goes when the process has written that one, so that a slow one is not flooded. Lines that wait are
// bounded; of those beyond, only the number is told.

import { createLog, type Log, type LogFields, type LogLevel, SharedLogLevel } from '../../lib/log.ts'

export interface LogLine {
  level: LogLevel
  event: string
  fields: LogFields
}

export interface ThreadLogDependencies {
  /** Of the log that the lines end in. */
  levelCell: SharedArrayBuffer
  about: { crawl: string; worker: string }
  send(lines: LogLine[]): void
  /** Calls back at the end of the turn. */
  atEndOfTurn(callback: () => void): void
}

/** More than a second of a thread at 7,000 pages a second; some megabytes. */
const MAX_LINES = 8192
/** Lines at the level debug leave room for those that matter more. */
const MAX_WITH_DEBUG = MAX_LINES / 2

export class ThreadLog {
  readonly log: Log
  readonly #dependencies: ThreadLogDependencies
  #lines: LogLine[] = []
  #dropped = 0
  /** A batch is about to go, or on its way. */
  #isSending = false

  constructor(dependencies: ThreadLogDependencies) {
    const shared = new SharedLogLevel(dependencies.levelCell)
    this.#dependencies = dependencies
    this.log = createLog(
      (level, event, logFields) => this.#add({ level, event, fields: logFields }),
      (level) => shared.wants(level),
    )
  }

  /** The process has written what was sent. */
  acknowledge(): void {
    this.#isSending = false
    this.flush()
  }

  /** Sends what there is, whatever is on its way: for the last lines of a crawl. */
  flush(): void {
    if (this.#lines.length === 0) return
    const lines = this.#lines
    if (this.#dropped > 0) {
      const fields = { ...this.#dependencies.about, lines: this.#dropped }
      lines.push({ level: 'warn', event: 'log lines dropped', fields })
    }
    this.#lines = []
    this.#dropped = 0
    this.#isSending = true
    this.#dependencies.send(lines)
  }

  #add(line: LogLine): void {
    if (this.#lines.length >= (line.level === 'debug' ? MAX_WITH_DEBUG : MAX_LINES)) {
      this.#dropped += 1
      return
    }
    this.#lines.push(line)
    if (this.#isSending) return
    this.#isSending = true
    this.#dependencies.atEndOfTurn(() => this.flush())
  }
}

// The log of a crawl on its thread. Lines are sent to the process, which writes them. The lines of one turn of the
// event loop are sent as a batch, and the next batch only when the process has written the last one, so that a slow
// process is not flooded. The number of waiting lines is bounded; lines beyond that are dropped and counted.

import { createLog, type Log, type LogFields, type LogLevel, SharedLogLevel } from '../../lib/log.ts'

export interface LogLine {
  level: LogLevel
  event: string
  fields: LogFields
}

export interface ThreadLogDependencies {
  /** Level of the log that the process writes. */
  levelCell: SharedArrayBuffer
  context: { crawl: string; worker: string }
  send(lines: LogLine[]): void
  /** Calls back at the end of the turn of the event loop. */
  atEndOfTurn(callback: () => void): void
}

/** Covers more than a second of a thread at 7,000 pages per second; a few megabytes. */
const MAX_LINES = 8192
/** Debug lines leave room for more important ones. */
const MAX_WITH_DEBUG = MAX_LINES / 2

export class ThreadLog {
  readonly log: Log
  readonly #dependencies: ThreadLogDependencies
  #lines: LogLine[] = []
  #dropped = 0
  /** A batch is scheduled, or not acknowledged yet. */
  #isSending = false

  constructor(dependencies: ThreadLogDependencies) {
    const shared = new SharedLogLevel(dependencies.levelCell)
    this.#dependencies = dependencies
    this.log = createLog(
      (level, event, logFields) => this.#add({ level, event, fields: logFields }),
      (level) => shared.wants(level),
    )
  }

  /** Called when the process has written the last batch. */
  acknowledge(): void {
    this.#isSending = false
    this.flush()
  }

  /** Sends all lines without waiting for an acknowledgement. Used for the last lines of a crawl. */
  flush(): void {
    if (this.#lines.length === 0) return
    const lines = this.#lines
    if (this.#dropped > 0) {
      const fields = { ...this.#dependencies.context, lines: this.#dropped }
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

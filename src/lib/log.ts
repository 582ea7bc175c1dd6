// Structured logging, one line per event: text on a terminal, JSON otherwise. Fields have one vocabulary: crawl, url,
// host, worker, request_id. Secrets are redacted.

import { createRequire } from 'node:module'
import { isatty } from 'node:tty'
import type { Logger, pino as Pino } from 'pino'
import { LOG_LEVELS, type LogLevel } from './log-levels.ts'
import { isSecretName, REDACTED, redact } from './redact.ts'

export type { LogLevel }

const LOG_FORMATS = ['auto', 'text', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export type LogFields = Record<string, string | number | null>
type LogWrite = (event: string, fields?: LogFields) => void

/** Calling the log itself writes at level `info`. */
export interface Log extends LogWrite {
  debug: LogWrite
  warn: LogWrite
  error: LogWrite
  /** Writes changes and rejected requests: level `info`, but also written if the log level is `warn`. */
  audit: LogWrite
  /** Whether lines of this level are written; lets callers skip expensive work. */
  wants(level: LogLevel): boolean
}

export interface LogSettings {
  /** `auto` is text on a terminal and JSON otherwise. */
  format: LogFormat
  level: LogLevel
}

/** A log whose level can change while it is open. */
export interface OpenLog extends Log {
  readonly level: LogLevel
  setLevel(level: LogLevel): void
  /** Shared with threads that send their lines to this log. */
  readonly levelCell: SharedArrayBuffer
}

/** A log level in shared memory: all threads see a change immediately. */
export class SharedLogLevel {
  readonly cell: SharedArrayBuffer
  readonly #lowest: Int32Array

  constructor(cell: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.cell = cell
    this.#lowest = new Int32Array(cell)
  }

  get level(): LogLevel {
    return LOG_LEVELS[Atomics.load(this.#lowest, 0)] ?? 'debug'
  }

  set(level: LogLevel): void {
    Atomics.store(this.#lowest, 0, LOG_LEVELS.indexOf(level))
  }

  wants(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) >= Atomics.load(this.#lowest, 0)
  }
}

interface LogStream {
  write(text: string): unknown
}

const STDERR = 2
const require = createRequire(import.meta.url)
const DEFAULTS: LogSettings = { format: 'auto', level: 'info' }

/** `stream` is standard error, except in tests. */
export function openLog(stream: LogStream, now: () => number, settings: LogSettings = DEFAULTS): OpenLog {
  const isText = settings.format === 'text' || (settings.format === 'auto' && isatty(STDERR))
  const write = isText ? textWriter(stream, now) : jsonWriter(stream, now)
  const shared = new SharedLogLevel()
  shared.set(settings.level)
  const log = createLog(
    (at, event, logFields) => write(at, event, redactFields(logFields)),
    (level) => shared.wants(level),
  )
  return Object.defineProperties(log, {
    level: { get: () => shared.level },
    setLevel: { value: (next: LogLevel) => shared.set(next) },
    levelCell: { value: shared.cell },
  }) as OpenLog
}

/** Builds a log from one function, which is called for every event whose level is wanted. */
export function createLog(
  write: (level: LogLevel, event: string, logFields: LogFields) => void,
  wants: (level: LogLevel) => boolean = () => true,
): Log {
  const at =
    (level: LogLevel): LogWrite =>
    (event, fields = {}) => {
      if (wants(level)) write(level, event, fields)
    }
  const audit: LogWrite = (event, fields = {}) => {
    if (wants('warn')) write('info', event, fields)
  }
  return Object.assign(at('info'), { debug: at('debug'), warn: at('warn'), error: at('error'), audit, wants })
}

export const silentLog: Log = createLog(
  () => undefined,
  () => false,
)

/** Writes lines whose level varies. */
export function logAt(log: Log, level: LogLevel, event: string, logFields: LogFields): void {
  if (level === 'info') log(event, logFields)
  else log[level](event, logFields)
}

/** Drops fields that are null. */
function redactFields(logFields: LogFields): LogFields {
  const redacted: LogFields = {}
  for (const [name, value] of Object.entries(logFields)) {
    if (value !== null)
      redacted[name] = isSecretName(name) ? REDACTED : typeof value === 'string' ? redact(value) : value
  }
  return redacted
}

type LineWriter = (level: LogLevel, event: string, logFields: LogFields) => void

/** `2026-11-15T15:17:31.004Z crawl started crawl=0193 worker=w7`; levels other than info are named. */
function textWriter(stream: LogStream, now: () => number): LineWriter {
  return (level, event, logFields) => {
    let line = `${new Date(now()).toISOString()} ${level === 'info' ? '' : `${level}: `}${event}`
    for (const [name, value] of Object.entries(logFields)) line += ` ${name}=${quote(String(value))}`
    stream.write(`${line}\n`)
  }
}

/** `{"level":"info","time":"2026-11-15T15:17:31.004Z","crawl":"0193","event":"crawl started"}` */
function jsonWriter(stream: LogStream, now: () => number): LineWriter {
  let logger: Logger | undefined
  return (level, event, logFields) => {
    logger ??= openPino(stream, now)
    logger[level](logFields, event)
  }
}

function openPino(stream: LogStream, now: () => number): Logger {
  // Loaded with the first line: loading takes 20 ms of CPU, and most commands log nothing.
  const { pino } = require('pino') as { pino: typeof Pino }
  return pino(
    {
      level: 'debug',
      messageKey: 'event',
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => void stream.write(line) },
  )
}

/** Quotes values with spaces, quotes or line breaks as in JSON. */
function quote(value: string): string {
  return /^[^\s"=\p{C}]+$/u.test(value) ? value : JSON.stringify(value)
}

// One line an event, for people and for programs that collect lines: when, what, and about whom.

import type { Writable } from 'node:stream'

export type Fields = Record<string, string | number | null>
export type Log = (event: string, fields?: Fields) => void

/** `2026-11-15T15:17:31.004Z crawl begun crawl=0193 worker=w7`; fields that are null are left out. */
export function openLog(stream: Pick<Writable, 'write'>, now: () => number): Log {
  return (event, fields = {}) => {
    let line = `${new Date(now()).toISOString()} ${event}`
    for (const [name, value] of Object.entries(fields)) if (value !== null) line += ` ${name}=${quote(String(value))}`
    stream.write(`${line}\n`)
  }
}

/** A value with spaces or quotes in it, or one that would break the line, is written as in JSON. */
function quote(value: string): string {
  return /^[^\s"=\p{C}]+$/u.test(value) ? value : JSON.stringify(value)
}

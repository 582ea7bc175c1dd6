// Patterns are of the caller's making, and some take for ever: a thread that matches one would never come back. They are
// tried on texts that such patterns stumble over, runs of the characters that they speak of with an end that does not fit.

import { runWithin } from '../../lib/within.ts'

/** Good ones take microseconds. */
const MAX_MS = 500
const REPEATS = 50
const USUAL = ['a', '0', '/', '-', '%', '.', 'http://a.test/']
const END = '\u{fffd}\n'

/** The first that takes too long; null when none does. */
export function findSlowPattern(patterns: readonly string[]): string | null {
  let at = 0
  const tried = runWithin(MAX_MS, () => {
    for (; at < patterns.length; at++) {
      const pattern = new RegExp(patterns[at] ?? '')
      for (const text of textsFor(pattern.source)) pattern.test(text)
    }
  })
  return tried === null ? (patterns[at] ?? null) : null
}

function textsFor(source: string): string[] {
  const words = source.match(/[a-z0-9]+/gi) ?? []
  const parts = new Set([...USUAL, ...source, ...words])
  return [...parts].slice(0, 100).map((part) => part.repeat(REPEATS) + END)
}

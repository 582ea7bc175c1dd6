// One line that is rewritten on a terminal. Nothing is printed elsewhere.

import type { Io } from '../io.ts'

const CLEAR_LINE = '\r\x1b[K'

export interface ProgressLine {
  show(text: string): void
  /** Must be called before anything else is printed. */
  clear(): void
}

export function openProgressLine({ stdout, env }: Pick<Io, 'stdout' | 'env'>): ProgressLine {
  const isRewritable = stdout.isTTY === true && env['TERM'] !== 'dumb'
  let shown = ''
  return {
    show(text) {
      if (!isRewritable || text === shown) return
      shown = text
      stdout.write(CLEAR_LINE + text)
    },
    clear() {
      if (shown !== '') stdout.write(CLEAR_LINE)
      shown = ''
    },
  }
}

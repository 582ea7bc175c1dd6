// Work that may take for ever, such as matching a pattern that somebody else wrote: cut off after a time. Everything
// stands still meanwhile, so the time is short.

import { createContext, Script } from 'node:vm'

const script = new Script('run()')

/** Null when the time is over. */
export function runWithTimeout<T>(ms: number, run: () => T): { value: T } | null {
  try {
    return { value: script.runInContext(createContext({ run }), { timeout: ms }) as T }
  } catch (error) {
    // It is an Error of the other context, and so none of this one.
    const isOver = typeof error === 'object' && error !== null && 'code' in error
    if (isOver && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null
    throw error
  }
}

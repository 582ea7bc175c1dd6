// Runs code that may never finish, such as matching a user's regular expression, with a timeout. It blocks the thread, so
// the timeout must be short.

import { createContext, Script } from 'node:vm'

const script = new Script('run()')

/** Null after a timeout. */
export function runWithTimeout<T>(ms: number, run: () => T): { value: T } | null {
  try {
    return { value: script.runInContext(createContext({ run }), { timeout: ms }) as T }
  } catch (error) {
    // An Error of another context is not an instance of Error in this one.
    const hasCode = typeof error === 'object' && error !== null && 'code' in error
    if (hasCode && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null
    throw error
  }
}

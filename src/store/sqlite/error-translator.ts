// Errors of SQLite told in the words of the program, whichever method of the store met them. That the file is damaged is
// remembered: what lies in whole pages can still be read, but the store is no longer fit for work.

import { sqliteCode } from '../../lib/sqlite-code.ts'
import { isDamageError, storeError } from './open.ts'

export interface StoreCondition {
  /** What was said of the file when it was first found damaged; null when it was not. */
  damage(): Promise<string | null>
}

export class ErrorTranslator implements StoreCondition {
  readonly #dir: string
  #damage: string | null = null

  constructor(dir: string) {
    this.#dir = dir
  }

  async damage(): Promise<string | null> {
    return this.#damage
  }

  /** Errors that are not of SQLite pass as they are. */
  readonly translate = (error: unknown): unknown => {
    if (sqliteCode(error) === null) return error
    const explained = storeError(error, this.#dir)
    if (isDamageError(error)) this.#damage ??= explained.message
    return explained
  }

  run<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw this.translate(error)
    }
  }

  /** The same service, whose methods fail in our words. */
  wrapService<T extends object>(service: T): T {
    return new Proxy(service, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => this.#watch(this.run(() => member.apply(target, args) as unknown))
      },
    })
  }

  #watch(result: unknown): unknown {
    if (result instanceof Promise) {
      return result.catch((error: unknown) => {
        throw this.translate(error)
      })
    }
    const isStream = typeof result === 'object' && result !== null && Symbol.asyncIterator in result
    return isStream ? this.#stream(result as AsyncIterable<unknown>) : result
  }

  async *#stream(items: AsyncIterable<unknown>): AsyncGenerator<unknown, void, void> {
    try {
      yield* items
    } catch (error) {
      throw this.translate(error)
    }
  }
}

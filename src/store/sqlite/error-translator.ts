// Translates SQLite errors into errors of the program, for every method of the store. Damage to the file is remembered:
// intact pages can still be read, but the store must not be written to.

import { sqliteCode } from '../../lib/sqlite-code.ts'
import { isDamageError, storeError } from './open.ts'

export interface StoreCondition {
  /** The first damage found in the file; null if there is none. */
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

  /** Other errors are returned unchanged. */
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

  /** Wraps a service so that its errors are translated. */
  wrapService<T extends object>(service: T): T {
    return new Proxy(service, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => this.#translateLater(this.run(() => member.apply(target, args) as unknown))
      },
    })
  }

  #translateLater(result: unknown): unknown {
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

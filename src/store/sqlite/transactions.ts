// A failed transaction leaves the in-memory state (schedule, leases, counters) in doubt. Instead of repairing it, the
// store rejects all further work; the next start rebuilds it from the file, where the transaction did not happen.

import type { DatabaseSync } from 'node:sqlite'
import type { AppError } from '../../lib/errors.ts'

export class Transactions {
  readonly #db: DatabaseSync
  readonly #toStoreError: (error: unknown) => AppError
  #broken: AppError | null = null

  constructor(db: DatabaseSync, explain: (error: unknown) => AppError) {
    this.#db = db
    this.#toStoreError = explain
  }

  /** The transaction failed because the disk was full. With free space the store can be rebuilt. */
  get isDiskFull(): boolean {
    return this.#broken?.code === 'DISK_FULL'
  }

  run<T>(work: () => T): T {
    if (this.#broken !== null) throw this.#broken
    try {
      this.#db.exec('begin immediate')
      const result = work()
      this.#db.exec('commit')
      return result
    } catch (error) {
      this.#broken = this.#toStoreError(error)
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw this.#broken
    }
  }
}

// A store that survives a full disk. A failed transaction leaves the in-memory state in doubt (transactions.ts). If it
// failed because the disk was full, the whole store is rebuilt from the file, as after a restart: leases are gone, and
// reports under them are rejected as late. Until there is space every write fails, and reads continue.

import type { DatabaseSync } from 'node:sqlite'
import { buildStore, type StoreOptions } from './build-store.ts'
import { ErrorTranslator, type StoreCondition } from './error-translator.ts'
import { storeError } from './open.ts'
import { Transactions } from './transactions.ts'

type Services = Record<string, object>

/** A write tests for free space, at most this often. */
export const REBUILD_MS = 2_000

/** Services by name, each with the methods of its port. */
export function openRecoveringServices(db: DatabaseSync, options: StoreOptions & { dir: string }): Services {
  const { clock, dir } = options
  const errorTranslator = new ErrorTranslator(dir)
  const build = () => {
    const transactions = new Transactions(db, (error) => storeError(errorTranslator.translate(error), dir))
    const { access, ...others } = buildStore(db, transactions, options)
    const storeCondition: StoreCondition = { damage: () => errorTranslator.damage() }
    const services: Services = { ...others, ...access, condition: storeCondition }
    return { transactions, services, frontier: others.frontier, builtAt: clock.now() }
  }
  let current = errorTranslator.run(build)
  const usable = (): Services => {
    const before = current
    if (before.transactions.isDiskFull && clock.now() - before.builtAt >= REBUILD_MS) {
      current = build()
      // Waiting callers ask again and reach the new store.
      before.frontier.wake()
    }
    return current.services
  }
  return Object.fromEntries(
    Object.keys(current.services).map((name) => [name, errorTranslator.wrapService(makeServiceProxy(name, usable))]),
  )
}

/** Looks up its methods with every call. */
function makeServiceProxy(name: string, usable: () => Services): object {
  return new Proxy(
    {},
    {
      get(_target, method) {
        const service = usable()[name] ?? {}
        const run: unknown = Reflect.get(service, method)
        return typeof run === 'function' ? run.bind(service) : run
      },
    },
  )
}

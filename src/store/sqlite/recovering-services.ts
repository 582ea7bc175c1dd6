// The store of a process that outlives a full disk. A transaction that failed leaves the memory beside the file in doubt
// (transaction.ts); when it failed for want of room the whole store is built anew over the same file, as after a restart:
// leases are gone, and who reports under one of before hears that it is late. Until there is room every write fails and
// what only reads goes on.

import type { DatabaseSync } from 'node:sqlite'
import { ErrorTranslator, type StoreCondition } from './error-translator.ts'
import { storeError } from './open.ts'
import { buildStore, type StoreOptions } from './store.ts'
import { Transactions } from './transactions.ts'

type Services = Record<string, object>

/** Whether there is room again is found out by a write, not more often than this. */
export const REBUILD_MS = 2_000

/** By their names, each with the methods of its port. */
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
      // Who waits for work asks again, and is answered by the new one.
      before.frontier.wake()
    }
    return current.services
  }
  return Object.fromEntries(
    Object.keys(current.services).map((name) => [name, errorTranslator.wrapService(makeServiceProxy(name, usable))]),
  )
}

/** Finds its methods anew with every call. */
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

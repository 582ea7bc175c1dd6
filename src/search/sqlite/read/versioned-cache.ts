// Caches values of a reading connection until the index changes.

import type { DatabaseSync } from 'node:sqlite'
import { prepareCached } from '../prepare-cached.ts'

/** The returned function is called in a transaction, and again in the next one. It creates a value per index version. */
export function cachePerVersion<T>(create: (db: DatabaseSync) => T): (db: DatabaseSync) => T {
  const values = new WeakMap<DatabaseSync, { version: string; value: T }>()
  return (db) => {
    const version = readVersion(db)
    const known = values.get(db)
    if (known?.version === version) return known.value
    const value = create(db)
    values.set(db, { version, value })
    return value
  }
}

/** Two numbers: the first changes with commits of other connections, the second with commits of this one. */
function readVersion(db: DatabaseSync): string {
  const others = prepareCached(db, 'pragma data_version').get()?.['data_version']
  const own = prepareCached(db, 'select total_changes() as n').get()?.['n']
  return `${others} ${own}`
}

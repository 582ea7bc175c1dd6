// Those who keep pages: the workers of a store, and processes that only keep.

import { hostname } from 'node:os'
import type { Neighbour } from '../content/cluster-reader.ts'
import type { Keeper, Workers } from '../ports/workers.ts'
import { isReachable } from '../worker/address.ts'

export async function neighboursOf(workers: Pick<Workers, 'list' | 'keepers'>): Promise<Neighbour[]> {
  const [rows, keepers] = await Promise.all([workers.list(), workers.keepers()])
  return [
    ...rows.map((row) => neighbour(row, row.state === 'working' || row.state === 'draining')),
    ...keepers.map((keeper) => neighbour(keeper, true)),
  ]
}

function neighbour({ id, name, address }: Keeper, isAtWork: boolean): Neighbour {
  const isHere = name.startsWith(`${hostname()}:`)
  return { id, name, isAtWork, address: address !== null && isReachable(address, isHere) ? address : null }
}

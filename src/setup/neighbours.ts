// The workers of a store as those who keep pages.

import { hostname } from 'node:os'
import type { Neighbour } from '../content/cluster-reader.ts'
import type { Workers } from '../ports/workers.ts'
import { isReachable } from '../worker/address.ts'

export async function neighboursOf(workers: Pick<Workers, 'list'>): Promise<Neighbour[]> {
  return (await workers.list()).map(({ id, name, state, address }) => {
    const isHere = name.startsWith(`${hostname()}:`)
    const isAtWork = state === 'working' || state === 'draining'
    return { id, name, isAtWork, address: address !== null && isReachable(address, isHere) ? address : null }
  })
}

// Those who keep pages: the workers of a store, and processes that only keep.

import { hostname } from 'node:os'
import type { ArchiveNodeStatus } from '../archive/cluster-reader.ts'
import type { ArchiveNode, Workers } from '../ports/workers.ts'
import { isReachable } from '../worker/health/address.ts'

export async function findArchiveNodes(
  workers: Pick<Workers, 'list' | 'listArchiveNodes'>,
): Promise<ArchiveNodeStatus[]> {
  const [rows, keepers] = await Promise.all([workers.list(), workers.listArchiveNodes()])
  return [
    ...rows.map((row) => toArchiveNode(row, row.state === 'working' || row.state === 'draining')),
    ...keepers.map((archiveNode) => toArchiveNode(archiveNode, true)),
  ]
}

function toArchiveNode({ id, name, address }: ArchiveNode, isAtWork: boolean): ArchiveNodeStatus {
  const isHere = name.startsWith(`${hostname()}:`)
  return { id, name, isRunning: isAtWork, address: address !== null && isReachable(address, isHere) ? address : null }
}

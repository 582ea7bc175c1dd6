// Finds the processes that serve archived records: the workers of a store and dedicated archive nodes.

import { hostname } from 'node:os'
import type { ArchiveNodeStatus } from '../archive/cluster-reader.ts'
import type { ArchiveNode, Workers } from '../ports/workers.ts'
import { isReachable } from '../worker/health/address.ts'

export async function findArchiveNodes(
  workers: Pick<Workers, 'list' | 'listArchiveNodes'>,
): Promise<ArchiveNodeStatus[]> {
  const [workerRows, archiveNodes] = await Promise.all([workers.list(), workers.listArchiveNodes()])
  return [
    ...workerRows.map((row) => toArchiveNode(row, row.state === 'working' || row.state === 'draining')),
    ...archiveNodes.map((archiveNode) => toArchiveNode(archiveNode, true)),
  ]
}

function toArchiveNode({ id, name, address }: ArchiveNode, isRunning: boolean): ArchiveNodeStatus {
  const isLocal = name.startsWith(`${hostname()}:`)
  return { id, name, isRunning, address: address !== null && isReachable(address, isLocal) ? address : null }
}

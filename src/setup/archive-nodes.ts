// Finds the archive nodes: the processes that serve archived records. These are all workers and all API processes.

import { hostname } from 'node:os'
import type { ArchiveNodeStatus } from '../archive/cluster-reader.ts'
import type { ApiArchiveNode, Workers } from '../ports/workers.ts'
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

function toArchiveNode({ id, name, address }: ApiArchiveNode, isRunning: boolean): ArchiveNodeStatus {
  const isLocal = name.startsWith(`${hostname()}:`)
  return { id, name, isRunning, address: address !== null && isReachable(address, isLocal) ? address : null }
}

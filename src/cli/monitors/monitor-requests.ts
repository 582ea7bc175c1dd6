// Operations that take several requests to the routes of monitors, for the command line and the library.

import type { Client, ClientResponse } from '../../api/client.ts'
import { AppError } from '../../lib/errors.ts'
import type { MonitorClient } from './monitor-client.ts'

export type MonitorRequest = Parameters<Client['createMonitor']>[0]['body']
export type DocumentRequest = Parameters<Client['addMonitorDocument']>[0]['body']

/** Finds a monitor by its id, its name, or the start of either. */
export async function findMonitorId(
  client: Pick<MonitorClient, 'listMonitors'>,
  text: string | undefined,
): Promise<string> {
  if (text === undefined || text === '') throw new AppError('USAGE', 'Give the id or the name of a monitor.')
  const { items } = await client.listMonitors()
  const exact = items.filter(({ monitor_id: id, name }) => id === text || name === text)
  const found =
    exact.length > 0
      ? exact
      : items.filter((item) => `${item.monitor_id}\n${item.name}`.split('\n').some((word) => word.startsWith(text)))
  const [monitor, ...others] = found
  if (monitor === undefined) throw new AppError('MONITOR_NOT_FOUND', `There is no monitor "${text}".`)
  if (others.length === 0) return monitor.monitor_id
  const ids = found.map(({ monitor_id: id, name }) => `${id} (${name})`).join(', ')
  throw new AppError('USAGE', `More than one monitor matches "${text}": ${ids}. Use an id.`)
}

/** Creates a monitor with its documents. If a document is rejected, no monitor is created. */
export async function createMonitor(
  client: Pick<MonitorClient, 'createMonitor' | 'addMonitorDocument' | 'deleteMonitor'>,
  request: MonitorRequest,
  documents: readonly DocumentRequest[],
): Promise<ClientResponse<'createMonitor'>> {
  const monitor = await client.createMonitor({ body: request })
  try {
    await addDocuments(client, monitor.monitor_id, documents)
  } catch (error) {
    await client.deleteMonitor({ params: { monitor_id: monitor.monitor_id } })
    throw error
  }
  return monitor
}

export async function addDocuments(
  client: Pick<MonitorClient, 'addMonitorDocument'>,
  monitorId: string,
  documents: readonly DocumentRequest[],
): Promise<void> {
  for (const body of documents) await client.addMonitorDocument({ params: { monitor_id: monitorId }, body })
}

/** Examines the page versions after one, so that a scan that was interrupted can be resumed. Yields the progress. */
export async function* scanArchive(
  client: Pick<MonitorClient, 'scanArchive'>,
  monitorId: string,
  after: number,
): AsyncGenerator<ClientResponse<'scanArchive'>> {
  for (let next: number | null = after; next !== null; ) {
    const progress: ClientResponse<'scanArchive'> = await client.scanArchive({
      params: { monitor_id: monitorId },
      body: { after: next },
    })
    yield progress
    next = progress.next
  }
}

// The routes of monitors for the command line: of a server, or on a store that this process opens.

import type { Client } from '../../api/client.ts'
import { createLocalClient } from '../../api/local-client.ts'
import { hitHandlers } from '../../api/routes/hits.ts'
import { monitorHandlers } from '../../api/routes/monitors.ts'
import type { Config } from '../../config/schema.ts'
import { readArchivedPage } from '../../engine/pages/read-archived-page.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Io, ReadSession } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'

type MonitorRoute =
  | ('listMonitors' | 'createMonitor' | 'changeMonitor' | 'deleteMonitor' | 'muteMonitorUrl' | 'addMonitorDocument')
  | ('listHits' | 'acknowledgeHits')

export interface MonitorClient extends Pick<Client, MonitorRoute> {
  /** Resolves the start of an id. */
  findCrawlId(prefix: string): Promise<string>
}

export async function withMonitorClient(
  config: Config,
  io: Io,
  run: (client: MonitorClient) => Promise<number>,
): Promise<number> {
  const client = createServerClient(config)
  if (client !== null) {
    return callServer(client, () => run({ ...client, findCrawlId: (prefix) => findCrawlId(client, prefix) }))
  }
  const controlSession = await io.openControlSession(config, true)
  let reader: Promise<ReadSession> | null = null
  const openReader = () => {
    reader ??= io.openReadSession(config)
    return reader
  }
  try {
    const { crawls, monitors, protectedDocuments, monitorHits } = controlSession
    const dependencies = {
      crawls,
      monitors,
      protectedDocuments,
      monitorHits,
      clock: systemClock,
      pages: { history: async (url: string) => (await openReader()).pages.history(url) },
      pageCache: {
        readUncached: async (version: Parameters<typeof readArchivedPage>[0]) =>
          readArchivedPage(version, await openReader()),
      },
    }
    const local = createLocalClient({ ...monitorHandlers(dependencies), ...hitHandlers(dependencies) })
    return await run({ ...local, findCrawlId: async (prefix) => (await crawls.find(prefix)).id })
  } finally {
    await (await (reader as Promise<ReadSession> | null))?.close()
    await controlSession.close()
  }
}

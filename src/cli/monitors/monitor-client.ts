// The routes of monitors for the command line and the library: of a server, or on a store that this process opens.

import { ApiError, type Client } from '../../api/client.ts'
import { createLocalClient } from '../../api/local-client.ts'
import { RequestError } from '../../api/requests/request-error.ts'
import { hitHandlers } from '../../api/routes/hits.ts'
import { monitorHandlers } from '../../api/routes/monitors.ts'
import type { Config } from '../../config/schema.ts'
import { readArchivedPage } from '../../engine/pages/read-archived-page.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { lazy } from '../../lib/lazy.ts'
import { silentLog } from '../../lib/log.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { ControlSession, Io, Openers } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'

/** The command line has no fields of a form, so only their messages are shown. */
function rethrowFields(error: unknown): never {
  const fields = error instanceof ApiError || error instanceof RequestError ? (error.fields ?? []) : []
  if (fields.length === 0 || !(error instanceof ApiError || error instanceof RequestError)) throw error
  throw new AppError(error.code, fields.map(({ message }) => message).join(' '), { cause: error })
}

type MonitorRoute =
  | ('listMonitors' | 'createMonitor' | 'changeMonitor' | 'deleteMonitor' | 'muteMonitorUrl' | 'addMonitorDocument')
  | ('listHits' | 'acknowledgeHits' | 'scanArchive')

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
  if (client === null) return withLocalMonitorClient(config, io, run).catch(rethrowFields)
  const remote = { ...client, findCrawlId: (prefix: string) => findCrawlId(client, prefix) }
  return callServer(client, () => run(remote).catch(rethrowFields))
}

/** Opens a session for the client and closes it afterwards. */
export async function withLocalMonitorClient<T>(
  config: Config,
  { openControlSession, openReadSession }: Pick<Openers, 'openControlSession' | 'openReadSession'>,
  run: (client: MonitorClient, controlSession: ControlSession) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const close = (session: { close(): Promise<void> }) => session.close()
  const controlSession = opened.adopt(await openControlSession(config, true), close)
  const openReader = lazy(async () => opened.adopt(await openReadSession(config), close))
  const { crawls, monitors, protectedDocuments, monitorHits } = controlSession
  const dependencies = {
    crawls,
    monitors,
    protectedDocuments,
    monitorHits,
    clock: systemClock,
    log: silentLog,
    pages: {
      history: async (url: string) => (await openReader()).pages.history(url),
      listAfter: async (id: number, limit: number) => (await openReader()).pages.listAfter(id, limit),
      newestId: async () => (await openReader()).pages.newestId(),
    },
    pageCache: {
      readUncached: async (version: PageVersion) => readArchivedPage(version, await openReader()),
    },
  }
  const client = createLocalClient({ ...monitorHandlers(dependencies), ...hitHandlers(dependencies) })
  return await run({ ...client, findCrawlId: async (prefix) => (await crawls.find(prefix)).id }, controlSession)
}

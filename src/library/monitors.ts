// The monitors of a store, and their hits.

import { parsePageUrl } from '../api/requests/page-url.ts'
import { NO_COUNTS } from '../api/views/monitor-json.ts'
import type { ControlSession } from '../cli/io.ts'
import type { MonitorClient } from '../cli/monitors/monitor-client.ts'
import type { DocumentRequest, MonitorRequest } from '../cli/monitors/monitor-requests.ts'
import type { Config } from '../config/schema.ts'
import { describeEvidence } from '../monitor/describe-hit.ts'
import { monitorNotFoundError } from '../monitor/manage-monitors.ts'
import type { Hit, MonitorCounts, MonitorRow, MonitorRule } from '../ports/monitors.ts'
import { openers } from '../setup/openers.ts'
import { dateOrNull } from './date-or-null.ts'
import { toSnakeNames, withFieldNames } from './field-names.ts'

export interface NewMonitor {
  name: string
  /** What to watch for. Copies have at least 50 words unless `minWords` says otherwise. */
  rule: Exclude<MonitorRule, { kind: 'copies' }> | { kind: 'copies'; minWords?: number }
  /** Ids of crawls or the starts of them; by default all crawls. */
  crawlIds?: readonly string[]
  /** Patterns of URLs to watch; by default all. */
  include?: readonly string[]
  /** Patterns of URLs to leave out. */
  exclude?: readonly string[]
  /** Hits are stored, but nobody is notified. */
  isMuted?: boolean
}

/** A document to find copies of: its text, its HTML, or the URL of an archived page. */
export type ProtectedDocument =
  | { title: string; text: string }
  | { title?: string; html: string }
  | { title?: string; url: string }

export interface Monitor extends Omit<MonitorRow, 'id' | 'createdAt'>, Omit<MonitorCounts, 'lastHitAt' | 'words'> {
  monitorId: string
  /** Pages visited earlier are examined only by `scan`. */
  createdAt: Date
  lastHitAt: Date | null
  /** Number of words in all its documents. */
  documentWords: number
}

export interface MonitorHit extends Omit<Hit, 'id' | 'visitedAt' | 'at' | 'acknowledgedAt'> {
  hitId: number
  /** The finding in one line. */
  summary: string
  visitedAt: Date
  /** When the page was examined. */
  at: Date
  acknowledgedAt: Date | null
}

export interface HitOptions {
  /** The id or the name of a monitor; by default all monitors. */
  monitorId?: string
  /** The id of a crawl or the start of it; by default all crawls. */
  crawlId?: string
  url?: string
  /** True: only hits that have not been acknowledged. False: only the others. */
  isOpen?: boolean
}

/** `monitorId` may be the name of a monitor too, or the start of its id or name. */
export interface MonitorControl {
  /** The oldest first. */
  list(): Promise<Monitor[]>
  /** Examines every page from now on. If a document is refused, there is no monitor. */
  add(monitor: NewMonitor, documents?: readonly ProtectedDocument[]): Promise<Monitor>
  /** Changes or mutes a monitor. A new rule starts without what the old one has seen. */
  update(monitorId: string, changes: Partial<NewMonitor>): Promise<Monitor>
  /** Deletes a monitor with its documents and hits. */
  delete(monitorId: string): Promise<void>
  addDocuments(monitorId: string, documents: readonly ProtectedDocument[]): Promise<void>
  muteUrl(monitorId: string, url: string): Promise<void>
  unmuteUrl(monitorId: string, url: string): Promise<void>
  /** Examines pages that are already archived. */
  scan(monitorId: string): Promise<{ examined: number; unread: number; newHits: number }>
  /** The newest first. */
  hits(options?: HitOptions): AsyncIterable<MonitorHit>
  /** Returns how many hits were not acknowledged before. */
  acknowledge(hitIds: readonly number[]): Promise<number>
}

const READ_AT_ONCE = 200
const ACKNOWLEDGED_AT_ONCE = 1000

type Requests = typeof import('../cli/monitors/monitor-requests.ts')

interface Opened {
  client: MonitorClient
  session: ControlSession
  requests: Requests
}

export function makeMonitorControl(config: Config): MonitorControl {
  const open = async <T>(use: (opened: Opened) => Promise<T>): Promise<T> => {
    const [{ withLocalMonitorClient }, requests] = await Promise.all([
      import('../cli/monitors/monitor-client.ts'),
      import('../cli/monitors/monitor-requests.ts'),
    ])
    return withFieldNames(() =>
      withLocalMonitorClient(config, openers, (client, session) => use({ client, session, requests })),
    )
  }
  const openMonitor = <T>(text: string, use: (opened: Opened & { id: string }) => Promise<T>) =>
    open(async (opened) => use({ ...opened, id: await opened.requests.findMonitorId(opened.client, text) }))
  const mute = (monitorId: string, url: string, muted: boolean) =>
    openMonitor(monitorId, async ({ client, id }) => {
      await client.muteMonitorUrl({ params: { monitor_id: id }, body: { url, muted } })
    })
  return {
    list: () => open(({ session }) => listMonitors(session)),
    add: (monitor, documents = []) =>
      open(async ({ client, session, requests }) => {
        const request = (await toRequest(monitor, client)) as MonitorRequest
        const { monitor_id: id } = await requests.createMonitor(client, request, documents as DocumentRequest[])
        return readMonitor(id, session)
      }),
    update: (monitorId, changes) =>
      openMonitor(monitorId, async ({ client, session, id }) => {
        await client.changeMonitor({ params: { monitor_id: id }, body: await toRequest(changes, client) })
        return readMonitor(id, session)
      }),
    delete: (monitorId) =>
      openMonitor(monitorId, ({ client, id }) => client.deleteMonitor({ params: { monitor_id: id } })),
    addDocuments: (monitorId, documents) =>
      openMonitor(monitorId, ({ client, requests, id }) =>
        requests.addDocuments(client, id, documents as DocumentRequest[]),
      ),
    muteUrl: (monitorId, url) => mute(monitorId, url, true),
    unmuteUrl: (monitorId, url) => mute(monitorId, url, false),
    scan: (monitorId) =>
      openMonitor(monitorId, async ({ client, requests, id }) => {
        const total = { examined: 0, unread: 0, newHits: 0 }
        for await (const { examined, unread, new_hits: newHits } of requests.scanArchive(client, id, 0)) {
          total.examined += examined
          total.unread += unread
          total.newHits += newHits
        }
        return total
      }),
    async *hits({ monitorId, crawlId, url, isOpen }: HitOptions = {}) {
      const rest = { url: url === undefined ? null : parsePageUrl(url), isOpen: isOpen ?? null, isMuted: null }
      const ids = async ({ client, requests }: Opened) => ({
        monitorId: monitorId === undefined ? null : await requests.findMonitorId(client, monitorId),
        crawlId: crawlId === undefined ? null : await client.findCrawlId(crawlId),
      })
      let filter: Awaited<ReturnType<typeof ids>> | null = null
      // The store is open only while it is read, so that the program may change it in its loop.
      for (let before: number | null = null; ; ) {
        const found: Hit[] = await open(async (opened) => {
          filter ??= await ids(opened)
          return opened.session.monitorHits.list({ ...filter, ...rest, before, limit: READ_AT_ONCE })
        })
        yield* found.map(toHit)
        before = found.at(-1)?.id ?? null
        if (found.length < READ_AT_ONCE) return
      }
    },
    acknowledge: (hitIds) =>
      open(async ({ client }) => {
        const left = [...hitIds]
        let total = 0
        while (left.length > 0) {
          const body = { hit_ids: left.splice(0, ACKNOWLEDGED_AT_ONCE) }
          total += (await client.acknowledgeHits({ body })).acknowledged
        }
        return total
      }),
  }
}

async function toRequest(
  { isMuted: muted, crawlIds, ...rest }: Partial<NewMonitor>,
  { findCrawlId }: MonitorClient,
): Promise<Partial<MonitorRequest>> {
  const given = { ...rest, crawlIds: Array.isArray(crawlIds) ? await Promise.all(crawlIds.map(findCrawlId)) : crawlIds }
  return toSnakeNames({ muted, ...given }) as Partial<MonitorRequest>
}

async function listMonitors({ monitors }: Pick<ControlSession, 'monitors'>): Promise<Monitor[]> {
  const [rows, counts] = [await monitors.list(), await monitors.counts()]
  return rows.map(({ id: monitorId, createdAt, ...row }) => {
    const { lastHitAt, words: documentWords, ...counted } = counts[monitorId] ?? NO_COUNTS
    const times = { createdAt: new Date(createdAt), lastHitAt: dateOrNull(lastHitAt) }
    return { monitorId, ...row, ...counted, documentWords, ...times }
  })
}

async function readMonitor(id: string, session: ControlSession): Promise<Monitor> {
  const found = (await listMonitors(session)).find(({ monitorId }) => monitorId === id)
  if (found === undefined) throw monitorNotFoundError(id)
  return found
}

function toHit({ id: hitId, visitedAt, at, acknowledgedAt, ...hit }: Hit): MonitorHit {
  const times = { visitedAt: new Date(visitedAt), at: new Date(at), acknowledgedAt: dateOrNull(acknowledgedAt) }
  return { hitId, ...hit, ...times, summary: describeEvidence(hit.evidence) }
}

// The API of a process: whether it may be open, its routes and live sockets, and the port it listens on.

import { fileURLToPath } from 'node:url'
import { SharedAnswers } from '../api/answers/shared.ts'
import { RequestFigures } from '../api/figures.ts'
import { isLoopbackName } from '../api/guard/loopback.ts'
import { endingWith, OpenStreams } from '../api/guard/streams.ts'
import { openPoster } from '../api/hooks/post.ts'
import { WebhookSender } from '../api/hooks/sender.ts'
import { attachLive } from '../api/live/attach.ts'
import { Events } from '../api/live/events.ts'
import { Feed } from '../api/live/feed.ts'
import { apiMetrics } from '../api/metrics.ts'
import { makeHandlers } from '../api/routes/all.ts'
import { startApi } from '../api/start.ts'
import { commandLine } from '../cli/hint.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { Metric } from '../lib/metrics.ts'
import type { Tokens } from '../ports/access.ts'
import type { CrawlProgress } from '../ports/crawls.ts'
import { freeBytes } from '../worker/disk.ts'
import { type OpenParts, openApiParts, type PartsSource } from './api-parts.ts'
import { type DialectSource, dialectsOf } from './dialects.ts'

export interface ApiProcess extends Omit<PartsSource, 'needsToken'>, DialectSource {
  /** Of the other roles of the process. */
  metrics(): Promise<Metric[]>
  isStopping(): boolean
  /** Answers are checked against their schemas. */
  checksAnswers: boolean
}

export interface RunningApi {
  /** Where it is, for people. */
  address: string
  /** Of the API alone. */
  metrics(): Promise<Metric[]>
  /** Ends sockets and streams of events, waits for requests under way, and closes what they read from. */
  stop(graceMs: number): Promise<void>
}

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))
const READ = { scope: 'read', isOpen: false } as const

export async function openApi(running: ApiProcess): Promise<RunningApi> {
  const { config, store } = running
  const needsToken = await checkOpenness(config, store.client.service<Tokens>('tokens'))
  const open = await openApiParts({ ...running, needsToken })
  try {
    return await serveApi(running, open)
  } catch (error) {
    await open.close()
    throw error
  }
}

async function serveApi(
  running: ApiProcess,
  { parts, listed, changes, damage, close }: OpenParts,
): Promise<RunningApi> {
  const { config, log } = running
  const { crawls, teller, guard, workers } = parts
  const live = { clock: systemClock, log }
  const shared = new SharedAnswers(systemClock)
  const tell = (progress: CrawlProgress) => {
    shared.heed(progress)
    return teller.tell(progress)
  }
  const streams = new OpenStreams(config.tokenSockets)
  const events = new Events({ ...live, crawls: listed, tell })
  const feed = new Feed({ ...live, crawls, tell })
  const handlers = makeHandlers(parts, {
    async streamEvents({ query }, caller) {
      const { signal, isStillGood } = caller
      const texts = events.stream({ intervalMs: query.interval_ms, signal, isStillGood })
      return { type: 'text/event-stream', filename: null, body: endingWith(texts, streams.take(caller), signal) }
    },
  })
  const figures = new RequestFigures()
  const ready = {
    workers,
    damage,
    freeBytes: () => freeBytes(config.data),
    minFreeBytes: config.minFreeDisk,
    isStopping: running.isStopping,
  }
  let liveMetrics: () => Metric[] = () => []
  const metrics = async () => [...(await apiMetrics({ figures, ready, search: parts.search })), ...liveMetrics()]
  const { host, port } = config
  const api = await startApi(
    { host, port, webFolder: WEB_FOLDER, checksAnswers: running.checksAnswers },
    {
      parts,
      handlers,
      figures,
      shared,
      mountMore: [dialectsOf(running)],
      metrics: async () => [...(await running.metrics()), ...(await metrics())],
      ready,
    },
  )
  const poster = openPoster(config, systemClock)
  const sender = new WebhookSender({ ...live, webhooks: parts.access.webhooks, crawls: listed, tell, poster })
  sender.start()
  changes.add({ changed: async () => shared.forget(), removed: () => shared.forget() })
  for (const hearer of [events, feed, sender]) changes.add(hearer)
  const sockets = attachLive(api.server, {
    ...{ ...live, feed, streams },
    authorise: (request) => guard.authorise(request, READ),
    senderOf: (request) => guard.senderOf(request),
  })
  liveMetrics = () => sockets.metrics()
  return {
    address: config.publicUrl ?? addressOf(host, api.port),
    metrics,
    async stop(graceMs) {
      events.close()
      await sender.stop()
      poster.close()
      await sockets.close()
      feed.close()
      await api.stop(graceMs)
      await close()
    },
  }
}

/** Whether callers need a token; refuses to be open to others when there is none to be had. */
async function checkOpenness(config: Config, tokens: Tokens): Promise<boolean> {
  const { host, publicUrl, requireToken } = config
  const isHere = isLoopbackName(host) && (publicUrl === null || isLoopbackName(new URL(publicUrl).hostname))
  if (isHere && !requireToken) return false
  if ((await tokens.list()).length > 0) return true
  const next = commandLine('./orbweaver', 'token create <name> admin', config)
  const why = isHere ? '--require-token is set' : `Others could reach ${publicUrl ?? host}`
  throw new AppError('ADDRESS_OPEN', `${why}, so make a token first: ${next}`)
}

function addressOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

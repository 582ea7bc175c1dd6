// Starts the API of a process: access check, routes, live sockets, webhooks and the HTTP server.

import { fileURLToPath } from 'node:url'
import { isLoopbackName } from '../api/auth/loopback.ts'
import { StreamLimiter, withCleanup } from '../api/auth/stream-limiter.ts'
import { ResponseCache } from '../api/http/response-cache.ts'
import { CrawlEvents } from '../api/live/crawl-events.ts'
import { attachLiveSockets } from '../api/live/live-sockets.ts'
import { ProgressFeed } from '../api/live/progress-feed.ts'
import { makeHandlers } from '../api/routes/make-handlers.ts'
import { findPublicCrawls } from '../api/search-page/public-crawls.ts'
import { startApi } from '../api/start-api.ts'
import { apiMetrics } from '../api/system/api-metrics.ts'
import { RequestMetrics } from '../api/system/request-metrics.ts'
import { HitAnnouncer } from '../api/webhooks/hit-announcer.ts'
import { openWebhookClient } from '../api/webhooks/webhook-client.ts'
import { WebhookSender } from '../api/webhooks/webhook-sender.ts'
import { formatCommand } from '../cli/format/format-command.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { Metric } from '../lib/metrics.ts'
import { mountMcp } from '../mcp/mount-mcp.ts'
import type { Tokens } from '../ports/access.ts'
import type { CrawlProgress } from '../ports/crawls.ts'
import { freeBytes } from '../worker/holds/disk-usage.ts'
import { type ApiInputs, type ApiResources, openApiResources } from './api-dependencies.ts'
import { type CompatInputs, createCompatMount } from './compat-routes.ts'

export interface ApiServerInputs extends Omit<ApiInputs, 'needsToken'>, CompatInputs {
  /** Metrics of the other roles of the process. */
  metrics(): Promise<Metric[]>
  isStopping(): boolean
  /** Validates responses against their schemas. */
  checksResponses: boolean
}

export interface RunningApi {
  /** The URL for users. */
  address: string
  /** Metrics of the API only. */
  metrics(): Promise<Metric[]>
  /** Closes sockets and event streams, waits for requests in flight, then closes the resources. */
  stop(graceMs: number): Promise<void>
}

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))
const READ_ACCESS = { scope: 'read', isOpen: false } as const

export async function openApiServer(inputs: ApiServerInputs): Promise<RunningApi> {
  const { config, store } = inputs
  const needsToken = await checkExposure(config, store.client.service<Tokens>('tokens'))
  const resources = await openApiResources({ ...inputs, needsToken })
  try {
    return await startApiServer(inputs, resources)
  } catch (error) {
    await resources.close()
    throw error
  }
}

async function startApiServer(
  inputs: ApiServerInputs,
  { dependencies, crawlList, changeNotifier, damage, close }: ApiResources,
): Promise<RunningApi> {
  const { config, log } = inputs
  const { crawls, progressView, guard, workers } = dependencies
  const live = { clock: systemClock, log }
  const responseCache = new ResponseCache(systemClock)
  const toJson = (progress: CrawlProgress) => {
    responseCache.invalidateOnStatusChange(progress)
    return progressView.progressJson(progress)
  }
  const streams = new StreamLimiter(config.tokenSockets)
  const crawlEvents = new CrawlEvents({ ...live, crawls: crawlList, toJson })
  const progressFeed = new ProgressFeed({ ...live, crawls, toJson })
  const handlers = makeHandlers(dependencies, {
    async streamEvents({ query }, caller) {
      const { signal, isStillValid } = caller
      const texts = crawlEvents.stream({ intervalMs: query.interval_ms, signal, isStillValid })
      return { type: 'text/event-stream', filename: null, body: withCleanup(texts, streams.acquire(caller), signal) }
    },
  })
  const requestMetrics = new RequestMetrics()
  const ready = {
    workers,
    damage,
    freeBytes: () => freeBytes(config.data),
    minFreeBytes: config.minFreeDisk,
    isStopping: inputs.isStopping,
  }
  let liveMetrics: () => Metric[] = () => []
  const metrics = async () => [
    ...(await apiMetrics({ requestMetrics, readiness: ready, search: dependencies.search })),
    ...liveMetrics(),
  ]
  const { host, port } = config
  const api = await startApi(
    { host, port, webFolder: WEB_FOLDER, checksResponses: inputs.checksResponses },
    {
      dependencies,
      handlers,
      publicCrawls: await findPublicCrawls(config.publicSearch, crawls),
      requestMetrics,
      responseCache,
      extraMounts: [createCompatMount(inputs), (app) => mountMcp(app, { ...dependencies, handlers, streams })],
      metrics: async () => [...(await inputs.metrics()), ...(await metrics())],
      readiness: ready,
    },
  )
  const webhookClient = openWebhookClient(config, systemClock)
  const sender = new WebhookSender({
    ...live,
    webhooks: dependencies.access.webhooks,
    crawls: crawlList,
    changes: dependencies.changes,
    toJson,
    client: webhookClient,
  })
  sender.start()
  const hitAnnouncer = new HitAnnouncer({
    ...live,
    webhooks: dependencies.access.webhooks,
    monitors: dependencies.monitors,
    hits: dependencies.monitorHits,
  })
  hitAnnouncer.start()
  changeNotifier.addListener({
    onChanged: async () => responseCache.invalidate(),
    onRemoved: () => responseCache.invalidate(),
  })
  for (const listener of [crawlEvents, progressFeed, sender]) changeNotifier.addListener(listener)
  const sockets = attachLiveSockets(api.server, {
    ...live,
    feed: progressFeed,
    streamLimiter: streams,
    authorise: (request) => guard.authorise(request, READ_ACCESS),
    clientIdentityOf: (request) => guard.clientIdentityOf(request),
  })
  liveMetrics = () => sockets.metrics()
  return {
    address: config.publicUrl ?? serverUrl(host, api.port),
    metrics,
    async stop(graceMs) {
      crawlEvents.close()
      await hitAnnouncer.stop()
      await sender.stop()
      webhookClient.close()
      await sockets.close()
      progressFeed.close()
      await api.stop(graceMs)
      await close()
    },
  }
}

/** Returns whether clients need a token. Throws if other machines can reach the API and there is no token yet. */
async function checkExposure(config: Config, tokens: Tokens): Promise<boolean> {
  const { host, publicUrl, requireToken } = config
  const isLocal = isLoopbackName(host) && (publicUrl === null || isLoopbackName(new URL(publicUrl).hostname))
  if (isLocal && !requireToken) return false
  if ((await tokens.list()).length > 0) return true
  const next = formatCommand('./orbweaver', 'token create <name> admin', config)
  const reason = isLocal ? '--require-token is set' : `Other machines can reach ${publicUrl ?? host}`
  throw new AppError('ADDRESS_OPEN', `${reason}, so create a token first: ${next}`)
}

function serverUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

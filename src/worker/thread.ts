// A crawl thread: its own client, parser, seen-set and loop; the store behind a port. Shares nothing.

import { type MessagePort, parentPort } from 'node:worker_threads'
import { Admit } from '../engine/crawl/admit.ts'
import { CrawlLoop, type LoopEnd } from '../engine/crawl/loop.ts'
import type { HostStat } from '../engine/crawl/stats.ts'
import { HttpClient } from '../engine/fetch/client.ts'
import { RobotsGate } from '../engine/robots/gate.ts'
import { Scope } from '../engine/url/scope.ts'
import { SeenSet } from '../engine/url/seen.ts'
import { systemClock } from '../lib/clock.ts'
import { asAppError, type ErrorCode } from '../lib/errors.ts'
import { RpcClient } from '../lib/rpc.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { Frontier } from '../ports/frontier.ts'

export interface CrawlThreadSettings {
  crawl: Crawl
  store: MessagePort
  workerId: string
  /** This thread's part of the crawl's concurrency. */
  concurrency: number
  slotsPerHost: number
  seenUrls: number
  leaseMs: number
}

export type CrawlThreadRequest = { stop: true } | { stats: true }
export type CrawlThreadReply =
  | { stats: { inFlight: number; requests: number; hosts: HostStat[] } }
  | { end: LoopEnd }
  | { failed: { code: ErrorCode; message: string } }

const NOTABLE_HOSTS = 5

/** A host that does not give its rules is asked again after three times the wait of a url's first retry. */
function robotsPatience(retryDelayMs: number): number {
  return Math.max(100, retryDelayMs * 3)
}

async function run(parent: MessagePort, settings: CrawlThreadSettings): Promise<void> {
  const { crawl, concurrency, slotsPerHost, workerId, leaseMs } = settings
  const { delayMs, maxDepth, retries, retryDelayMs, followRedirects } = crawl.settings
  const store = new RpcClient(settings.store)
  const fetcher = new HttpClient({ ...crawl.settings, connectionsPerOrigin: crawl.settings.perHost }, systemClock)
  const admit = new Admit({
    scope: new Scope(crawl.settings, crawl.seeds),
    seen: new SeenSet(settings.seenUrls),
    keySeed: crawl.keySeed,
    maxDepth,
  })
  const { userAgent, ignoreRobots } = crawl.settings
  const gate = new RobotsGate(
    { userAgent, ignoreRobots, failureMs: robotsPatience(retryDelayMs) },
    fetcher,
    systemClock,
  )
  const loop = new CrawlLoop(
    { crawlId: crawl.id, workerId, concurrency, slotsPerHost, delayMs, leaseMs },
    {
      frontier: store.service<Frontier>('frontier'),
      fetcher,
      gate,
      clock: systemClock,
      admit,
      policy: { retries, retryDelayMs },
      followRedirects,
      random: Math.random,
    },
  )
  const reply = (message: CrawlThreadReply) => parent.postMessage(message)
  const sendStats = () => {
    const { stats, inFlight } = loop
    reply({ stats: { inFlight, requests: stats.pages, hosts: stats.notable(NOTABLE_HOSTS) } })
  }
  parent.on('message', (request: CrawlThreadRequest) => {
    if ('stop' in request) loop.stop()
    else sendStats()
  })
  try {
    const end = await loop.run()
    sendStats()
    reply({ end })
  } catch (error) {
    const { code, message } = asAppError(error)
    reply({ failed: { code, message } })
  } finally {
    await fetcher.close()
    store.close()
    parent.close()
  }
}

const parent = parentPort
parent?.once('message', (settings: CrawlThreadSettings) => void run(parent, settings))

// The servers of a generated web in virtual time. They record senders, times and concurrency of requests, and report
// violations of G2 and G5.

import type { Fetcher, FetchResult } from '../../../../src/engine/fetch/fetch-result.ts'
import type { SimulatedProcess } from '../cluster/simulated-process.ts'
import type { HostRules } from '../planned-policies.ts'
import type { VirtualTimeline } from '../virtual-timeline.ts'
import type { GeneratedWeb } from './generated-web.ts'
import { respondConditionally, respondOverloaded, respondTo } from './web-responses.ts'

const MAX_TIMES = 40

export interface PolitenessRules {
  /** Current rules of a host. The gap is between the starts of two requests. */
  rulesOf(host: string): HostRules
  /** Whether the crawl delay of robots.txt applies as well. */
  obeysRobots: boolean
}

export interface WebServersDependencies {
  timeline: VirtualTimeline
  web: GeneratedWeb
  politeness: PolitenessRules
  /** Called for every request, and for its response if it got one. */
  onEvent(who: string, what: string): void
  onViolation(promise: string, detail: string): void
}

interface ServedRequest {
  process: SimulatedProcess
  crawl: number
  url: string
  host: string
  /** Validator of a conditional request. */
  etag: string | null
}

export class WebServers {
  readonly #dependencies: WebServersDependencies
  readonly #inFlight = new Set<ServedRequest>()
  readonly #lastAt = new Map<string, number>()
  /** Times of the last requests, by host. */
  readonly #times = new Map<string, number[]>()
  readonly #requestCounts = new Map<string, number>()
  requests = 0

  constructor(parts: WebServersDependencies) {
    this.#dependencies = parts
  }

  /** The web as seen by one process while it works on one crawl. */
  connect(simulatedProcess: SimulatedProcess, crawl: number): Fetcher {
    const addresses = new Set<string>()
    const { timeline } = this.#dependencies
    return {
      fetch: (url, done, _limits, _deadline, validators) =>
        this.#begin({ process: simulatedProcess, crawl, url, host: hostOf(url), etag: validators?.etag ?? null }, done),
      knownAddress: (url) => (addresses.has(hostOf(url)) ? hostOf(url) : null),
      resolveAddress(url, done) {
        timeline.after(1, () =>
          simulatedProcess.run(() => {
            addresses.add(hostOf(url))
            done(hostOf(url))
          }),
        )
      },
      countUnsent: () => ({ dns: 0, connect: 0 }),
      stopResending: () => undefined,
      close: () => Promise.resolve(),
    }
  }

  /** Requests for a URL by a crawl. */
  countRequests(crawl: number, url: string): number {
    return this.#requestCounts.get(`${crawl} ${url}`) ?? 0
  }

  /** Closes the connections of a process that is gone. */
  closeConnections(simulatedProcess: SimulatedProcess): void {
    for (const servedRequest of this.#inFlight)
      if (servedRequest.process === simulatedProcess) this.#inFlight.delete(servedRequest)
  }

  /** The wall clock was set forward, so gaps measured by it look shorter than they were. */
  resetGaps(): void {
    this.#inFlight.clear()
    this.#lastAt.clear()
    this.#times.clear()
  }

  #begin(servedRequest: ServedRequest, done: (result: FetchResult) => void): void {
    const { timeline, web, onEvent } = this.#dependencies
    const { process, url, host, crawl } = servedRequest
    this.#checkPoliteness(servedRequest)
    const isRobots = url.endsWith('/robots.txt')
    // Excludes requests of other crawls: a crawl has no guaranteed turn while another one waits for a slow response.
    const served = [...this.#inFlight].filter((other) => other.host === host && other.crawl === crawl).length
    const isRefused = !isRobots && served >= (web.hosts.get(host)?.maxConcurrent ?? 0)
    this.requests += 1
    this.#inFlight.add(servedRequest)
    this.#lastAt.set(host, timeline.now())
    this.#times.set(host, [...(this.#times.get(host) ?? []).slice(-MAX_TIMES), timeline.now()])
    const key = isRobots ? url : `${crawl} ${url}`
    const earlierRequests = this.#requestCounts.get(key) ?? 0
    if (!isRefused) this.#requestCounts.set(key, earlierRequests + 1)
    const { latencyMs, result } = isRefused
      ? respondOverloaded()
      : respondConditionally(respondTo(web, url, earlierRequests), servedRequest)
    onEvent(process.name, `asks ${url}`)
    timeline.after(latencyMs, () => {
      this.#inFlight.delete(servedRequest)
      process.run(() => {
        onEvent(process.name, `has ${result.kind === 'response' ? result.status : result.problem} of ${url}`)
        done(result)
      })
    })
  }

  #checkPoliteness({ process, url, host, crawl }: ServedRequest): void {
    const { politeness, onViolation, timeline, web } = this.#dependencies
    const rules = politeness.rulesOf(host)
    const atHost = [...this.#inFlight].filter((other) => other.host === host)
    if (atHost.length >= rules.perHost) {
      const others = atHost.map((other) => `${other.process.name} ${other.url}`).join(', ')
      onViolation(
        'G5 concurrency',
        `${process.name} requests ${url} while ${others} is in flight; the limit is ${rules.perHost}`,
      )
    }
    const isRobots = url.endsWith('/robots.txt')
    const same = atHost.find((other) => other.url === url && other.crawl === crawl)
    if (same !== undefined && !isRobots)
      onViolation('G2 once', `${url} is requested by ${same.process.name} and ${process.name}`)
    const crawlDelayMs = politeness.obeysRobots && !isRobots ? (web.hosts.get(host)?.crawlDelayMs ?? 0) : 0
    const wantedMs = Math.max(rules.gapMs, crawlDelayMs)
    const gapMs = timeline.now() - (this.#lastAt.get(host) ?? Number.NEGATIVE_INFINITY)
    if (gapMs < wantedMs)
      onViolation('G5 gap', `${process.name} requests ${url} ${gapMs} ms after the last request, not ${wantedMs}`)
    if (rules.rate !== null) this.#checkRate(host, rules.rate)
  }

  /** No window may contain more requests than the burst and the tokens added in the meantime. */
  #checkRate(host: string, { perSecond, burst }: { perSecond: number; burst: number }): void {
    const { timeline, onViolation } = this.#dependencies
    const now = timeline.now()
    const times = this.#times.get(host) ?? []
    for (const [i, from] of times.entries()) {
      const requests = times.length - i + 1
      const allowed = burst + ((now - from) / 1000) * perSecond
      if (requests <= allowed + 1e-6) continue
      return onViolation('G5 rate', `${host} has ${requests} requests in ${now - from} ms, not ${allowed.toFixed(1)}`)
    }
  }
}

function hostOf(url: string): string {
  return new URL(url).host
}

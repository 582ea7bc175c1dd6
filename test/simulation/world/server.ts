// The servers of a generated web, in virtual time. They see what every server sees: who asks, when, and how many at a
// time. What they must not see (G2, G5) they report.

import type { Fetcher, FetchResult } from '../../../src/engine/fetch/result.ts'
import { answerOf, refusal } from './answers.ts'
import type { Process } from './process.ts'
import type { Timeline } from './timeline.ts'
import type { Web } from './web.ts'

export interface Manners {
  perHost: number
  /** Between the starts of two requests to one host. */
  gapMs: number
  /** The delay that robots.txt asks for is kept as well. */
  heedsRobots: boolean
}

export interface ServerParts {
  timeline: Timeline
  web: Web
  manners: Manners
  /** Hears of every request, and of its end when it got an answer. */
  onEvent(who: string, what: string): void
  onBroken(promise: string, detail: string): void
}

interface Request {
  process: Process
  crawl: number
  url: string
  host: string
}

export class Servers {
  readonly #parts: ServerParts
  readonly #underWay = new Set<Request>()
  readonly #lastAt = new Map<string, number>()
  readonly #asked = new Map<string, number>()
  requests = 0

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  /** The web as one process sees it, at work for one crawl. */
  connect(process: Process, crawl: number): Fetcher {
    const addresses = new Set<string>()
    const { timeline } = this.#parts
    return {
      fetch: (url, done) => this.#begin({ process, crawl, url, host: hostOf(url) }, done),
      addressOf: (url) => (addresses.has(hostOf(url)) ? hostOf(url) : null),
      findAddress(url, done) {
        timeline.after(1, () =>
          process.run(() => {
            addresses.add(hostOf(url))
            done(hostOf(url))
          }),
        )
      },
      unsent: () => ({ dns: 0, connect: 0 }),
      close: () => Promise.resolve(),
    }
  }

  /** The connections of a process that is gone are closed with it. */
  cut(process: Process): void {
    for (const request of this.#underWay) if (request.process === process) this.#underWay.delete(request)
  }

  /** The wall clock was set forward: whatever is measured by it looks shorter than it was asked for. */
  forgive(): void {
    this.#underWay.clear()
    this.#lastAt.clear()
  }

  #begin(request: Request, done: (result: FetchResult) => void): void {
    const { timeline, web, onEvent } = this.#parts
    const { process, url, host, crawl } = request
    this.#check(request)
    const isRobots = url.endsWith('/robots.txt')
    const served = [...this.#underWay].filter((other) => other.host === host).length
    const isRefused = !isRobots && served >= (web.hosts.get(host)?.takes ?? 0)
    this.requests += 1
    this.#underWay.add(request)
    this.#lastAt.set(host, timeline.now())
    const key = isRobots ? url : `${crawl} ${url}`
    const asked = this.#asked.get(key) ?? 0
    if (!isRefused) this.#asked.set(key, asked + 1)
    const { latencyMs, result } = isRefused ? refusal() : answerOf(web, url, asked)
    onEvent(process.name, `asks ${url}`)
    timeline.after(latencyMs, () => {
      this.#underWay.delete(request)
      process.run(() => {
        onEvent(process.name, `has ${result.kind === 'response' ? result.status : result.problem} of ${url}`)
        done(result)
      })
    })
  }

  #check({ process, url, host, crawl }: Request): void {
    const { manners, onBroken, timeline, web } = this.#parts
    const atHost = [...this.#underWay].filter((other) => other.host === host)
    if (atHost.length >= manners.perHost) {
      const others = atHost.map((other) => `${other.process.name} ${other.url}`).join(', ')
      onBroken('G5 concurrency', `${process.name} asks ${url} while ${others} is under way; ${manners.perHost} may be`)
    }
    const isRobots = url.endsWith('/robots.txt')
    const same = atHost.find((other) => other.url === url && other.crawl === crawl)
    if (same !== undefined && !isRobots)
      onBroken('G2 once', `${url} is asked by ${same.process.name} and ${process.name}`)
    const crawlDelayMs = manners.heedsRobots && !isRobots ? (web.hosts.get(host)?.crawlDelayMs ?? 0) : 0
    const wantedMs = Math.max(manners.gapMs, crawlDelayMs)
    const gapMs = timeline.now() - (this.#lastAt.get(host) ?? Number.NEGATIVE_INFINITY)
    if (gapMs < wantedMs) onBroken('G5 gap', `${process.name} asks ${url} ${gapMs} ms after the last, not ${wantedMs}`)
  }
}

function hostOf(url: string): string {
  return new URL(url).host
}

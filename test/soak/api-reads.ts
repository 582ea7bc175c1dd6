// Reads the API at a steady rate, over the routes that the web app uses, and records the time of each route.

import { randomInt } from 'node:crypto'
import type { ApiServer } from '../testing/api-server.ts'

const WORDS = ['garden', 'kitchen', 'quiet weather', '"early music"', 'letters', 'northern reading', 'patience']
/** No more reads are sent to a server that is this far behind. */
const MAX_IN_FLIGHT = 100

export interface RouteTimes {
  route: string
  timesMs: number[]
  failed: number
}

type MakePath = (crawl: string) => string

const ROUTES: Record<string, MakePath> = {
  crawls: () => '/api/v1/crawls?limit=50',
  crawl: (crawl) => crawl,
  urls: (crawl) => `${crawl}/urls?limit=100`,
  graph: (crawl) => `${crawl}/graph?limit=3000&max_edges=20000`,
  hosts: (crawl) => `${crawl}/hosts?limit=100`,
  stats: (crawl) => `${crawl}/stats`,
  history: (crawl) => `${crawl}/history`,
  bottleneck: (crawl) => `${crawl}/bottleneck`,
  errors: (crawl) => `${crawl}/errors?limit=20`,
  url: (crawl) => `${crawl}/urls/${randomInt(1, 200)}`,
  search: () => `/api/v1/search?q=${encodeURIComponent(WORDS[randomInt(WORDS.length)] ?? '')}`,
  suggest: () => '/api/v1/search/suggest?q=gar',
  index: () => '/api/v1/index',
  page: () => `/api/v1/pages/${randomInt(1, 1000)}`,
}

export class ApiReads {
  readonly #api: ApiServer
  readonly #crawlId: () => string
  readonly #times = new Map<string, RouteTimes>()
  readonly #timer: NodeJS.Timeout
  #inFlight = 0
  #next = 0
  /** Reads that were skipped because too many were in flight. */
  skipped = 0

  constructor(apiServer: ApiServer, crawlId: () => string, perSecond: number) {
    this.#api = apiServer
    this.#crawlId = crawlId
    this.#timer = setInterval(() => this.#readNext(), 1000 / perSecond)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Returns the times since the last call. */
  takeTimes(): RouteTimes[] {
    const routes = [...this.#times.values()]
    this.#times.clear()
    return routes
  }

  #readNext(): void {
    const names = Object.keys(ROUTES)
    const route = names[this.#next++ % names.length] ?? ''
    if (this.#inFlight >= MAX_IN_FLIGHT) this.skipped += 1
    else void this.#read(route, ROUTES[route]?.(`/api/v1/crawls/${this.#crawlId()}`) ?? '')
  }

  async #read(route: string, path: string): Promise<void> {
    this.#inFlight += 1
    const startedAt = performance.now()
    let isRead = false
    try {
      const response = await fetch(`${this.#api.address}${path}`)
      await response.arrayBuffer()
      // A page or URL with this id may not exist yet.
      isRead = response.ok || response.status === 404
    } catch {
      // The server refused the connection or closed it, which is counted below.
    }
    this.#inFlight -= 1
    const times = this.#times.get(route) ?? { route, timesMs: [], failed: 0 }
    this.#times.set(route, times)
    if (isRead) times.timesMs.push(performance.now() - startedAt)
    else times.failed += 1
  }
}

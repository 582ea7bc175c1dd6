// Records the requests as the server sees them, to check politeness and exactness.

export interface RequestRecord {
  /** Host and port. */
  host: string
  path: string
  /** Milliseconds on the server's own clock. */
  at: number
  /** Requests in flight on this host when this one arrived, including itself. */
  concurrency: number
}

export class RequestLog {
  readonly requests: RequestRecord[] = []
  readonly #inFlight = new Map<string, number>()
  readonly #counts = new Map<string, number>()

  /** Returns a function to call when the response has ended. */
  begin(host: string, path: string): () => void {
    const concurrency = (this.#inFlight.get(host) ?? 0) + 1
    this.#inFlight.set(host, concurrency)
    this.#counts.set(host + path, this.count(host, path) + 1)
    this.requests.push({ host, path, at: performance.now(), concurrency })
    return () => this.#inFlight.set(host, (this.#inFlight.get(host) ?? 1) - 1)
  }

  count(host: string, path: string): number {
    return this.#counts.get(host + path) ?? 0
  }

  /** Request counts by URL without scheme: `127.0.0.1:8080/a?b`. */
  counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  peakConcurrency(host: string): number {
    return this.#requestsOf(host).reduce((peak, request) => Math.max(peak, request.concurrency), 0)
  }

  /** Shortest time between two request starts of a host; Infinity for fewer than two requests. */
  smallestGapMs(host: string): number {
    const times = this.#requestsOf(host).map((request) => request.at)
    return times.reduce((gap, at, i) => Math.min(gap, at - (times[i - 1] ?? -Infinity)), Infinity)
  }

  #requestsOf(host: string): RequestRecord[] {
    return this.requests.filter((request) => request.host === host)
  }
}

// Counts the requests of the API. To keep the number of label values small, requests are counted by route pattern and
// status class. Paths without a pattern, such as files of the web app and rejected requests, count as one route.

import { Histogram, type Metric } from '../../lib/metrics.ts'

const BOUNDS_MS = [5, 10, 25, 50, 100, 250, 1000, 2500, 10_000]

interface RouteCounters {
  /** Responses by status class, such as 2xx. */
  responses: Map<string, number>
  /** Times until the response starts; streaming takes longer. */
  durations: Histogram
}

export class RequestMetrics {
  readonly #routes = new Map<string, RouteCounters>()

  add({ route, status, ms }: { route: string; status: number; ms: number }): void {
    const counters = this.#routes.get(route) ?? { responses: new Map(), durations: new Histogram(BOUNDS_MS) }
    this.#routes.set(route, counters)
    const statusClass = `${Math.floor(status / 100)}xx`
    counters.responses.set(statusClass, (counters.responses.get(statusClass) ?? 0) + 1)
    counters.durations.add(ms)
  }

  metrics(): Metric[] {
    const routes = [...this.#routes]
    return [
      {
        name: 'orbweaver_api_requests_total',
        help: 'API requests by route and status class.',
        type: 'counter',
        values: routes.flatMap(([route, { responses }]) =>
          [...responses].map(([status, value]) => ({ labels: { route, status }, value })),
        ),
      },
      {
        name: 'orbweaver_api_request_duration_seconds',
        help: 'Time from an API request to the start of its response.',
        type: 'histogram',
        values: routes.map(([route, { durations }]) => ({ labels: { route }, distribution: durations.read() })),
      },
    ]
  }
}

// What the server counts of its own requests. Labels have few values: the pattern of a route, never a path, and the
// class of the status. Paths without a pattern, such as files of the web app and refused requests, are one route.

import { Histogram, type Metric } from '../../lib/metrics.ts'

const BOUNDS_MS = [5, 10, 25, 50, 100, 250, 1000, 2500, 10_000]

interface RouteCounters {
  /** By class of status, as 2xx. */
  responses: Map<string, number>
  /** Until the answer begins: what is streamed takes longer. */
  durations: Histogram
}

export class RequestMetrics {
  readonly #routes = new Map<string, RouteCounters>()

  add({ route, status, ms }: { route: string; status: number; ms: number }): void {
    const figures = this.#routes.get(route) ?? { responses: new Map(), durations: new Histogram(BOUNDS_MS) }
    this.#routes.set(route, figures)
    const statusClass = `${Math.floor(status / 100)}xx`
    figures.responses.set(statusClass, (figures.responses.get(statusClass) ?? 0) + 1)
    figures.durations.add(ms)
  }

  metrics(): Metric[] {
    const routes = [...this.#routes]
    return [
      {
        name: 'orbweaver_api_requests_total',
        help: 'Requests to the API, by route and class of the status.',
        type: 'counter',
        values: routes.flatMap(([route, { responses }]) =>
          [...responses].map(([status, value]) => ({ labels: { route, status }, value })),
        ),
      },
      {
        name: 'orbweaver_api_request_duration_seconds',
        help: 'From a request to the API to the beginning of its answer.',
        type: 'histogram',
        values: routes.map(([route, { durations }]) => ({ labels: { route }, distribution: durations.read() })),
      },
    ]
  }
}

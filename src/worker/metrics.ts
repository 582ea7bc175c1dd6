// What a worker and the fleet around it look like to Prometheus.

import type { Metric } from '../lib/metrics.ts'
import type { CrawlProgress } from '../ports/crawls.ts'
import { URL_STATES } from '../ports/state.ts'
import { type Backlog, WORKER_STATES, type WorkerRow } from '../ports/workers.ts'
import type { WorkCounts } from './figures.ts'

export function workerMetrics(counts: WorkCounts, isStoreUp: boolean): Metric[] {
  const { requests, failures, bytes, inFlight, held } = counts
  return [
    counter('orbweaver_requests_total', 'Requests made by this worker.', requests),
    counter('orbweaver_request_failures_total', 'Requests of this worker that got no answer.', failures),
    counter('orbweaver_received_bytes_total', 'Bytes this worker received.', bytes),
    gauge('orbweaver_requests_in_flight', 'Requests of this worker under way.', inFlight),
    gauge('orbweaver_held', '1 while this worker takes no new urls.', held === null ? 0 : 1),
    gauge('orbweaver_store_up', '1 while the store answers this worker.', isStoreUp ? 1 : 0),
    counter('orbweaver_cpu_seconds_total', 'CPU time of this process.', cpuSeconds()),
    gauge('orbweaver_resident_bytes', 'Memory of this process.', process.memoryUsage.rss()),
  ]
}

export interface FleetView {
  rows: WorkerRow[]
  crawls: CrawlProgress[]
  backlog: Backlog
  lostWorkers: number
  urlsGivenBack: number
}

/** The same from every process that is asked: scrape one. */
export function fleetMetrics({ rows, crawls, backlog, lostWorkers, urlsGivenBack }: FleetView): Metric[] {
  const late = crawls.reduce((sum, { lateReports }) => sum + lateReports, 0)
  const running = crawls.filter(({ crawl }) => crawl.status === 'running')
  return [
    {
      ...gaugeOf('orbweaver_workers', 'Workers by state.'),
      values: WORKER_STATES.map((state) => ({
        labels: { state },
        value: rows.filter((row) => row.state === state).length,
      })),
    },
    {
      ...gaugeOf('orbweaver_urls', 'Urls of running crawls by state.'),
      values: running.flatMap(({ crawl, ledger }) =>
        URL_STATES.map((state) => ({ labels: { crawl: crawl.id, state }, value: ledger[state] })),
      ),
    },
    gauge('orbweaver_running_crawls', 'Crawls that are running.', running.length),
    gauge('orbweaver_due_hosts', "Hosts that could be asked now and are in nobody's hands.", backlog.dueHosts),
    counter('orbweaver_late_reports_total', 'Reports refused because their lease had lapsed.', late),
    counter('orbweaver_lost_workers_total', 'Workers that this process noticed to be lost.', lostWorkers),
    counter(
      'orbweaver_urls_given_back_total',
      'Urls that workers noticed by this process to be lost had in hand.',
      urlsGivenBack,
    ),
  ]
}

function gaugeOf(name: string, help: string): Omit<Metric, 'values'> {
  return { name, help, type: 'gauge' }
}

function gauge(name: string, help: string, value: number): Metric {
  return { ...gaugeOf(name, help), values: [{ value }] }
}

function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', values: [{ value }] }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

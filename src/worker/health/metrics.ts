// Prometheus metrics of a worker and of its fleet. Names that start with crawl_, and processed_urls_total, are used by
// dashboards of other crawlers. Labels have few values.

import { WAIT_REASONS } from '../../engine/crawl/hosts/host-waits.ts'
import { mergePhases, totalPhaseMs } from '../../engine/crawl/stats/phase-recorder.ts'
import type { HistogramSnapshot, Metric, MetricSample } from '../../lib/metrics.ts'
import { URL_STATES } from '../../lib/states.ts'
import type { HeapSize } from '../../lib/threads.ts'
import type { UploadStatus } from '../../ports/archive.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { type Backlog, PHASES, WORKER_STATES, type WorkerRow } from '../../ports/workers.ts'
import type { WorkerCounts } from '../fleet/worker-role.ts'

/** The largest crawls are listed one by one, the others as a sum. */
const MAX_CRAWLS = 20
const NOTHING_TO_RECONCILE = 'Always 0: the store is the queue, so there is nothing to reconcile.'
const AVAILABLE_HELP =
  'Of the observed time: the store replied, and a worker was available for the hosts that were due.'
const REQUEUED_HELP = 'URLs of lost workers that this process has requeued.'

export function workerMetrics(counts: WorkerCounts, isStoreUp: boolean): Metric[] {
  const { requests, failures, bytes, inFlight, held, loopDelayMs, loopCounts } = counts
  return [
    counter('orbweaver_requests_total', 'Requests made by this worker.', requests),
    counter('orbweaver_request_failures_total', 'Requests of this worker that got no response.', failures),
    counter('orbweaver_received_bytes_total', 'Bytes this worker received.', bytes),
    gauge('orbweaver_requests_in_flight', 'Requests of this worker in flight.', inFlight),
    gauge('orbweaver_held', '1 while this worker starts no requests.', held === null ? 0 : 1),
    gauge('orbweaver_store_up', '1 while the store replies to this worker.', isStoreUp ? 1 : 0),
    counter('orbweaver_cpu_seconds_total', 'CPU time of this process.', cpuSeconds()),
    gauge('orbweaver_loop_delay_seconds', 'Worst event loop delay within a second.', loopDelayMs / 1000),
    gauges('orbweaver_slot_ratio', 'Share of slot time by phase in the last minute.', phaseRatios(counts)),
    gauges('orbweaver_waiting_hosts', 'Waiting hosts by reason.', waitingHosts(counts)),
    counter('processed_urls_total', 'URLs reported by this worker, with any outcome.', loopCounts.processed),
    counter('crawl_urls_visited_total', 'URLs visited by this worker.', loopCounts.visited),
    counter(
      'crawl_urls_failed_total',
      'URLs that ended without a response or with an HTTP error, except 403 and 404.',
      loopCounts.failed,
    ),
    counter('crawl_urls_retried_total', 'Reports that requeued their URL.', loopCounts.retried),
    counter('orbweaver_rendered_pages_total', 'Pages that this worker opened in a browser.', loopCounts.rendered),
    counter('orbweaver_subrequests_total', 'Requests that rendered pages made.', loopCounts.subrequests),
    histogram('crawl_fetch_duration_seconds', 'From a request to its response headers.', loopCounts.fetch),
    histogram('crawl_processing_duration_seconds', 'From a response to its visit report.', loopCounts.processing),
    histogram('crawl_queue_latency_seconds', 'From the time a URL was due to its request.', loopCounts.queue),
    histogram(
      'orbweaver_commit_duration_seconds',
      'Duration of commits, as seen by the crawl threads.',
      loopCounts.commit,
    ),
  ]
}

/** Metrics of any process, whatever its roles. */
export function memoryMetrics(budgetBytes: number, heaps: readonly HeapSize[]): Metric[] {
  const byThread = heaps.map(({ thread, bytes }) => ({ labels: { thread }, value: bytes }))
  return [
    gauge('orbweaver_memory_budget_bytes', 'Memory budget of this process (--memory).', budgetBytes),
    gauge('orbweaver_resident_bytes', 'Resident memory of this process.', process.memoryUsage.rss()),
    gauges('orbweaver_heap_bytes', 'V8 heap size by kind of thread.', byThread),
  ]
}

/** Metrics of a process with --archive-store. */
export function uploadMetrics({ waitingBytes, uploadedBytes, problem }: UploadStatus): Metric[] {
  return [
    gauge('orbweaver_upload_waiting_bytes', 'Closed segments that wait to be uploaded.', waitingBytes),
    counter('orbweaver_uploaded_bytes_total', 'Segments that this process has uploaded.', uploadedBytes),
    gauge('orbweaver_upload_failing', '1 while the last upload failed.', problem === null ? 0 : 1),
  ]
}

export interface FleetView {
  rows: WorkerRow[]
  crawls: CrawlProgress[]
  backlog: Backlog
  lostWorkers: number
  urlsRequeued: number
  observedMs: number
  availableMs: number
  /** Duration of the maintenance steps. */
  maintenance: HistogramSnapshot
}

/** Metrics that are equal in every process, except for counters of what this process did itself. */
export function fleetMetrics(fleetView: FleetView): Metric[] {
  const { rows, crawls, backlog, lostWorkers, urlsRequeued, observedMs, availableMs, maintenance } = fleetView
  const late = crawls.reduce((sum, { lateReports }) => sum + lateReports, 0)
  const running = crawls.filter(({ crawl }) => crawl.status === 'running')
  const workers = WORKER_STATES.map((state) => ({
    labels: { state },
    value: rows.filter((row) => row.state === state).length,
  }))
  return [
    gauges('orbweaver_workers', 'Workers by state.', workers),
    gauges('orbweaver_urls', 'URLs of running crawls by state.', urlsByState(running)),
    gauge('orbweaver_running_crawls', 'Crawls that are running.', running.length),
    gauge('orbweaver_due_hosts', 'Hosts that are due and not leased.', backlog.dueHosts),
    counter('orbweaver_late_reports_total', 'Reports rejected because their lease had expired.', late),
    counter('orbweaver_lost_workers_total', 'Lost workers found by this process.', lostWorkers),
    counter('orbweaver_urls_given_back_total', REQUEUED_HELP, urlsRequeued),
    counter('crawl_stale_claims_recovered_total', REQUEUED_HELP, urlsRequeued),
    counter('crawl_queue_reconciliation_cycles_total', NOTHING_TO_RECONCILE, 0),
    counter('crawl_queue_reconciliation_enqueued_total', NOTHING_TO_RECONCILE, 0),
    counter(
      'orbweaver_fleet_observed_seconds_total',
      'Time for which this process observed the fleet.',
      observedMs / 1000,
    ),
    counter('orbweaver_fleet_available_seconds_total', AVAILABLE_HELP, availableMs / 1000),
    histogram('crawl_reconciliation_cycle_duration_seconds', 'Duration of one step of fleet maintenance.', maintenance),
  ]
}

/** Ratios over all crawls of the worker; they add up to 1. */
function phaseRatios({ crawls }: WorkerCounts): MetricSample[] {
  const times = mergePhases(crawls.map(({ phases }) => phases))
  const total = Math.max(1, totalPhaseMs(times))
  return PHASES.map((phase) => ({ labels: { phase }, value: (times[phase] ?? 0) / total }))
}

function waitingHosts({ waits }: WorkerCounts): MetricSample[] {
  return WAIT_REASONS.map((reason) => {
    return { labels: { reason }, value: waits.find((hostWait) => hostWait.reason === reason)?.hosts ?? 0 }
  })
}

function urlsByState(running: CrawlProgress[]): MetricSample[] {
  const open = ({ ledger }: CrawlProgress) => ledger.queued + ledger.in_progress
  const largest = running.length <= MAX_CRAWLS ? running : running.toSorted((a, b) => open(b) - open(a))
  const rest = largest.slice(MAX_CRAWLS)
  const samples = largest.slice(0, MAX_CRAWLS).flatMap(({ crawl, ledger }) => {
    return URL_STATES.map((state) => ({ labels: { crawl: crawl.id, state }, value: ledger[state] }))
  })
  if (rest.length === 0) return samples
  const others = URL_STATES.map((state) => {
    return { labels: { crawl: 'others', state }, value: rest.reduce((sum, { ledger }) => sum + ledger[state], 0) }
  })
  return [...samples, ...others]
}

function gauge(name: string, help: string, value: number): Metric {
  return gauges(name, help, [{ value }])
}

function gauges(name: string, help: string, values: MetricSample[]): Metric {
  return { name, help, type: 'gauge', values }
}

function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', values: [{ value }] }
}

function histogram(name: string, help: string, histogramSnapshot: HistogramSnapshot): Metric {
  return { name, help, type: 'histogram', values: [{ distribution: histogramSnapshot }] }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

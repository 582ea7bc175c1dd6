// Alerts, dashboard and autoscaler use only metrics that exist, and use them according to their type.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestApi } from '../../src/api/testing/test-api.ts'
import { NO_LOOP_COUNTS } from '../../src/engine/crawl/stats/loop-counters.ts'
import { URL_STATES } from '../../src/lib/states.ts'
import { WORKER_STATES } from '../../src/ports/workers.ts'
import { fleetMetrics, memoryMetrics, uploadMetrics, workerMetrics } from '../../src/worker/health/metrics.ts'
import { listAt, readText, readYaml, valueAt } from './testing/deploy-files.ts'
import { findMetricUses } from './testing/metric-uses.ts'

const COUNTS = { requests: 0, failures: 0, bytes: 0, inFlight: 0, held: null }
const NO_UPLOADS = {
  waitingSegments: 0,
  lostSegments: [],
  waitingBytes: 0,
  uploadedSegments: 0,
  uploadedBytes: 0,
  problem: null,
  failingForMs: 0,
}
const NOTHING_LOST = { lostWorkers: 0, urlsRequeued: 0, observedMs: 0, availableMs: 0 }
/** Metrics for dashboards made elsewhere: aliases of our metrics, or always 0. */
const ALIASES = [
  'crawl_stale_claims_recovered_total',
  'crawl_queue_reconciliation_cycles_total',
  'crawl_queue_reconciliation_enqueued_total',
]

/** Metrics of a running server, with their types. */
async function listApiMetrics(): Promise<[name: string, type: string][]> {
  const api = await startTestApi()
  try {
    const text = await (await api.request('/metrics')).text()
    return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type])
  } finally {
    await api.close()
  }
}

const exposedMetrics = new Map<string, string>([
  ...[
    ...workerMetrics({ ...COUNTS, loopCounts: NO_LOOP_COUNTS, crawls: [], waits: [], loopDelayMs: 0 }, true),
    ...memoryMetrics(0, []),
    ...uploadMetrics(NO_UPLOADS),
    ...fleetMetrics({
      rows: [],
      crawls: [],
      backlog: { dueHosts: 0 },
      ...NOTHING_LOST,
      maintenance: NO_LOOP_COUNTS.commit,
    }),
  ].map(({ name, type }) => [name, type] as const),
  ...(await listApiMetrics()),
])

/** The metric that a query refers to: for a histogram, the query names its buckets. */
function metricOf(name: string): string {
  const whole = name.replace(/_(bucket|sum|count)$/, '')
  return exposedMetrics.get(whole) === 'histogram' ? whole : name
}

const board: unknown = JSON.parse(readText('grafana/boards/orbweaver.json'))
const rows = listAt(board, 'panels').filter((panel) => valueAt(panel, 'type') === 'row')
const panels = listAt(board, 'panels').filter((panel) => !rows.includes(panel))
const rules = listAt(readYaml('prometheus/alerts.yaml'), 'groups').flatMap((group) => listAt(group, 'rules'))
const prometheus = readYaml('prometheus/prometheus.yaml')
const scraped = listAt(prometheus, 'scrape_configs')
const jobs = scraped.map((config) => String(valueAt(config, 'job_name')))
/** Labels that queries select by, and their possible values. */
const LABELS: Record<string, Record<string, readonly string[]>> = {
  orbweaver_workers: { state: WORKER_STATES },
  orbweaver_urls: { state: URL_STATES },
  orbweaver_api_requests_total: { status: ['2xx', '3xx', '4xx', '5xx'] },
  up: { job: jobs },
}

function checkQuery(expression: string): void {
  const uses = findMetricUses(expression)
  assert.ok(uses.length > 0, `asks for nothing: ${expression}`)
  for (const { metric, isRate, labels } of uses) {
    const type = metric === 'up' ? 'gauge' : exposedMetrics.get(metricOf(metric))
    assert.ok(type !== undefined, `${metric} does not exist`)
    assert.equal(isRate, type !== 'gauge', `${metric} is a ${type}: ${expression}`)
    assert.equal(type === 'histogram', metric !== metricOf(metric), `${metric} is a ${type}: ${expression}`)
    for (const { name, values } of labels) {
      const known = LABELS[metric]?.[name] ?? []
      for (const value of values) assert.ok(known.includes(value), `${metric} has no ${name} ${value}`)
    }
  }
}

describe('alerts', () => {
  it('use existing metrics', () => {
    for (const rule of rules) checkQuery(String(valueAt(rule, 'expr')))
  })

  it('have a one-sentence summary, and the troubleshooting guide says what to do', () => {
    const guide = readText('../docs/guides/troubleshooting.md')
    for (const rule of rules) {
      const name = String(valueAt(rule, 'alert'))
      assert.match(String(valueAt(rule, 'annotations.summary')), /^(\{\{ \$labels\.instance \}\} |[A-Z]).*\.$/)
      assert.match(String(valueAt(rule, 'labels.severity')), /^(critical|warning|info)$/)
      assert.ok(guide.includes(`\`${name}\``), name)
    }
    assert.equal(new Set(rules.map((rule) => valueAt(rule, 'alert'))).size, rules.length)
  })
})

describe('the dashboard', () => {
  it('uses existing metrics', () => {
    for (const panel of panels)
      for (const target of listAt(panel, 'targets')) checkQuery(String(valueAt(target, 'expr')))
  })

  it('shows every metric', () => {
    const shown = findMetricUses(
      panels.flatMap((panel) => listAt(panel, 'targets').map((target) => valueAt(target, 'expr'))).join('\n'),
    )
    const names = [...exposedMetrics.keys()].filter((name) => !ALIASES.includes(name))
    assert.deepEqual(new Set(shown.map(({ metric }) => metricOf(metric))), new Set(names))
  })

  it('has no overlapping panels', () => {
    const cells = new Set<string>()
    let area = 0
    for (const panel of listAt(board, 'panels')) {
      const { x, y, w, h } = valueAt(panel, 'gridPos') as Record<'x' | 'y' | 'w' | 'h', number>
      assert.ok(x + w <= 24)
      area += w * h
      for (let row = y; row < y + h; row++) for (let column = x; column < x + w; column++) cells.add(`${row} ${column}`)
    }
    assert.equal(cells.size, area)
    assert.equal(
      new Set(listAt(board, 'panels').map((panel) => valueAt(panel, 'id'))).size,
      panels.length + rows.length,
    )
  })
})

describe('the wiring', () => {
  const services = valueAt(readYaml('compose.yaml'), 'services')
  const mounts = (service: string) => listAt(services, `${service}.volumes`).map((mount) => String(mount).split(':'))

  it('Prometheus scrapes every replica of the workers and the API on the right port', () => {
    const found = scraped.map((config) => valueAt(config, 'dns_sd_configs.0'))
    assert.deepEqual(
      found.flatMap((one) => listAt(one, 'names')),
      ['worker', 'api'],
    )
    for (const one of found) {
      assert.equal(valueAt(one, 'type'), 'A')
      assert.deepEqual(valueAt(services, `${listAt(one, 'names')[0]}.expose`), [String(valueAt(one, 'port'))])
    }
  })

  it('Prometheus finds its rules beside its configuration', () => {
    const targets = mounts('prometheus').map(([, target]) => target)
    for (const file of listAt(prometheus, 'rule_files')) assert.ok(targets.includes(`/etc/prometheus/${file}`))
  })

  it('Grafana finds Prometheus and the dashboard', () => {
    const source = valueAt(readYaml('grafana/provisioning/datasources/prometheus.yaml'), 'datasources.0')
    const url = new URL(String(valueAt(source, 'url')))
    assert.ok(String(valueAt(services, `${url.hostname}.ports.0`)).endsWith(`:${url.port}`))
    for (const panel of panels) assert.equal(valueAt(panel, 'datasource.uid'), valueAt(source, 'uid'))
    const folder = valueAt(readYaml('grafana/provisioning/dashboards/boards.yaml'), 'providers.0.options.path')
    assert.ok(mounts('grafana').some(([path, target]) => path === './grafana/boards' && target === folder))
  })

  it('the adapter serves an existing metric', () => {
    const rule = valueAt(readYaml('helm/prometheus-adapter.yaml'), 'rules.external.0')
    assert.equal(exposedMetrics.get(String(valueAt(rule, 'seriesQuery'))), 'gauge')
  })
})

import { useEffect, useState } from 'react'
import { Chart } from '../../../components/charts/Chart.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { useStore } from '../../../page/store.ts'
import { type Crawl, type Stats, useApi } from '../../../server/api.ts'
import { appendSample, getSampleStore, mergeHistory, type ProgressSample } from '../../../server/progress-samples.ts'
import { formatBytes, formatDuration, formatNumber, formatRate, formatShort } from '../../../text/format.ts'
import { URL_STATE_ORDER, URL_STATE_STYLES } from '../../../text/states.ts'

const MAX_FETCH_TIMES = 400

/** Progress over time. Hidden for an ended crawl without history, such as one run from the command line. */
export function ProgressCharts({
  crawl,
  stats,
  className,
}: {
  crawl: Crawl
  stats: Stats | undefined
  className: string
}) {
  const samples = useStore(getSampleStore(crawl.crawl_id))
  const times = useFetchTimes(stats)
  useHistory(crawl.crawl_id)
  if (samples.length < 2 && crawl.status !== 'running') return null
  const at = samples.map((progressSample) => progressSample.at)
  const line = (label: string, pick: (progressSample: ProgressSample) => number) => [
    { label, colour: 'var(--accent)', values: samples.map(pick) },
  ]
  return (
    <div className={`grid gap-3 sm:grid-cols-2 lg:grid-cols-6 ${className}`}>
      <Card title="Pages per second" className="lg:col-span-2">
        <Chart
          label="Pages per second"
          times={at}
          format={formatRate}
          series={line('pages/s', (s) => s.pagesPerSecond)}
        />
      </Card>
      <Card title="Bytes per second" className="lg:col-span-2">
        <Chart
          label="Bytes per second"
          times={at}
          format={formatBytes}
          isBytes
          series={line('bytes/s', (s) => s.bytesPerSecond)}
        />
      </Card>
      <Card title="Requests in flight" className="lg:col-span-2">
        <Chart
          label="Requests in flight"
          times={at}
          format={formatNumber}
          isWhole
          series={line('in flight', (s) => s.inFlight)}
        />
      </Card>
      <Card title="URLs by state" className="lg:col-span-3">
        <Chart
          label="URLs by state"
          times={at}
          format={formatShort}
          isStacked
          isWhole
          series={URL_STATE_ORDER.filter((state) => samples.some((s) => s.states[state] > 0)).map((state) => ({
            label: URL_STATE_STYLES[state].label,
            colour: URL_STATE_STYLES[state].colour,
            values: samples.map((s) => s.states[state]),
          }))}
        />
      </Card>
      <Card title="Response times" aside="p50, p90 and p99 since you opened this screen" className="lg:col-span-3">
        <Chart
          label="Response times"
          times={times.map((time) => time.at)}
          format={formatDuration}
          isWhole
          series={[
            { label: 'p50', colour: 'var(--state-visited)', values: times.map(({ p50 }) => p50) },
            { label: 'p90', colour: 'var(--state-forbidden)', values: times.map(({ p90 }) => p90) },
            { label: 'p99', colour: 'var(--state-failed)', values: times.map(({ p99 }) => p99) },
          ]}
        />
      </Card>
    </div>
  )
}

/** Loads the history whenever the charts are opened and fills gaps in the samples. */
function useHistory(crawlId: string): void {
  const { data, dataUpdatedAt } = useApi(
    'getHistory',
    { params: { crawl_id: crawlId } },
    { refetchOnWindowFocus: false },
  )
  useEffect(() => {
    if (data !== undefined) mergeHistory(data, dataUpdatedAt)
  }, [data, dataUpdatedAt])
}

interface FetchTime {
  at: number
  p50: number
  p90: number
  p99: number
}

/** Response times, one sample per stats response. */
function useFetchTimes(stats: Stats | undefined): readonly FetchTime[] {
  const [times, setTimes] = useState<readonly FetchTime[]>([])
  useEffect(() => {
    if (stats === undefined) return
    const { p50, p90, p99 } = stats.fetch_ms
    setTimes((before) => appendSample(before, { at: Date.parse(stats.as_of) / 1000, p50, p90, p99 }, MAX_FETCH_TIMES))
  }, [stats])
  return times
}

import { useEffect } from 'react'
import { Chart } from '../../../components/charts/Chart.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { useStore } from '../../../page/store.ts'
import { type Crawl, useApi } from '../../../server/api.ts'
import { getSampleStore, mergeHistory, type ProgressSample } from '../../../server/progress-samples.ts'
import { formatBytes, formatNumber, formatRate, formatShort } from '../../../text/format.ts'
import { URL_STATE_ORDER, URL_STATE_STYLES } from '../../../text/states.ts'

/**
 * Progress over time, from the history that the server keeps. Hidden for an ended crawl without a history, such as a
 * crawl of a few seconds or one run from the command line.
 */
export function ProgressCharts({ crawl, className }: { crawl: Crawl; className: string }) {
  const samples = useStore(getSampleStore(crawl.crawl_id))
  useHistory(crawl.crawl_id)
  // Samples taken after the end only would draw a crawl without a rate.
  const hasProgress = samples.some(
    ({ pagesPerSecond, states }) => pagesPerSecond > 0 || states.visited < crawl.states.visited,
  )
  if (!hasProgress && crawl.status !== 'running') return null
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
      <Card title="URLs by state" className="sm:col-span-2 lg:col-span-6">
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

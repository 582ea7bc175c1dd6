import { lazyComponent } from '../../server/lazy-component.tsx'
import { Skeleton } from '../display/Skeleton.tsx'
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx'

const UplotChart = lazyComponent(
  async () => (await import('./UplotChart.tsx')).UplotChart,
  <Skeleton className="h-full w-full" />,
)

export interface Series {
  label: string
  /** A CSS colour; variables are resolved in the current theme. */
  colour: string
  values: readonly (number | null)[]
}

export interface ChartProps {
  /** Describes the chart to screen readers. */
  label: string
  /** Unix time in seconds, ascending. */
  times: readonly number[]
  series: readonly Series[]
  format: (value: number) => string
  height?: number
  /** Stacked areas instead of lines. */
  isStacked?: boolean
  isBytes?: boolean
  /** For counts: the axis has no fractions. */
  isWhole?: boolean
}

/** A time series chart. uPlot is loaded with the first chart. */
export function Chart(props: ChartProps) {
  const height = props.height ?? 140
  return (
    <figure className="min-w-0" aria-label={`${props.label}. ${describeNewest(props)}`}>
      <div style={{ height }}>
        <ErrorBoundary>
          <UplotChart {...props} height={height} />
        </ErrorBoundary>
      </div>
    </figure>
  )
}

function describeNewest({ series, format }: ChartProps): string {
  return series
    .map(({ label, values }) => {
      const newest = values.at(-1)
      return `${label}: ${newest === undefined || newest === null ? 'no data yet' : format(newest)}`
    })
    .join(', ')
}

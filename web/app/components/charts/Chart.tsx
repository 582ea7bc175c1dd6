import { Suspense } from 'react'
import { lazyComponent } from '../../server/lazy-component.ts'
import { Skeleton } from '../display/Skeleton.tsx'
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx'

const UplotChart = lazyComponent(async () => (await import('./UplotChart.tsx')).UplotChart)

export interface Series {
  label: string
  /** A CSS colour; variables are looked up in the present theme. */
  colour: string
  values: readonly (number | null)[]
}

export interface ChartProps {
  /** What the chart shows, for those who do not see it. */
  label: string
  /** Seconds since 1970, rising. */
  times: readonly number[]
  series: readonly Series[]
  format: (value: number) => string
  height?: number
  /** Areas on top of each other instead of lines. */
  isStacked?: boolean
  isBytes?: boolean
  /** An axis without fractions, as for counts. */
  isWhole?: boolean
}

/** A chart over time. The library that draws it is loaded with the first one. */
export function Chart(props: ChartProps) {
  const height = props.height ?? 140
  return (
    <figure className="min-w-0" aria-label={`${props.label}. ${describeNewest(props)}`}>
      <div style={{ height }}>
        <ErrorBoundary>
          <Suspense fallback={<Skeleton className="h-full w-full" />}>
            <UplotChart {...props} height={height} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </figure>
  )
}

function describeNewest({ series, format }: ChartProps): string {
  return series
    .map(({ label, values }) => {
      const newest = values.at(-1)
      return `${label}: ${newest === undefined || newest === null ? 'nothing yet' : format(newest)}`
    })
    .join(', ')
}

import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { formatClock } from '../../text/format.ts'
import type { ChartProps } from './Chart.tsx'
import { toChartColumns } from './chart-data.ts'

/** The part of a chart that needs uPlot. New data updates the chart; a new theme or set of series recreates it. */
export function UplotChart({
  times,
  series,
  format,
  height = 140,
  isStacked = false,
  isBytes = false,
  isWhole = false,
}: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const newest = useRef({ times, series, format, isStacked })
  newest.current = { times, series, format, isStacked }
  const shape = series.map(({ label, colour }) => `${label}=${colour}`).join(';')

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` covers the parts of series that need a new chart
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const draw = (): void => {
      plot.current?.destroy()
      const { series, format, isStacked } = newest.current
      plot.current = new uPlot(
        plotOptions({ series, format, isStacked, isBytes, isWhole, width: element.clientWidth, height }),
        toPlotData(newest.current),
        element,
      )
    }
    draw()
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    document.addEventListener('themechange', draw)
    return () => {
      resize.disconnect()
      document.removeEventListener('themechange', draw)
      plot.current?.destroy()
      plot.current = null
    }
  }, [shape, height])

  useEffect(() => plot.current?.setData(toPlotData({ times, series, isStacked })), [times, series, isStacked])

  return <div ref={box} className="h-full w-full overflow-hidden" />
}

type ChartDataProps = Pick<ChartProps, 'times' | 'series' | 'isStacked'>

function toPlotData({ times, series, isStacked = false }: ChartDataProps): uPlot.AlignedData {
  return toChartColumns({ times, columns: series.map(({ values }) => values), isStacked })
}

/** Charts of one screen share the cursor: the values of one moment can be compared. */
const CURSOR = uPlot.sync('time')

/** Steps of the time axis in seconds. Smaller steps would print the same time twice. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400]

/** Round in powers of 1024, like formatted sizes. */
const BYTE_STEPS = [0, 1, 2, 3, 4].flatMap((power) =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500].map((n) => n * 1024 ** power),
)

const WHOLE_STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((power) => [1, 2, 5].map((n) => n * 10 ** power))

/** Half of the last time label extends past the plot area. */
const LABEL_HALF_PX = 28

interface ChartOptionProps extends Pick<ChartProps, 'series' | 'format' | 'isStacked' | 'isBytes' | 'isWhole'> {
  width: number
  height: number
}

function plotOptions({ series, format, isStacked, isBytes, isWhole, width, height }: ChartOptionProps): uPlot.Options {
  const muted = resolveColour('var(--muted)')
  const line = resolveColour('var(--line)')
  const font = `11px ${getComputedStyle(document.body).fontFamily}`
  const axis = { stroke: muted, font, ticks: { show: false }, grid: { stroke: line, width: 1 } }
  return {
    width,
    height,
    padding: [8, LABEL_HALF_PX, 0, 0],
    legend: { show: false },
    cursor: { points: { size: 5 }, y: false, sync: { key: CURSOR.key, setSeries: false } },
    scales: { x: { time: true }, y: { range: (_, __, largest) => [0, largest > 0 ? largest * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        size: 22,
        space: 70,
        incrs: TIME_STEPS,
        grid: { show: false },
        values: (_, splits) => splits.map(clockText),
      },
      {
        ...axis,
        size: 56,
        space: 28,
        ...(isBytes === true ? { incrs: BYTE_STEPS } : isWhole === true ? { incrs: WHOLE_STEPS } : {}),
        values: (_, splits) => axisTexts(splits, format),
      },
    ],
    series: [
      {},
      ...series.map(({ label, colour }) => ({
        label,
        stroke: resolveColour(colour),
        width: isStacked === true ? 0 : 1.5,
        points: { show: false },
        ...(isStacked === true ? { fill: resolveColour(colour) } : {}),
      })),
    ],
    plugins: [cursorReadout(series, format, isStacked === true)],
  }
}

/** Steps finer than the format produce equal texts; only the first of them is printed. */
function axisTexts(splits: number[], format: ChartProps['format']): string[] {
  const texts = splits.map((value) => format(value).replace(/\.0+(?=\D|$)/, ''))
  return texts.map((text, i) => (text === texts[i - 1] ? '' : text))
}

/** Shows the values under the cursor in a corner of the chart. */
function cursorReadout(series: ChartProps['series'], format: ChartProps['format'], isStacked: boolean): uPlot.Plugin {
  const box = document.createElement('div')
  box.className =
    'pointer-events-none absolute top-0 right-2 z-10 hidden rounded bg-surface/90 px-1.5 text-2xs text-ink whitespace-nowrap'
  return {
    hooks: {
      init: (plot: uPlot) => void plot.over.append(box),
      setCursor: (plot: uPlot) => {
        const at = plot.cursor.idx
        box.classList.toggle('hidden', at === null || at === undefined)
        if (at === null || at === undefined) return
        const parts = series.map(({ label }, i) => {
          const upper = plot.data[i + 1]?.[at]
          if (upper === null || upper === undefined) return `${label} –`
          const value = isStacked ? upper - (plot.data[i + 2]?.[at] ?? 0) : upper
          return `${label} ${format(value)}`
        })
        box.textContent = [clockText(plot.data[0][at] ?? 0), ...parts].join('  ')
      },
    },
  }
}

function clockText(seconds: number): string {
  return formatClock(new Date(seconds * 1000))
}

/** A canvas does not resolve CSS variables. */
function resolveColour(colour: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(colour)?.[1]
  return name === undefined ? colour : getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

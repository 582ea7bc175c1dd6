// The data of a chart as uPlot expects it: aligned columns, stacked if wanted, with a gap where samples are missing.

/** Samples are at most this many times further apart than their neighbours, unless the server was down. */
const MAX_SPACING_RATIO = 4
const MIN_BREAK_S = 20

export interface ChartData {
  /** Unix time in seconds, ascending. */
  times: readonly number[]
  columns: readonly (readonly (number | null)[])[]
  isStacked: boolean
}

export function toChartColumns({ times, columns, isStacked }: ChartData): [number[], ...(number | null)[][]] {
  const rows = isStacked ? stack(columns) : columns.map((column) => [...column])
  const breaks = findBreaks(times)
  if (breaks.length === 0) return [[...times], ...rows]
  const withBreaks = <T>(values: readonly T[], between: (at: number) => T): T[] =>
    values.flatMap((value, at) => (breaks.includes(at) ? [between(at), value] : [value]))
  return [
    withBreaks(times, (at) => ((times[at - 1] ?? 0) + (times[at] ?? 0)) / 2),
    ...rows.map((row) => withBreaks<number | null>(row, () => null)),
  ]
}

/**
 * The positions before which samples are missing, because no server was running. Older samples are thinned out, so the
 * usual distance depends on the place: a break is much longer than the distances around it.
 */
export function findBreaks(times: readonly number[]): number[] {
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? at))
  return gaps.flatMap((gap, i) => {
    const around = Math.max(gaps[i - 1] ?? 0, gaps[i + 1] ?? 0)
    return gap >= MIN_BREAK_S && gap > around * MAX_SPACING_RATIO ? [i + 1] : []
  })
}

/** Stacks each column on top of the columns after it. */
function stack(columns: ChartData['columns']): (number | null)[][] {
  const rows = columns.map((column) => [...column])
  for (let i = rows.length - 2; i >= 0; i -= 1) {
    const above = rows[i + 1]
    rows[i] = rows[i]?.map((value, at) => (value ?? 0) + (above?.[at] ?? 0)) ?? []
  }
  return rows
}

/** A line without axes, oldest value first. */
export function Sparkline({
  values,
  width = 96,
  height = 24,
}: {
  values: readonly number[]
  width?: number
  height?: number
}) {
  const largest = Math.max(...values, Number.EPSILON)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const points = values.map(
    (value, i) => `${(i * step).toFixed(1)},${(height - 1 - (value / largest) * (height - 2)).toFixed(1)}`,
  )
  return (
    <svg aria-hidden="true" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <polyline points={points.join(' ')} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  )
}

// Metrics in the Prometheus text format, and cheap histograms.

export interface MetricSample {
  labels?: Record<string, string>
  value: number
}

export type Metric = { name: string; help: string } & (
  | { type: 'counter' | 'gauge'; values: MetricSample[] }
  | { type: 'histogram'; values: { labels?: Record<string, string>; distribution: HistogramSnapshot }[] }
)

/** A distribution of durations, as plain data that can be sent between threads. */
export interface HistogramSnapshot {
  /** Upper bounds of the buckets in ms. */
  boundsMs: readonly number[]
  /** One count per bucket, and a last one for everything above the highest bound. */
  counts: number[]
  sumMs: number
}

export class Histogram {
  readonly #boundsMs: readonly number[]
  readonly #counts: Float64Array
  #sumMs = 0

  constructor(boundsMs: readonly number[]) {
    this.#boundsMs = boundsMs
    this.#counts = new Float64Array(boundsMs.length + 1)
  }

  add(ms: number): void {
    let i = 0
    while (i < this.#boundsMs.length && ms > (this.#boundsMs[i] as number)) i += 1
    this.#counts[i] = (this.#counts[i] as number) + 1
    this.#sumMs += ms
  }

  read(): HistogramSnapshot {
    return { boundsMs: this.#boundsMs, counts: [...this.#counts], sumMs: this.#sumMs }
  }
}

/** Adds two histograms with the same buckets. */
export function addHistograms(a: HistogramSnapshot, b: HistogramSnapshot): HistogramSnapshot {
  return {
    boundsMs: a.boundsMs,
    counts: a.counts.map((count, i) => count + (b.counts[i] ?? 0)),
    sumMs: a.sumMs + b.sumMs,
  }
}

export function renderMetrics(metrics: Metric[]): string {
  let text = ''
  for (const metric of metrics) {
    const { name, help, type } = metric
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
    if (metric.type === 'histogram') {
      for (const { labels = {}, distribution } of metric.values) text += renderHistogram(name, labels, distribution)
    } else {
      for (const { labels = {}, value } of metric.values) text += `${name}${renderLabels(labels)} ${value}\n`
    }
  }
  return text
}

/** Prometheus expects seconds and cumulative buckets. */
function renderHistogram(name: string, labels: Record<string, string>, { boundsMs, counts, sumMs }: HistogramSnapshot) {
  let text = ''
  let total = 0
  for (const [i, count] of counts.entries()) {
    total += count
    const boundMs = boundsMs[i]
    const le = boundMs === undefined ? '+Inf' : String(boundMs / 1000)
    text += `${name}_bucket${renderLabels({ ...labels, le })} ${total}\n`
  }
  return `${text}${name}_sum${renderLabels(labels)} ${sumMs / 1000}\n${name}_count${renderLabels(labels)} ${total}\n`
}

function renderLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
}

// Figures in the text format that Prometheus reads.

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge'
  values: { labels?: Record<string, string>; value: number }[]
}

export function renderMetrics(metrics: Metric[]): string {
  let text = ''
  for (const { name, help, type, values } of metrics) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
    for (const { labels = {}, value } of values) text += `${name}${renderLabels(labels)} ${value}\n`
  }
  return text
}

function renderLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
}

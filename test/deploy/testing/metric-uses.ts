// Finds the metrics that a PromQL expression uses, with their label matchers and whether it takes their rate.

export interface MetricUse {
  metric: string
  isRate: boolean
  labels: { name: string; values: string[] }[]
}

const METRIC_USE = /(\b(?:rate|increase)\()?\b((?:(?:orbweaver|crawl|processed)_|up\b)\w*)(?:\{([^}]*)\})?/g
const LABEL = /(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g

export function findMetricUses(expression: string): MetricUse[] {
  checkPairs(expression)
  return [...expression.matchAll(METRIC_USE)].map(([, rate, metric = '', labels = '']) => ({
    metric,
    isRate: rate !== undefined,
    labels: [...labels.matchAll(LABEL)].map(([, name = '', value = '']) => ({ name, values: value.split('|') })),
  }))
}

const OPENERS: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

function checkPairs(expression: string): void {
  const open: string[] = []
  for (const char of expression.replace(/"[^"]*"/g, '')) {
    if ('([{'.includes(char)) open.push(char)
    else if (char in OPENERS && open.pop() !== OPENERS[char]) throw new Error(`brackets do not pair: ${expression}`)
  }
  if (open.length > 0) throw new Error(`brackets do not pair: ${expression}`)
}

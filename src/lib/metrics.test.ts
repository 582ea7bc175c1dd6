import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addHistograms, Histogram, renderMetrics } from './metrics.ts'

describe('renderMetrics', () => {
  it('writes a metric with its help, its type and a line per value', () => {
    const text = renderMetrics([
      {
        name: 'orbweaver_urls',
        help: 'URLs by state.',
        type: 'gauge',
        values: [
          { labels: { state: 'queued' }, value: 7 },
          { labels: { state: 'visited' }, value: 3 },
        ],
      },
      { name: 'orbweaver_pages_total', help: 'Pages visited.', type: 'counter', values: [{ value: 3 }] },
    ])
    assert.equal(
      text,
      '# HELP orbweaver_urls URLs by state.\n# TYPE orbweaver_urls gauge\n' +
        'orbweaver_urls{state="queued"} 7\norbweaver_urls{state="visited"} 3\n' +
        '# HELP orbweaver_pages_total Pages visited.\n# TYPE orbweaver_pages_total counter\norbweaver_pages_total 3\n',
    )
  })

  it('escapes label values', () => {
    const values = [{ labels: { host: 'a"b\\c\nd' }, value: 1 }]
    assert.match(renderMetrics([{ name: 'x', help: 'X.', type: 'gauge', values }]), /x\{host="a\\"b\\\\c\\nd"\} 1\n/)
  })

  it('writes a histogram in seconds with cumulative buckets', () => {
    const histogram = new Histogram([10, 100, 1000])
    for (const ms of [0, 10, 11, 5000]) histogram.add(ms)
    const values = [{ labels: { of: 'a' }, distribution: histogram.read() }]
    assert.equal(
      renderMetrics([{ name: 'x_seconds', help: 'X.', type: 'histogram', values }]),
      '# HELP x_seconds X.\n# TYPE x_seconds histogram\n' +
        'x_seconds_bucket{of="a",le="0.01"} 2\nx_seconds_bucket{of="a",le="0.1"} 3\n' +
        'x_seconds_bucket{of="a",le="1"} 3\nx_seconds_bucket{of="a",le="+Inf"} 4\n' +
        'x_seconds_sum{of="a"} 5.021\nx_seconds_count{of="a"} 4\n',
    )
  })
})

describe('histograms', () => {
  it('of several threads can be added', () => {
    const [a, b] = [new Histogram([10]), new Histogram([10])]
    a.add(5)
    b.add(7)
    b.add(70)
    assert.deepEqual(addHistograms(a.read(), b.read()), { boundsMs: [10], counts: [2, 1], sumMs: 82 })
  })
})

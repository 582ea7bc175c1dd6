import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderMetrics } from './metrics.ts'

describe('renderMetrics', () => {
  it('writes a metric with its help, its type and a line a value', () => {
    const text = renderMetrics([
      {
        name: 'orbweaver_urls',
        help: 'Urls by state.',
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
      '# HELP orbweaver_urls Urls by state.\n# TYPE orbweaver_urls gauge\n' +
        'orbweaver_urls{state="queued"} 7\norbweaver_urls{state="visited"} 3\n' +
        '# HELP orbweaver_pages_total Pages visited.\n# TYPE orbweaver_pages_total counter\norbweaver_pages_total 3\n',
    )
  })

  it('escapes what would end a label', () => {
    const values = [{ labels: { host: 'a"b\\c\nd' }, value: 1 }]
    assert.match(renderMetrics([{ name: 'x', help: 'X.', type: 'gauge', values }]), /x\{host="a\\"b\\\\c\\nd"\} 1\n/)
  })
})

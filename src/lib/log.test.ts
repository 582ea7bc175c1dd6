import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openLog } from './log.ts'

function lineOf(event: string, fields: Record<string, string | number | null>): string {
  const lines: string[] = []
  const write = (text: string) => {
    lines.push(text)
    return true
  }
  openLog({ write } as Parameters<typeof openLog>[0], () => 0)(event, fields)
  return lines.join('')
}

describe('log', () => {
  it('writes time, event and fields on one line', () => {
    assert.equal(
      lineOf('crawl begun', { crawl: 'c1', urls: 3 }),
      '1970-01-01T00:00:00.000Z crawl begun crawl=c1 urls=3\n',
    )
  })

  it('leaves out what is null, and quotes what would break the line', () => {
    const line = lineOf('failed', { crawl: null, why: 'no\nroute "x"', empty: '' })
    assert.equal(line, '1970-01-01T00:00:00.000Z failed why="no\\nroute \\"x\\"" empty=""\n')
  })
})

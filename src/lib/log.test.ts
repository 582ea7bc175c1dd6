import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type LogFields, type LogSettings, type OpenLog, openLog, SharedLogLevel, silentLog } from './log.ts'

function open(settings: LogSettings): { log: OpenLog; lines: string[] } {
  const lines: string[] = []
  return { log: openLog({ write: (text) => lines.push(text) }, () => 0, settings), lines }
}

function lineOf(event: string, logFields: LogFields): string {
  const { log, lines } = open({ format: 'text', level: 'info' })
  log(event, logFields)
  return lines.join('')
}

describe('a text log', () => {
  it('writes time, event and fields on one line', () => {
    assert.equal(
      lineOf('crawl started', { crawl: 'c1', urls: 3 }),
      '1970-01-01T00:00:00.000Z crawl started crawl=c1 urls=3\n',
    )
  })

  it('omits null fields and quotes values that would break the line', () => {
    const line = lineOf('failed', { crawl: null, why: 'no\nroute "x"', empty: '' })
    assert.equal(line, '1970-01-01T00:00:00.000Z failed why="no\\nroute \\"x\\"" empty=""\n')
  })

  it('names levels other than info', () => {
    const { log, lines } = open({ format: 'text', level: 'info' })
    log.error('store unavailable')
    assert.deepEqual(lines, ['1970-01-01T00:00:00.000Z error: store unavailable\n'])
  })
})

describe('a JSON log', () => {
  it('writes an object per line, with level, time and event', () => {
    const { log, lines } = open({ format: 'json', level: 'info' })
    log('crawl started', { crawl: 'c1', urls: 3, host: null })
    log.warn('store "a" unavailable')
    assert.ok(lines.every((line) => line.endsWith('}\n')))
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      [
        { level: 'info', time: '1970-01-01T00:00:00.000Z', crawl: 'c1', urls: 3, event: 'crawl started' },
        { level: 'warn', time: '1970-01-01T00:00:00.000Z', event: 'store "a" unavailable' },
      ],
    )
  })
})

describe('levels', () => {
  it('filter lower levels and can change while the log is open', () => {
    const { log, lines } = open({ format: 'text', level: 'warn' })
    const all = () => {
      log.debug('a')
      log('b')
      log.warn('c')
      log.error('d')
      return lines
        .splice(0)
        .map((line) => line.trim().slice(-1))
        .join('')
    }
    assert.equal(all(), 'cd')
    log.setLevel('debug')
    assert.equal(log.level, 'debug')
    assert.equal(all(), 'abcd')
    log.setLevel('error')
    assert.equal(all(), 'd')
  })

  it('can be queried, so that callers can skip expensive work', () => {
    const { log } = open({ format: 'text', level: 'info' })
    assert.deepEqual([log.wants('debug'), log.wants('info'), silentLog.wants('error')], [false, true, false])
  })

  it('are shared with threads through their cell', () => {
    const { log } = open({ format: 'text', level: 'info' })
    const otherThread = new SharedLogLevel(structuredClone(log.levelCell))
    assert.deepEqual([otherThread.level, otherThread.wants('debug')], ['info', false])
    log.setLevel('debug')
    assert.deepEqual([otherThread.level, otherThread.wants('debug')], ['debug', true])
  })
})

describe('secrets', () => {
  it('appear in neither format', () => {
    for (const format of ['text', 'json'] as const) {
      const { log, lines } = open({ format, level: 'info' })
      log('request', {
        token: 'sesame',
        authorization: 'Bearer sesame',
        'Set-Cookie': 'sid=sesame',
        store: 'postgres://me:sesame@db.test/orbweaver',
        url: 'http://a.test/?q=1&token=sesame&page=2',
        message: 'GET failed: cookie: a=sesame; orbw_sesame-1 was sent as Bearer sesame',
      })
      assert.doesNotMatch(lines.join(''), /sesame/)
      assert.match(lines.join(''), /db\.test\/orbweaver/)
      assert.match(lines.join(''), /q=1.*page=2/)
    }
  })
})

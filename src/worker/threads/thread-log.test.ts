import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SharedLogLevel } from '../../lib/log.ts'
import { type LogLine, ThreadLog } from './thread-log.ts'

const CONTEXT = { crawl: 'c1', worker: 'w1' }

function open() {
  const level = new SharedLogLevel()
  const batches: LogLine[][] = []
  const turns: (() => void)[] = []
  const threadLog = new ThreadLog({
    levelCell: level.cell,
    context: CONTEXT,
    send: (lines) => batches.push(lines),
    atEndOfTurn: (callback) => turns.push(callback),
  })
  const endTurn = () => {
    for (const callback of turns.splice(0)) callback()
  }
  const events = () => batches.map((lines) => lines.map(({ event }) => event))
  return { threadLog, log: threadLog.log, level, batches, endTurn, events }
}

describe('ThreadLog', () => {
  it('sends the lines of a turn as one batch', () => {
    const { log, endTurn, batches } = open()
    log('a', { host: 'a.test' })
    log.debug('b')
    assert.deepEqual(batches, [])
    endTurn()
    assert.deepEqual(batches, [
      [
        { level: 'info', event: 'a', fields: { host: 'a.test' } },
        { level: 'debug', event: 'b', fields: {} },
      ],
    ])
  })

  it('sends the next batch when the last one is written', () => {
    const { threadLog, log, endTurn, events } = open()
    log('a')
    endTurn()
    log('b')
    endTurn()
    log('c')
    assert.deepEqual(events(), [['a']])
    threadLog.acknowledge()
    assert.deepEqual(events(), [['a'], ['b', 'c']])
    threadLog.acknowledge()
    log('d')
    endTurn()
    assert.deepEqual(events(), [['a'], ['b', 'c'], ['d']])
  })

  it('sends the last lines without waiting', () => {
    const { threadLog, log, endTurn, events } = open()
    log('a')
    endTurn()
    log('b')
    threadLog.flush()
    endTurn()
    assert.deepEqual(events(), [['a'], ['b']])
  })

  it('sends only lines of the current log level', () => {
    const { threadLog, log, level, endTurn, events } = open()
    level.set('info')
    log.debug('a')
    endTurn()
    assert.deepEqual([events(), log.wants('debug')], [[], false])
    level.set('debug')
    log.debug('b')
    endTurn()
    threadLog.acknowledge()
    level.set('warn')
    log('c')
    endTurn()
    assert.deepEqual(events(), [['b']])
  })

  it('drops lines that are too many for a slow process and counts them, but keeps room for important ones', () => {
    const { threadLog, log, endTurn, batches } = open()
    log('first')
    endTurn()
    for (let i = 0; i < 100_000; i++) log.debug('url visited')
    log.warn('host given up')
    threadLog.acknowledge()
    const [, batch = []] = batches
    assert.ok(batch.length < 10_000, `${batch.length} lines`)
    assert.equal(batch.at(-2)?.event, 'host given up')
    const dropped = 100_000 - (batch.length - 2)
    assert.deepEqual(batch.at(-1), {
      level: 'warn',
      event: 'log lines dropped',
      fields: { ...CONTEXT, lines: dropped },
    })
  })

  it('is bounded for all levels, and counts dropped lines per batch', () => {
    const { threadLog, log, endTurn, batches } = open()
    for (let i = 0; i < 100_000; i++) log.warn('trap found')
    endTurn()
    assert.ok((batches[0]?.length ?? 0) < 10_000)
    log('a')
    threadLog.acknowledge()
    assert.deepEqual(batches[1], [{ level: 'info', event: 'a', fields: {} }])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CronTimes, findCronProblem, isTimeZone, systemTimeZone } from './cron.ts'

const isoTimes = (expression: string, zone: string, after: string, count: number) =>
  new CronTimes(expression, zone).list(Date.parse(after), count).map((at) => new Date(at).toISOString())

describe('cron expressions', () => {
  it('have five fields, or a name', () => {
    for (const valid of ['0 3 * * *', '*/15 8-18 * * MON-FRI', '0 0 1 1 *', '@daily', '0 0 29 2 *'])
      assert.equal(findCronProblem(valid), null, valid)
    for (const invalid of ['', 'x', '61 * * * *', '* * * * * *', '0 0 30 2 *', '@reboot'])
      assert.notEqual(findCronProblem(invalid), null, invalid)
  })

  it('name the field that is wrong', () => {
    for (const [text, problem] of [
      ['61 * * * *', 'the minute cannot be "61"'],
      ['0 25 * * *', 'the hour cannot be "25"'],
      ['0 3 * * NEVER', 'the day of the week cannot be "NEVER"'],
      ['0 0 30 2 *', 'this date never comes'],
      ['0 3 * *', 'it has 4 fields'],
    ] as const) {
      assert.equal(findCronProblem(text), problem)
    }
  })

  it('are read in their time zone, across changes of the clock', () => {
    const winterToSummer = isoTimes('0 3 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 3)
    assert.deepEqual(winterToSummer, [
      '2026-03-28T02:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T01:00:00.000Z',
    ])
  })

  it('run once a day even if the hour is skipped or repeated', () => {
    assert.deepEqual(isoTimes('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
    assert.deepEqual(isoTimes('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), [
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  it('give the same times in any order of questions', () => {
    const times = new CronTimes('0 * * * *', 'UTC')
    const hour = 3_600_000
    const asked = [0, 10, hour - 1, hour, 5, hour + 1, 3 * hour, 2 * hour]
    const expected = asked.map((after) => (Math.floor(after / hour) + 1) * hour)
    assert.deepEqual(
      asked.map((after) => times.nextAfter(after)),
      expected,
    )
  })

  it('know time zones by their names', () => {
    assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Base'].map(isTimeZone), [true, true, false])
  })

  it('take the time zone of the machine, or that of the environment', (t) => {
    const before = process.env['TZ']
    t.after(() => {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    })
    delete process.env['TZ']
    const ofIntl = (timeZone?: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
    // One zone may have several names.
    assert.equal(ofIntl(systemTimeZone()), ofIntl())
    process.env['TZ'] = 'America/Lima'
    assert.equal(systemTimeZone(), 'America/Lima')
  })
})

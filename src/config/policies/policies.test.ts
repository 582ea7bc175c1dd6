import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toCrawlSettings } from '../crawl-settings.ts'
import { defaultConfig } from '../load-config.ts'
import { matchesHost } from './host-pattern.ts'
import { settingsForHost } from './host-settings.ts'
import { EMPTY_POLICY, type Policy, parsePolicy, toPolicyRow } from './policy.ts'
import { PolicyTable } from './policy-table.ts'

const SETTINGS = toCrawlSettings(defaultConfig())

function policy(host: string, fields: Partial<Policy>): Policy {
  return { ...EMPTY_POLICY, ...fields, host }
}

describe('a host pattern', () => {
  const matches = (pattern: string, host: string) => matchesHost(pattern, host)

  it('matches text for each *, dots included', () => {
    assert.ok(matches('*.example.com', 'www.example.com'))
    assert.ok(matches('*.example.com', 'a.b.example.com'))
    assert.ok(!matches('*.example.com', 'example.com'))
    assert.ok(!matches('*.example.com', 'www.example.com.evil.test'))
    assert.ok(matches('cdn-*.example.*', 'cdn-1.example.org'))
    assert.ok(matches('*', 'anything.test'))
    assert.ok(!matches('www.example.com', 'wwwxexample.com'))
  })

  it('matches every port, unless it names one', () => {
    assert.ok(matches('a.test', 'a.test:8080'))
    assert.ok(matches('a.test:8080', 'a.test:8080'))
    assert.ok(!matches('a.test:8080', 'a.test'))
    assert.ok(matches('*.0.0.1', '127.0.0.1:44451'))
  })

  it('takes no more than a moment for a hostile pattern', () => {
    assert.ok(!matches(`${'*a'.repeat(120)}b`, 'a'.repeat(250)))
  })
})

describe('a policy table', () => {
  it('takes each field from the most specific pattern that sets it', () => {
    const table = new PolicyTable([
      policy('*', { delayMs: 1, weight: 0.5, maxPages: 10 }),
      policy('*.example.com', { delayMs: 2, rate: 1, burst: 9 }),
      policy('www.example.com', { weight: 3 }),
      policy('*www.example.com', { rate: 7 }),
    ])
    const found = table.resolve('www.example.com')
    assert.deepEqual(found, {
      ...EMPTY_POLICY,
      delayMs: 2,
      weight: 3,
      maxPages: 10,
      rate: 7,
      patterns: { delayMs: '*.example.com', weight: 'www.example.com', maxPages: '*', rate: '*www.example.com' },
    })
  })

  it('prefers a name with its port to one without, and that to any pattern', () => {
    const table = new PolicyTable([
      policy('a.test', { perHost: 2 }),
      policy('a.test:81', { perHost: 3 }),
      policy('*aaaaaa.test*', { perHost: 4 }),
    ])
    assert.equal(table.resolve('a.test:81')?.perHost, 3)
    assert.equal(table.resolve('a.test:82')?.perHost, 2)
  })

  it('has nothing for a host without a policy', () => {
    assert.equal(new PolicyTable([]).resolve('a.test'), null)
    assert.equal(new PolicyTable([policy('b.test', { weight: 2 })]).resolve('a.test'), null)
  })
})

describe('the settings of a crawl at a host', () => {
  const at = (settings: Partial<typeof SETTINGS>, fields: Partial<Policy>) =>
    settingsForHost({ ...SETTINGS, ...settings }, new PolicyTable([policy('a.test', fields)]).resolve('a.test'))

  it('have the longer delay, and that of the policy instead of auto', () => {
    assert.equal(at({ delayMs: 500 }, { delayMs: 200 }).delayMs, 500)
    assert.equal(at({ delayMs: 100 }, { delayMs: 200 }).delayMs, 200)
    assert.equal(at({ delayMs: 'auto' }, { delayMs: 50 }).delayMs, 50)
    assert.equal(at({ delayMs: 'auto' }, { weight: 2 }).delayMs, 'auto')
  })

  it('have the smaller number of requests at a time', () => {
    assert.equal(at({ perHost: 4 }, { perHost: 2 }).perHost, 2)
    assert.equal(at({ perHost: 1 }, { perHost: 8 }).perHost, 1)
  })

  it('have the bounds of the policy, also for a fixed interval', () => {
    const bounds = { recrawlMinMs: 10_000, recrawlMaxMs: 20_000 }
    const { recrawlMinMs, recrawlMaxMs, recrawl } = at({ recrawl: 5000 }, bounds)
    assert.deepEqual({ recrawlMinMs, recrawlMaxMs, recrawl }, { ...bounds, recrawl: 10_000 })
    assert.equal(at({ recrawl: 90_000 }, bounds).recrawl, 20_000)
    assert.equal(at({ recrawl: 'adaptive' }, bounds).recrawl, 'adaptive')
    assert.equal(at({ recrawl: 'off' }, bounds).recrawl, 'off')
  })

  it('are the same object without a policy, so that nothing is paid', () => {
    assert.equal(settingsForHost(SETTINGS, null), SETTINGS)
  })
})

describe('a row of a policy', () => {
  it('is read and written in the form of a file', () => {
    const row = {
      host: '*.example.com',
      weight: 0.1,
      delay: 2000,
      per_host: 2,
      rate: 0.5,
      burst: 3,
      max_pages: 10,
      recrawl_min: '90m',
      recrawl_max: '30d',
    }
    const parsed = parsePolicy(row)
    assert.ok('policy' in parsed)
    assert.deepEqual(toPolicyRow(parsed.policy), row)
  })

  it('names every bad field', () => {
    const parsed = parsePolicy({ host: 'http://a/', weight: 0, delay: -1, rate: 'fast', recrawl_min: '1', typo: 1 })
    assert.ok('problems' in parsed)
    assert.deepEqual(
      parsed.problems.map(({ field }) => field),
      ['host', 'weight', 'delay', 'rate', 'recrawl_min', 'typo'],
    )
  })

  it('sets something, has no burst without a rate, and bounds in order', () => {
    const fieldsOf = (row: object) => {
      const parsed = parsePolicy({ host: 'a.test', ...row })
      return 'problems' in parsed ? parsed.problems.map(({ field }) => field) : []
    }
    assert.deepEqual(fieldsOf({}), ['host'])
    assert.deepEqual(fieldsOf({ burst: 2 }), ['burst'])
    assert.deepEqual(fieldsOf({ recrawl_min: '2h', recrawl_max: '1h' }), ['recrawl_min'])
    assert.deepEqual(fieldsOf({ weight: null, delay: 5 }), [])
  })
})

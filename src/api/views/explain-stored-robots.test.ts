import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RobotsCopy } from '../../ports/robots.ts'
import { explainStoredRobots } from './explain-stored-robots.ts'

const SETTINGS = { ignoreRobots: false, userAgent: 'Orbweaver/0.1' }

function explain(copy: Partial<RobotsCopy> | null, settings = SETTINGS) {
  const whole = { origin: 'http://a.test', askedAt: 0, expiresAt: 0, status: 200, problem: null, body: null, goodAt: 0 }
  const robots = { find: async () => (copy === null ? null : { ...whole, ...copy }) }
  return explainStoredRobots('http://a.test/private/x', settings, { robots })
}

const body = (text: string) => ({ body: Buffer.from(text) })

describe('what robots.txt says', () => {
  it('names the line that decides', async () => {
    const denied = await explain(body('User-agent: *\nDisallow: /private/\n'))
    assert.deepEqual([denied.isAllowed, denied.line], [false, 'line 2: Disallow: /private/'])
    const allowed = await explain(body('User-agent: *\nDisallow: /private/\nAllow: /private/x\n'))
    assert.deepEqual([allowed.isAllowed, allowed.line], [true, 'line 3: Allow: /private/x'])
    assert.equal((await explain(body('User-agent: *\nCrawl-delay: 900\n'))).outcome, 'refused')
  })

  it('is nothing where there are no rules, and unknown where nobody asked', async () => {
    assert.equal((await explain({ status: 404 })).outcome, 'passed')
    assert.equal((await explain(null)).outcome, 'unknown')
    assert.equal((await explain(null, { ...SETTINGS, ignoreRobots: true })).outcome, 'passed')
  })

  it('is no for everything while it cannot be had', async () => {
    const { outcome, detail } = await explain({ status: null, problem: 'connect_refused' })
    assert.equal(outcome, 'refused')
    assert.match(detail, /connect_refused/)
  })
})

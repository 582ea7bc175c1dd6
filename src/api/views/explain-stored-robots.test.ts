import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RobotsCopy } from '../../ports/robots.ts'
import { explainStoredRobots } from './explain-stored-robots.ts'

const SETTINGS = { ignoreRobots: false, userAgent: 'Orbweaver/0.1' }

function explain(copy: Partial<RobotsCopy> | null, settings = SETTINGS) {
  const complete = {
    origin: 'http://a.test',
    askedAt: 0,
    expiresAt: 0,
    status: 200,
    problem: null,
    body: null,
    goodAt: 0,
  }
  const robots = { find: async () => (copy === null ? null : { ...complete, ...copy }) }
  return explainStoredRobots('http://a.test/private/x', settings, { robots })
}

const body = (text: string) => ({ body: Buffer.from(text) })

describe('the explanation of robots.txt', () => {
  it('names the deciding line', async () => {
    const denied = await explain(body('User-agent: *\nDisallow: /private/\n'))
    assert.deepEqual([denied.isAllowed, denied.line], [false, 'line 2: Disallow: /private/'])
    const allowed = await explain(body('User-agent: *\nDisallow: /private/\nAllow: /private/x\n'))
    assert.deepEqual([allowed.isAllowed, allowed.line], [true, 'line 3: Allow: /private/x'])
    assert.equal((await explain(body('User-agent: *\nCrawl-delay: 900\n'))).outcome, 'refused')
  })

  it('allows everything without rules, and is unknown before the first fetch', async () => {
    assert.equal((await explain({ status: 404 })).outcome, 'passed')
    assert.equal((await explain(null)).outcome, 'unknown')
    assert.equal((await explain(null, { ...SETTINGS, ignoreRobots: true })).outcome, 'passed')
  })

  it('disallows everything while robots.txt cannot be fetched', async () => {
    const { outcome, detail } = await explain({ status: null, problem: 'connect_refused' })
    assert.equal(outcome, 'refused')
    assert.match(detail, /connect_refused/)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decideRobots } from './match.ts'
import { rulesFromAnswer } from './rules-for.ts'

function meaningOf(status: number, body = 'x'): string {
  const rules = rulesFromAnswer({ status, body: Buffer.from(body) })
  return rules.kind === 'parsed' ? rules.kind : `${rules.kind} ${rules.because}`
}

describe('rulesFromAnswer', () => {
  it('a success is parsed', () => {
    const rules = rulesFromAnswer({ status: 200, body: Buffer.from('User-agent: *\nDisallow: /x') })
    assert.ok(rules.kind === 'parsed')
    assert.equal(decideRobots(rules.file, 'Orbweaver', '/x').allowed, false)
    for (const status of [200, 203, 206, 299]) assert.equal(meaningOf(status), 'parsed')
  })

  it('an empty success allows all', () => {
    for (const status of [200, 204]) assert.equal(meaningOf(status, ''), 'allow_all empty')
  })

  it('every client error allows all', () => {
    for (let status = 400; status < 500; status++) assert.equal(meaningOf(status), 'allow_all client_error')
  })

  it('a redirect left over allows all', () => {
    for (const status of [301, 302, 303, 307, 308]) assert.equal(meaningOf(status), 'allow_all too_many_redirects')
  })

  it('every server error disallows all', () => {
    for (let status = 500; status < 600; status++) assert.equal(meaningOf(status), 'disallow_all server_error')
  })

  it('a failed request disallows all', () => {
    assert.deepEqual(rulesFromAnswer({ failed: true }), { kind: 'disallow_all', because: 'unreachable' })
  })

  it('a status that HTTP does not know disallows all', () => {
    for (const status of [0, 99, 100, 600, 999]) assert.equal(meaningOf(status), 'disallow_all unknown_status')
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { interpretRobotsResponse } from './interpret-response.ts'

function wordFor(status: number, body = 'x'): string {
  const rules = interpretRobotsResponse({ status, body: Buffer.from(body) })
  return rules.kind === 'rules' ? rules.kind : `${rules.kind} ${rules.because}`
}

describe('interpretRobotsResponse', () => {
  it('a success has rules', () => {
    const rules = interpretRobotsResponse({ status: 200, body: Buffer.from('User-agent: *\nDisallow: /x') })
    assert.ok(rules.kind === 'rules')
    assert.equal(rules.body.toString(), 'User-agent: *\nDisallow: /x')
    for (const status of [200, 203, 206, 299]) assert.equal(wordFor(status), 'rules')
  })

  it('an empty success allows all', () => {
    for (const status of [200, 204]) assert.equal(wordFor(status, ''), 'allow_all empty')
  })

  it('every client error allows all', () => {
    for (let status = 400; status < 500; status++) assert.equal(wordFor(status), 'allow_all client_error')
  })

  it('a redirect beyond the limit allows all', () => {
    for (const status of [301, 302, 303, 307, 308]) assert.equal(wordFor(status), 'allow_all too_many_redirects')
  })

  it('every server error disallows all', () => {
    for (let status = 500; status < 600; status++) assert.equal(wordFor(status), 'disallow_all server_error')
  })

  it('a failed request disallows all', () => {
    assert.deepEqual(interpretRobotsResponse({ failed: true }), { kind: 'disallow_all', because: 'unreachable' })
  })

  it('an unknown status disallows all', () => {
    for (const status of [0, 99, 100, 600, 999]) assert.equal(wordFor(status), 'disallow_all unknown_status')
  })
})

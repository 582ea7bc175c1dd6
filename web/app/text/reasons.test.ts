import assert from 'node:assert/strict'
import { it } from 'node:test'
import { adviceFor, contentProblem, holdText, reasonText } from './reasons.ts'

it('says why the content of a visited page could not be read', () => {
  assert.equal(contentProblem({ state: 'visited', reason: 'pdf_encrypted' }), 'PDF encrypted')
  assert.equal(contentProblem({ state: 'visited', reason: null }), null)
  assert.equal(contentProblem({ state: 'failed', reason: 'timeout' }), null)
})

it('has a text for every kind of reason', () => {
  assert.equal(reasonText('connect_refused'), 'Connection refused')
  assert.equal(reasonText('http_503'), 'HTTP 503')
  assert.equal(reasonText('redirect_loop'), 'Redirect loop')
  assert.equal(reasonText('robots_unreachable: dns_failed'), 'robots.txt unreachable: DNS lookup failed')
  assert.equal(reasonText('robots_unreachable: http_503'), 'robots.txt unreachable: HTTP 503')
  assert.equal(reasonText('trap:a.test/calendar/N'), 'Trap: a.test/calendar/N')
  assert.equal(reasonText('Disallow: /private_area'), 'Disallow: /private_area')
})

it('shows a hold reason that it does not know as words', () => {
  assert.equal(holdText('too_hot'), 'On hold: too hot.')
})

it('says what to do about certificates and private addresses', () => {
  assert.match(adviceFor('robots_unreachable: tls_untrusted'), /Allow invalid certificates/)
  assert.match(adviceFor('address_blocked'), /unless you allow them/)
  assert.match(adviceFor('dns_failed'), /^Check the start URL/)
})

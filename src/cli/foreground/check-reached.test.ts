import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleLedger } from '../testing/sample-snapshot.ts'
import { checkReached } from './check-reached.ts'

test('a crawl with a visited page, or only redirects, succeeds', () => {
  checkReached(sampleLedger({ visited: 1, not_found: 3, failed: 5 }), { dns_failed: 5 })
  checkReached(sampleLedger({ redirected: 1 }), {})
})

test('a crawl whose start URL responds with an error fails', () => {
  for (const [ledger, text] of [
    [{ not_found: 1 }, '1 URL: not found'],
    [{ http_error: 1 }, '1 URL: HTTP error'],
    [{ redirected: 1, forbidden: 1 }, '2 URLs: redirected, forbidden'],
  ] as const) {
    const message = `No page could be visited (${text}). Check the start URL.`
    assert.throws(() => checkReached(sampleLedger(ledger), {}), { code: 'NOTHING_REACHED', message })
  }
  assert.throws(() => checkReached(sampleLedger({ redirected: 1, failed: 1 }), { dns_failed: 1 }), /1?DNS failed/)
})

test('the message names a few reasons, however many there are', () => {
  const reasons = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`robots_unreachable: reason_${i}`, 1]))
  assert.throws(
    () => checkReached(sampleLedger({ failed: 300 }), { dns_failed: 1, ...reasons }),
    /\(300 URLs: DNS failed, robots unreachable: reason 0,.* 296 more\)/,
  )
})

test('a crawl that robots.txt or a limit excludes completely succeeds', () => {
  const ledger = sampleLedger({ excluded: 2 })
  for (const reason of ['robots line 3: Disallow: /', 'robots_unreachable: http_500', 'max_pages']) {
    checkReached(ledger, { [reason]: 2 })
  }
})

test('a crawl without any response fails with advice', () => {
  const messageFor = (ledger: Parameters<typeof sampleLedger>[0], reasons: Record<string, number>) => {
    try {
      checkReached(sampleLedger(ledger), reasons)
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
    return assert.fail('no error was thrown')
  }
  assert.equal(
    messageFor({ failed: 2 }, { dns_failed: 2 }),
    'Nothing could be reached (2 URLs: DNS failed). Check the address, and whether this machine can reach it; it may need --proxy.',
  )
  assert.match(messageFor({ excluded: 1 }, { 'robots_unreachable: dns_failed': 1 }), /^Nothing could be reached/)
  assert.match(messageFor({ excluded: 1 }, { address_blocked: 1 }), /need --allow-private\.$/)
  assert.match(messageFor({ failed: 1 }, { tls_untrusted: 1 }), /set NODE_EXTRA_CA_CERTS to a PEM file/)
  assert.match(messageFor({ excluded: 1 }, { 'robots_unreachable: tls_expired': 1 }), /anyway, use --insecure\.$/)
  assert.match(messageFor({ failed: 1 }, { hook_timeout: 1 }), /^No page could be visited .* The log says why hooks/)
  assert.match(messageFor({ excluded: 1 }, { port_blocked: 1 }), /The port belongs to another service/)
})

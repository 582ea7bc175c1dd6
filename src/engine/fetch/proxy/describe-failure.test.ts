import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeProxyFailure } from './describe-failure.ts'

it('a failure of a proxy is described in words, or named by its code if it is rare', () => {
  assert.equal(describeProxyFailure('PROXY_ECONNREFUSED'), 'it refuses connections')
  assert.equal(describeProxyFailure('PROXY_AUTH_FAILED'), 'it rejects the user or password')
  assert.equal(describeProxyFailure('PROXY_SOCKS_9'), 'it fails with PROXY_SOCKS_9')
})

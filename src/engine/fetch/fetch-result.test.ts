import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CodedError, classifyFetchError, FETCH_PROBLEMS, type FetchProblem } from './fetch-result.ts'

const CODES: Record<Exclude<FetchProblem, 'unknown_error'>, string[]> = {
  dns_failed: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA', 'ESERVFAIL'],
  connect_refused: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  connect_timeout: ['ETIMEDOUT', 'CONNECT_TIMEOUT'],
  connection_lost: ['ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED', 'CLIENT_CLOSED'],
  headers_timeout: ['HEADERS_TIMEOUT'],
  body_timeout: ['BODY_TIMEOUT'],
  timeout: ['TOTAL_TIMEOUT'],
  lease_lapsed: ['LEASE_LAPSED'],
  too_slow: ['TOO_SLOW'],
  tls_expired: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  tls_wrong_host: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  tls_untrusted: [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_UNTRUSTED',
    'CERT_REVOKED',
  ],
  tls_invalid: ['CERT_SIGNATURE_FAILURE', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_HANDSHAKE_TIMEOUT'],
  http_invalid: ['HTTP_INVALID', 'LENGTH_INVALID', 'STATUS_INVALID', 'INTERIM_FLOOD', 'HTTP2_BREACH'],
  headers_too_large: ['HEADERS_TOO_LARGE'],
  encoding_unsupported: ['ENCODING_UNSUPPORTED'],
  encoding_invalid: ['ENCODING_INVALID'],
  body_too_large: ['BODY_TOO_LARGE'],
  compression_bomb: ['COMPRESSION_BOMB'],
  address_blocked: ['ADDRESS_BLOCKED'],
  proxy_failed: ['PROXY_ECONNREFUSED', 'PROXY_AUTH_FAILED', 'PROXY_SET_ASIDE'],
  proxy_refused: ['PROXY_REFUSED'],
  port_blocked: ['PORT_BLOCKED'],
}

describe('classifyFetchError', () => {
  for (const [problem, codes] of Object.entries(CODES)) {
    it(`returns ${problem} for its codes`, () => {
      for (const code of codes) assert.deepEqual(classifyFetchError(new CodedError(code)), { problem, detail: code })
    })
  }

  it('covers every problem', () => {
    assert.deepEqual(new Set([...Object.keys(CODES), 'unknown_error']), new Set(FETCH_PROBLEMS))
  })

  it('maps an unknown code to unknown_error and keeps it as detail', () => {
    for (const code of ['E_NEW', '']) {
      assert.deepEqual(classifyFetchError(new CodedError(code)), { problem: 'unknown_error', detail: code })
    }
  })

  it('falls back to the cause of an error without a code, then to its name', () => {
    const outer = new Error('fetch failed', { cause: new CodedError('ECONNREFUSED') })
    assert.deepEqual(classifyFetchError(outer), { problem: 'connect_refused', detail: 'ECONNREFUSED' })
    assert.deepEqual(classifyFetchError(new RangeError('?')), { problem: 'unknown_error', detail: 'RangeError' })
    assert.deepEqual(classifyFetchError(Object.assign(new Error('?'), { code: 7 })), {
      problem: 'unknown_error',
      detail: 'Error',
    })
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isTransient, isUnavailable, storeError } from './store-errors.ts'

const URL_TEXT = 'postgres://user:secret@db.test/crawls'

function failure(code: string, message = 'it failed'): Error {
  return Object.assign(new Error(message), { code })
}

it('errors of a failover are transient, and the store is unavailable meanwhile', () => {
  const codes = ['25006', '57014', '57P01', '53200', '58030', '08006', 'ENOTFOUND', 'ENETDOWN', 'ECONNABORTED']
  for (const code of codes)
    assert.deepEqual([isTransient(failure(code)), isUnavailable(failure(code))], [true, true], code)
  assert.equal(isTransient(new AggregateError([failure('ECONNREFUSED'), failure('ENETUNREACH')])), true)
})

it('conflicts do not make the store unavailable', () => {
  for (const code of ['40001', '40P01', '55P03']) {
    assert.deepEqual([isTransient(failure(code)), isUnavailable(failure(code))], [true, false], code)
  }
})

it('defects and full disks are not transient', () => {
  for (const code of ['23505', '42P01', '53100', '28P01']) assert.equal(isTransient(failure(code)), false, code)
})

it('opening errors name the location and the cause, without the password', () => {
  const unknown = storeError(failure('ENOTFOUND', 'getaddrinfo ENOTFOUND db.test'), URL_TEXT)
  assert.equal(unknown.code, 'STORE_AWAY')
  assert.equal(unknown.message, 'Postgres at db.test:5432/crawls cannot be reached: getaddrinfo ENOTFOUND db.test')
  const standby = storeError(failure('25006', 'read-only transaction'), URL_TEXT)
  assert.equal(standby.code, 'STORE_AWAY')
  assert.equal(standby.message, 'Postgres at db.test:5432/crawls is not usable: read-only transaction')
})

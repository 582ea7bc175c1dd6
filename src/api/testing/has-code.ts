import assert from 'node:assert/strict'
import { ApiError } from '../client.ts'

/** Predicate for assert.rejects: an error response of the API with this code. */
export function hasCode(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, code, error.message)
    return true
  }
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError, asAppError, ERRORS, type ErrorCode, EXIT } from './errors.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

describe('every error code', () => {
  it('has a help sentence and a failure exit code', () => {
    for (const code of CODES) {
      assert.match(code, /^[A-Z]+(_[A-Z]+)*$/)
      assert.match(ERRORS[code].help, /^\S.*\.$/)
      assert.ok([EXIT.failed, EXIT.usage].includes(ERRORS[code].exit), code)
      assert.equal(new AppError(code, 'x').exitCode, ERRORS[code].exit)
    }
  })

  it('has its own exit code per kind of outcome', () => {
    assert.equal(new Set(Object.values(EXIT)).size, Object.keys(EXIT).length)
  })
})

describe('asAppError', () => {
  it('returns an AppError unchanged', () => {
    const error = new AppError('DISK_FULL', 'No room.', { cause: new Error('ENOSPC') })
    assert.equal(asAppError(error), error)
  })

  it('converts anything else to INTERNAL with the same message and the cause', () => {
    for (const [thrown, message] of [
      [new TypeError('odd'), 'odd'],
      ['text', 'text'],
      [undefined, 'undefined'],
      [7, '7'],
    ]) {
      const error = asAppError(thrown)
      assert.deepEqual([error.code, error.message, error.cause], ['INTERNAL', message, thrown])
    }
  })
})

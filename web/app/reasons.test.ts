import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readingProblem } from './reasons.ts'

it('a page that was answered and could not be read says what was wrong with it', () => {
  assert.equal(readingProblem({ state: 'visited', reason: 'pdf_encrypted' }), 'PDF encrypted')
  assert.equal(readingProblem({ state: 'visited', reason: null }), null)
  assert.equal(readingProblem({ state: 'failed', reason: 'timeout' }), null)
})

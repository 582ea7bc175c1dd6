import assert from 'node:assert/strict'
import { it } from 'node:test'
import { contentProblem } from './reasons.ts'

it('a page that was answered and could not be read says what was wrong with it', () => {
  assert.equal(contentProblem({ state: 'visited', reason: 'pdf_encrypted' }), 'PDF encrypted')
  assert.equal(contentProblem({ state: 'visited', reason: null }), null)
  assert.equal(contentProblem({ state: 'failed', reason: 'timeout' }), null)
})

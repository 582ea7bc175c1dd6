import assert from 'node:assert/strict'
import { it } from 'node:test'
import { entityTerm, entityTerms } from './entity-terms.ts'

it('a name is found by its words in sequence, whatever their case and accents', () => {
  const terms = new Set(entityTerms([{ kind: 'person', text: 'José  María Aznar' }]))
  const isFound = (text: string) => terms.has(entityTerm({ kind: 'person', text }) ?? '')
  for (const text of ['jose maria aznar', 'AZNAR', 'María Aznar', 'Aznar.']) assert.equal(isFound(text), true, text)
  for (const text of ['José Aznar', 'Josef', 'Aznar José']) assert.equal(isFound(text), false, text)
  assert.equal(terms.has(entityTerm({ kind: 'place', text: 'Aznar' }) ?? ''), false)
})

it('a name without words has no term', () => {
  assert.equal(entityTerm({ kind: 'place', text: ' - ' }), null)
  assert.deepEqual(entityTerms([{ kind: 'place', text: '' }]), [])
})

it('a long name has a bounded number of terms', () => {
  const text = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')
  assert.ok(entityTerms([{ kind: 'organisation', text }]).length < 500)
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { EXPORT_FORMATS } from '../../../src/config/values/export-formats.ts'
import { formatsFor } from './export-formats.ts'

const names = (filter: Record<string, unknown>) => formatsFor(filter).map(({ format }) => format)

it('all formats of the server are offered, and with a filter those that can be filtered', () => {
  assert.deepEqual(names({}).toSorted(), [...EXPORT_FORMATS].toSorted())
  assert.deepEqual(names({ state: ['failed'] }), ['csv', 'jsonl', 'json'])
})

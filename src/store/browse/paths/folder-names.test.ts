import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FolderNames } from './folder-names.ts'

it('a URL below a very long path belongs to the last folder that is short enough', () => {
  const names = new FolderNames()
  const long = 'x'.repeat(600)
  assert.equal(names.get(1, `/docs/${long}`), names.get(1, '/docs'))
  assert.equal(names.get(1, `/docs/${long}/more`), names.get(1, '/docs'))
  assert.notEqual(names.get(1, '/docs/more'), names.get(1, '/docs'))
  assert.equal(names.list.length, 3)
})

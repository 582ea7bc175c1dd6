import assert from 'node:assert/strict'
import { it } from 'node:test'
import { loadEntityFinder } from './entity-finder.ts'

it('finds the people, places and organisations in a text, each once', async () => {
  const find = await loadEntityFinder()
  const found = find('Barack Obama flew to Paris. In Paris, Barack Obama met people from Microsoft.')
  const named = (kind: string) => found.filter((entity) => entity.kind === kind).map(({ text }) => text)
  assert.ok(named('person').includes('Barack Obama'))
  assert.ok(named('place').includes('Paris'))
  assert.ok(named('organisation').includes('Microsoft'))
  assert.equal(new Set(found.map(({ kind, text }) => `${kind} ${text}`)).size, found.length)
})

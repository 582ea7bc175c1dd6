import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { TextGroups } from './text-groups.ts'

it('texts are grouped and counted as a map would', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', '家', '家族', '\u0000'))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3000 }), fc.array(text), (texts, others) => {
      const groups = new TextGroups()
      const known = new Map<string, { group: number; count: number }>()
      for (const added of texts) {
        const entry = known.get(added) ?? { group: known.size, count: 0 }
        known.set(added, { ...entry, count: entry.count + 1 })
        assert.equal(groups.add(added), entry.group)
      }
      assert.equal(groups.size, known.size)
      for (const [added, { group, count }] of known) {
        assert.equal(groups.find(added), group)
        assert.equal(groups.count(group), count)
      }
      for (const other of others) assert.equal(groups.find(other), known.get(other)?.group ?? -1)
    }),
    { numRuns: 50 },
  )
})

it('a hundred thousand similar texts stay apart', () => {
  const groups = new TextGroups()
  for (let i = 0; i < 100_000; i++) groups.add(`https://example.com/products/${i}?page=${i % 7}`)
  assert.equal(groups.size, 100_000)
})

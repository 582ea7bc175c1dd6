import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { ScoreTable } from './score-table.ts'

const smallIds = fc.integer({ min: 1, max: 60 })
const largeIds = fc.integer({ min: 2 ** 32, max: 2 ** 32 + 9 })
const listsOf = (ids: fc.Arbitrary<number>) =>
  fc.array(fc.tuple(fc.uniqueArray(ids), fc.integer({ min: 1, max: 9 }), fc.boolean()), { maxLength: 12 })
/** Ids that fit into the table, and others. */
const lists = fc.oneof(listsOf(smallIds), listsOf(fc.oneof(smallIds, largeIds)))

it('has the documents with the highest sums, best first and then newest first', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 40 }), (all, limit) => {
      const table = new ScoreTable(70, Math.max(0, ...all.flatMap(([ids]) => ids)))
      const sums = new Map<number, number>()
      for (const [ids, score, isPresentOnly] of all) {
        if (isPresentOnly) table.addPresent(ids, score)
        else table.addAll(ids, score)
        for (const id of ids) if (!isPresentOnly || sums.has(id)) sums.set(id, (sums.get(id) ?? 0) + score)
      }
      const expected = [...sums].map(([pageId, score]) => ({ pageId, score }))
      expected.sort((a, b) => b.score - a.score || b.pageId - a.pageId)
      assert.deepEqual(table.highest(limit), expected.slice(0, limit))
      assert.deepEqual([table.size, table.ids().toSorted()], [sums.size, [...sums.keys()].toSorted()])
    }),
  )
})

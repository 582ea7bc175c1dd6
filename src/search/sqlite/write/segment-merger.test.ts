import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { readSchema } from '../open.ts'
import { SegmentMerger } from './segment-merger.ts'

it('merges all segments into one, and again after half of the documents were written', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(readSchema())
  const merger = new SegmentMerger(db)
  const write = (from: number, to: number) => {
    for (let id = from; id < to; id++) {
      db.prepare('insert into terms (rowid, body) values (?, ?)').run(id, `apple word${id}`)
      db.prepare('insert into impacts (rowid, terms) values (?, ?)').run(id, `apple3 word${id}4`)
    }
    db.prepare('update totals set documents = documents + ?').run(to - from)
    merger.add(to - from)
  }
  const segments = () =>
    ['terms', 'impacts'].map((table) =>
      Number(db.prepare(`select count(distinct segid) as n from ${table}_idx`).get()?.['n']),
    )
  const mergeAll = () => {
    while (merger.isDue) merger.step()
  }
  assert.equal(merger.isDue, false)
  write(1, 7)
  assert.deepEqual(segments(), [6, 6])
  mergeAll()
  assert.deepEqual(segments(), [1, 1])
  write(7, 9)
  assert.equal(merger.isDue, false)
  write(9, 13)
  mergeAll()
  assert.deepEqual(segments(), [1, 1])
  const { n } = db.prepare(`select count(*) as n from terms where terms match 'apple'`).get() ?? {}
  assert.equal(n, 12)
  db.close()
})

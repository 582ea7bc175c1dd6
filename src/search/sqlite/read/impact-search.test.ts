import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { impactTerm } from '../../rank/impacts.ts'
import { readSchema } from '../open.ts'
import { findBestByImpact } from './impact-search.ts'

const DOCUMENTS = 20_000

/** A few documents have the rare word in a high tier, all have the common one in a low tier. */
function makeIndex(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(readSchema())
  db.exec('begin')
  const [terms, impacts] = ['terms (rowid, body)', 'impacts (rowid, terms)'].map((into) =>
    db.prepare(`insert into ${into} values (?, ?)`),
  )
  for (let id = 1; id <= DOCUMENTS; id++) {
    const isRare = id % 100 === 0
    terms?.run(id, isRare ? 'rare common' : 'common')
    impacts?.run(id, `${isRare ? `${impactTerm('rare', 12)} ` : ''}${impactTerm('common', id % 2)}`)
  }
  db.prepare('update totals set documents = ?').run(DOCUMENTS)
  db.exec('commit')
  return db
}

const REQUEST = {
  terms: [
    { term: 'rare', weight: 5 },
    { term: 'common', weight: 0.5 },
  ],
  among: null,
  restriction: '',
  documents: DOCUMENTS,
}

it('stops when no unseen document can be among the best, and reads on for more of them', () => {
  const db = makeIndex()
  const request = { ...REQUEST, maxEntries: 120_000, wanted: 100 }
  const stopped = findBestByImpact(db, request)
  assert.equal(stopped.isComplete, false)
  assert.ok(stopped.size < DOCUMENTS)
  const whole = findBestByImpact(db, { ...request, wanted: null })
  assert.equal(whole.isComplete, true)
  assert.equal(whole.size, DOCUMENTS)
  assert.deepEqual(
    new Set(stopped.highest(100).map(({ pageId }) => pageId % 100)),
    new Set(whole.highest(100).map(({ pageId }) => pageId % 100)),
  )
  assert.deepEqual(stopped.highest(1000), whole.highest(1000))
  assert.equal(stopped.ids().length, DOCUMENTS)
  db.close()
})

it('reads a fixed number of entries at most, those of the newest documents', () => {
  const db = makeIndex()
  const read = () => findBestByImpact(db, { ...REQUEST, maxEntries: 1200, wanted: null })
  const { size, isComplete, ids } = read()
  assert.equal(isComplete, false)
  assert.equal(size, 200 + 1000)
  assert.equal(Math.min(...ids().filter((id) => id % 100 !== 0)), DOCUMENTS - 2 * 1000 + 1)
  // The lists that are kept are cut in the same way.
  findBestByImpact(db, { ...REQUEST, maxEntries: 120_000, wanted: null })
  assert.deepEqual(new Set(read().ids()), new Set(ids()))
  db.close()
})

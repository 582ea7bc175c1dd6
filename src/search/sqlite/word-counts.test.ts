import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { openForWriting } from './open.ts'
import { countWords } from './vocabulary.ts'
import { WordCounts } from './word-counts.ts'

it('a new word is there at once, and counts of known ones come later, but come', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-words-'))
  const db = openForWriting(dir)
  t.after(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })
  const words = new WordCounts(db)
  words.add(new Map([['apple', 3]]), 1000)
  words.add(new Map(Object.entries({ apple: 4, pear: 1 })), 1000)
  assert.deepEqual(countWords(db, ['apple', 'pear']), [3, 1])
  words.add(new Map([['pear', 0]]), 1)
  assert.deepEqual(countWords(db, ['apple', 'pear']), [7, 1])
  for (let batch = 0; batch < 20; batch++) words.add(new Map([['pear', 10]]), 1000)
  assert.ok((countWords(db, ['pear'])[0] ?? 0) > 100)
  // Another process counts on.
  new WordCounts(db).add(new Map([['apple', 5]]), 1000)
  assert.deepEqual(countWords(db, ['apple']), [12])
})

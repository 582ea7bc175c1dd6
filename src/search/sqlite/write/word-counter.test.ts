import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { openForWriting } from '../open.ts'
import { suggestWords } from '../read/suggestions.ts'
import { WordCounter } from './word-counter.ts'

it('a new word is written at once, and counts of known words follow later', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-words-'))
  const db = openForWriting(dir)
  t.after(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })
  const words = new WordCounter(db)
  const counts = (...list: string[]) => list.map((word) => suggestWords(db, word, 1)[0]?.count)
  const add = (to: WordCounter, word: string, times: number, isNew = true) => {
    for (let i = 0; i < times; i++) to.add([word], isNew)
  }
  add(words, 'apple', 1)
  add(words, 'apple', 6)
  add(words, 'pear', 1)
  words.finish(1000)
  assert.deepEqual(counts('apple', 'pear'), [1, 1])
  add(words, 'pear', 1, false)
  words.finish(1)
  assert.deepEqual(counts('apple', 'pear'), [7, 1])
  for (let batch = 0; batch < 80; batch++) {
    add(words, 'pear', 10)
    words.finish(1000)
  }
  assert.ok((counts('pear')[0] ?? 0) > 100)
  assert.equal(words.hasUnsaved, false)
  add(words, 'plum', 3)
  words.finish(300)
  assert.deepEqual([counts('plum'), words.hasUnsaved], [[1], true])
  words.save()
  assert.deepEqual([counts('plum'), words.hasUnsaved], [[3], false])
  // Another process continues counting.
  const other = new WordCounter(db)
  add(other, 'apple', 5)
  other.finish(1)
  assert.deepEqual(counts('apple'), [12])
})

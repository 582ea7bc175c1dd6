import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readHoldNote, writeHoldNote } from './hold-note.ts'

test('a note is read back for its crawl alone, until it is taken away', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-note-'))
  t.after(() => rmSync(dir, { recursive: true }))
  assert.equal(readHoldNote(dir, 'a'), null)
  writeHoldNote(dir, 'a', 'max_disk')
  assert.equal(readHoldNote(dir, 'a'), 'max_disk')
  assert.equal(readHoldNote(dir, 'b'), null)
  writeHoldNote(dir, 'a', null)
  writeHoldNote(dir, 'a', null)
  assert.equal(readHoldNote(dir, 'a'), null)
  assert.deepEqual(readdirSync(dir), [])
})

test('a note that cannot be written or taken away keeps nobody from waiting', () => {
  const nowhere = join(tmpdir(), 'orbweaver-no-such-folder')
  writeHoldNote(nowhere, 'a', 'low_disk')
  assert.equal(readHoldNote(nowhere, 'a'), null)
  // A folder in the place of data that is no folder.
  writeHoldNote(import.meta.filename, 'a', 'low_disk')
  writeHoldNote(import.meta.filename, 'a', null)
})

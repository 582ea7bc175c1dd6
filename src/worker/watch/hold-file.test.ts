import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readHoldFile, writeHoldFile } from './hold-file.ts'

test('a note is read back for its crawl alone, until it is taken away', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-note-'))
  t.after(() => rmSync(dir, { recursive: true }))
  assert.equal(readHoldFile(dir, 'a'), null)
  writeHoldFile(dir, 'a', 'max_disk')
  assert.equal(readHoldFile(dir, 'a'), 'max_disk')
  assert.equal(readHoldFile(dir, 'b'), null)
  writeHoldFile(dir, 'a', null)
  writeHoldFile(dir, 'a', null)
  assert.equal(readHoldFile(dir, 'a'), null)
  assert.deepEqual(readdirSync(dir), [])
})

test('a note that cannot be written or taken away keeps nobody from waiting', () => {
  const nowhere = join(tmpdir(), 'orbweaver-no-such-folder')
  writeHoldFile(nowhere, 'a', 'low_disk')
  assert.equal(readHoldFile(nowhere, 'a'), null)
  // A folder in the place of data that is no folder.
  writeHoldFile(import.meta.filename, 'a', 'low_disk')
  writeHoldFile(import.meta.filename, 'a', null)
})

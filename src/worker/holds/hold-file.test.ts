import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readHoldFile, writeHoldFile } from './hold-file.ts'

test('a hold file is read back for its crawl alone, until it is removed', (t) => {
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

test('a hold file that cannot be written or removed is no error', () => {
  const nowhere = join(tmpdir(), 'orbweaver-no-such-folder')
  writeHoldFile(nowhere, 'a', 'low_disk')
  assert.equal(readHoldFile(nowhere, 'a'), null)
  // A file where the data directory should be.
  writeHoldFile(import.meta.filename, 'a', 'low_disk')
  writeHoldFile(import.meta.filename, 'a', null)
})

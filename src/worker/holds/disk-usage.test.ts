import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freeBytes, usedBytes } from './disk-usage.ts'

test('the size of a folder is the sum of its files at any depth, without symbolic links', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-room-'))
  t.after(() => rmSync(dir, { recursive: true }))
  assert.equal(await usedBytes(dir), 0)
  mkdirSync(join(dir, 'archive', 'old'), { recursive: true })
  writeFileSync(join(dir, 'store.db'), Buffer.alloc(1000))
  writeFileSync(join(dir, 'archive', 'old', 'a.warc.gz'), Buffer.alloc(234))
  symlinkSync(join(dir, 'store.db'), join(dir, 'link'))
  symlinkSync(join(dir, 'nowhere'), join(dir, 'broken'))
  assert.equal(await usedBytes(dir), 1234)
})

test('a file system has free space, and a missing folder is an error', async () => {
  assert.ok((await freeBytes(tmpdir())) > 0)
  await assert.rejects(freeBytes(join(tmpdir(), 'no', 'such', 'folder')), { code: 'ENOENT' })
})

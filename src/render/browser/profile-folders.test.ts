import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { createProfile } from './profile-folders.ts'

describe('profiles', () => {
  it('of processes that are gone are removed, others stay', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-profiles-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const { pid: gone } = spawnSync('true')
    const names = [`orbweaver-browser-${gone}-a`, `orbweaver-browser-${process.ppid}-b`, 'orbweaver-browser-x', 'other']
    for (const name of names) mkdirSync(join(folder, name))
    const fresh = basename(createProfile(folder))
    assert.deepEqual(readdirSync(folder).sort(), [...names.slice(1), fresh].sort())
  })
})

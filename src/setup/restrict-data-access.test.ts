import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { loadConfig } from '../config/load-config.ts'
import { SETTING_NAMES } from '../config/schema.ts'
import { restrictDataAccess } from './restrict-data-access.ts'

/** A folder with an archive in it, all of it open to others. */
function openFolder(t: TestContext): { data: string; mode: (name: string) => string } {
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-tighten-'))
  t.after(() => rmSync(data, { recursive: true }))
  mkdirSync(join(data, 'archive'))
  writeFileSync(join(data, 'archive', 'a.warc.gz'), '')
  chmodSync(join(data, 'archive', 'a.warc.gz'), 0o644)
  for (const name of ['archive', '']) chmodSync(join(data, name), 0o755)
  return { data, mode: (name) => (statSync(join(data, name)).mode & 0o777).toString(8) }
}

function tighten(data: string): void {
  const flags = ['--store', 'postgres://a@b/c', '--data', data, '--log-level', 'error']
  restrictDataAccess(loadConfig(flags, {}, SETTING_NAMES).config)
}

describe('the folder of an archive beside a database', () => {
  it('is closed to others, with what is in it', (t) => {
    const { data, mode } = openFolder(t)
    tighten(data)
    assert.deepEqual(['', 'archive', 'archive/a.warc.gz'].map(mode), ['700', '700', '600'])
  })

  it('stays as it is if it holds anything else, and the archive is closed', (t) => {
    const { data, mode } = openFolder(t)
    writeFileSync(join(data, 'index.html'), '')
    chmodSync(join(data, 'index.html'), 0o644)
    tighten(data)
    assert.deepEqual(['', 'index.html', 'archive', 'archive/a.warc.gz'].map(mode), ['755', '644', '700', '600'])
  })
})

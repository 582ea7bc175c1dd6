import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { loadConfig } from '../config/load-config.ts'
import { SETTING_NAMES } from '../config/schema.ts'
import { restrictDataAccess } from './restrict-data-access.ts'

/** A folder with an archive, readable by all users. */
function makeOpenFolder(t: TestContext): { data: string; mode: (name: string) => string } {
  const data = mkdtempSync(join(tmpdir(), 'orbweaver-restrict-'))
  t.after(() => rmSync(data, { recursive: true }))
  mkdirSync(join(data, 'archive'))
  writeFileSync(join(data, 'archive', 'a.warc.gz'), '')
  chmodSync(join(data, 'archive', 'a.warc.gz'), 0o644)
  for (const name of ['archive', '']) chmodSync(join(data, name), 0o755)
  return { data, mode: (name) => (statSync(join(data, name)).mode & 0o777).toString(8) }
}

function restrict(data: string): void {
  const flags = ['--store', 'postgres://a@b/c', '--data', data, '--log-level', 'error']
  restrictDataAccess(loadConfig(flags, {}, SETTING_NAMES).config)
}

describe('the data directory of a database store', () => {
  it('is restricted to its owner, with all its files', (t) => {
    const { data, mode } = makeOpenFolder(t)
    restrict(data)
    assert.deepEqual(['', 'archive', 'archive/a.warc.gz'].map(mode), ['700', '700', '600'])
  })

  it('is unchanged if it contains other files, but the archive is restricted', (t) => {
    const { data, mode } = makeOpenFolder(t)
    writeFileSync(join(data, 'index.html'), '')
    chmodSync(join(data, 'index.html'), 0o644)
    restrict(data)
    assert.deepEqual(['', 'index.html', 'archive', 'archive/a.warc.gz'].map(mode), ['755', '644', '700', '600'])
  })
})

// A data directory is private to its owner, whatever the umask is.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { launcherPath } from '../testing/launcher.ts'
import { makeTemporaryFolder, runProgram, startProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'

// Child processes inherit it.
before(() => void process.umask(0))

/** The mode of the folder and of every file and folder in it. */
function modesOf(dir: string): Map<string, string> {
  const modes = new Map<string, string>()
  for (const name of ['', ...(readdirSync(dir, { recursive: true }) as string[])]) {
    const info = statSync(join(dir, name), { throwIfNoEntry: false })
    if (info !== undefined) modes.set(name, (info.mode & 0o7777).toString(8))
  }
  return modes
}

function assertPrivate(dir: string): string[] {
  const modes = modesOf(dir)
  for (const [name, mode] of modes) {
    const expected = statSync(join(dir, name), { throwIfNoEntry: false })?.isDirectory() ? '700' : '600'
    assert.equal(mode, expected, name)
  }
  return [...modes.keys()]
}

const FLAGS = ['--allow-private', '--delay', '0', '--json']

describe('a data directory', () => {
  it('is closed to other users, with all its files, while a crawl runs and after it', async (t) => {
    let seen: string[] = []
    const data = join(makeTemporaryFolder(t), 'data')
    const site = await servePlainSite(t, (path) => {
      if (path === '/last') seen = assertPrivate(data)
      return path === '/' ? '<a href="/a">a</a>' : '<a href="/last">b</a>'
    })
    const crawl = await startProgram(['crawl', `${site.origin}/`, '--data', data, ...FLAGS]).ended
    assert.equal(crawl.code, 0, crawl.stderr)
    for (const name of ['store.db', 'store.db-wal', 'store.db-shm', 'lock.db', 'owner.pid', 'archive/locks']) {
      assert.ok(seen.includes(name), `${name} is not in ${seen}`)
    }
    assert.ok(seen.some((name) => name.endsWith('.open')) || seen.some((name) => name.includes('.warc.')))
    const indexed = await runProgram(['index', 'run', '--data', data])
    assert.equal(indexed.code, 0, indexed.stderr)
    const left = assertPrivate(data)
    assert.ok(left.includes('search.db'))
    assert.ok(left.some((name) => name.endsWith('.warc.zst')))
  })

  it('that was open to others is closed when it is opened, and the log says so', async (t) => {
    const data = join(makeTemporaryFolder(t), 'data')
    const site = await servePlainSite(t, () => 'page')
    const args = ['crawl', `${site.origin}/`, '--data', data, ...FLAGS]
    assert.equal((await runProgram(args)).stderr.includes('open to other users'), false)
    for (const name of modesOf(data).keys()) {
      const path = join(data, name)
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
    }
    const again = await runProgram(args)
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stderr, /warn: data directory was open to other users dir=\S+ tightened=\d+/)
    assertPrivate(data)
    assert.equal((await runProgram(args)).stderr.includes('open to other users'), false)
  })

  it('does not make exports private', async (t) => {
    const folder = makeTemporaryFolder(t)
    const data = join(folder, 'data')
    const site = await servePlainSite(t, () => 'page')
    await runProgram(['crawl', `${site.origin}/`, '--data', data, ...FLAGS])
    const [id = ''] = (await runInProcess(['crawls', '--data', data, '--json'])).stdout.match(/[0-9a-f-]{36}/) ?? []
    const out = join(folder, 'urls.jsonl')
    assert.equal((await runProgram(['export', id, '--data', data, '--out', out])).code, 0)
    assert.equal((statSync(out).mode & 0o777).toString(8), '666')
  })

  it('is rejected by name if it belongs to another user', async (t) => {
    const asNobody = (args: string[]) => spawnSync(launcherPath, args, { uid: 65_534, encoding: 'utf8' })
    if (process.getuid?.() !== 0 || asNobody(['--version']).status !== 0)
      return t.skip('needs root and a folder that is open to all')
    const data = join(makeTemporaryFolder(t), 'data')
    const site = await servePlainSite(t, () => 'page')
    await runProgram(['crawl', `${site.origin}/`, '--data', data, ...FLAGS])
    const { stderr, status } = asNobody(['crawls', '--data', data])
    assert.match(stderr, /has no access to the data directory/)
    assert.equal(status, 1)
  })
})

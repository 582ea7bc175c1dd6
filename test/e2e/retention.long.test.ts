// Retention with the real program. Tests change the expiry time of pages, because they cannot wait for it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readWithWarcio } from '../../src/archive/testing/read-with-warcio.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { type Program, runProgram, startProgram } from '../testing/program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--ignore-robots', '--cooldown', '0', '--no-traps', '--per-host', '8', '--per-ip', '64']

async function show(args: string[], data: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram([...args, '--data', data])
  assert.equal(code, 0, stdout + stderr)
  return stdout
}

/** Makes pages expire. No process may be using the directory. */
function expirePages(data: string, which: string): number {
  const db = new DatabaseSync(join(data, 'store.db'))
  const { changes } = db.prepare(`update pages set expires_at = 1 where ${which}`).run()
  db.close()
  return Number(changes)
}

function filesOf(data: string): string[] {
  return readdirSync(join(data, 'archive')).filter((name) => name !== 'locks')
}

function diskBytes(data: string): number {
  return filesOf(data).reduce((sum, name) => sum + statSync(join(data, 'archive', name)).size, 0)
}

const HAS_EXPIRY = 'expires_at is not null'

describe('retention', () => {
  it('drops expired versions, and keeps the bytes that others need', async (t) => {
    let round = 1
    const site = await servePlainSite(t, (path) =>
      path === '/' ? `<p>Round ${round}</p><a href="/same">x</a>` : `<p>always the same</p>${'x'.repeat(2000)}`,
    )
    const { data } = await crawlPlainSite(t, site, [...FAST, '--keep', '30'])
    round = 2
    await show(['crawl', `${site.origin}/`, '--allow-private', '--quiet', ...FAST, '--keep', '0'], data)
    assert.equal(await show(['archive', 'expire'], data), 'Nothing in the archive has expired.\n')
    assert.equal(expirePages(data, HAS_EXPIRY), 2)
    assert.match(await show(['archive', 'expire'], data), /^Deleted 2 page versions past their retention time\.\n/)
    assert.match(await show(['history', `${site.origin}/`], data), /^2 .* oldest archived\n$/)
    assert.equal(await show(['page', `${site.origin}/`, '--version', '2', '--text'], data), 'Round 2\nx\n')
    assert.match(await show(['page', `${site.origin}/same`, '--text'], data), /^always the same\nx/)
    const first = await runProgram(['page', `${site.origin}/`, '--version', '1', '--data', data])
    assert.equal(first.stderr, 'orbweaver: There is no version 1 of this page; the archive has versions 2 to 2.\n')
    assert.match(await show(['archive', 'verify'], data), /Every record can be read/)
    assert.equal(expirePages(data, 'true'), 2)
    const freed = JSON.parse(await show(['archive', 'expire', '--json'], data))
    assert.deepEqual([freed.versions_dropped, freed.segments_deleted], [2, 2])
    assert.deepEqual(filesOf(data), [])
  })

  it('runs by itself during a crawl', async (t) => {
    const site = await servePlainSite(t, () => `<p>${randomBytes(8).toString('hex')}</p>`)
    const { data } = await crawlPlainSite(t, site, FAST)
    expirePages(data, HAS_EXPIRY)
    await show(['crawl', `${site.origin}/`, '--allow-private', '--quiet', ...FAST], data)
    assert.match(await show(['history', `${site.origin}/`], data), /^1 .* first version\n$/)
    await show(['archive', 'verify'], data)
  })

  it('verify finds rows that refer to another record, or to none', async (t) => {
    const site = await servePlainSite(t, (path) => (path === '/' ? '<p>one</p><a href="/b">b</a>' : '<p>two</p>'))
    const { data } = await crawlPlainSite(t, site, FAST)
    const db = new DatabaseSync(join(data, 'store.db'))
    db.exec('update contents set (offset, length) = (select c.offset, c.length from contents c where c.id = 2)')
    db.close()
    const swapped = await runProgram(['archive', 'verify', '--data', data])
    assert.equal(swapped.code, 1)
    assert.match(swapped.stdout, /the page \S+ cannot be read back: \S+ at \d+ holds a different payload\.\n$/)
    const [segment = ''] = filesOf(data)
    rmSync(join(data, 'archive', segment))
    const missing = await runProgram(['archive', 'verify', '--data', data])
    assert.equal(missing.code, 1)
    assert.equal(missing.stdout.match(/cannot be read back: Archive error at/g)?.length, 2)
  })

  it('can be killed at any moment, and continues where it was', async (t) => {
    const pages = 400
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return Array.from({ length: pages }, (_, i) => `<a href="/${i}">${i}</a>`).join('')
      return { headers: { 'content-type': 'image/png' }, body: randomBytes(15_000) }
    })
    const { data } = await crawlPlainSite(t, site, [...FAST, '--segment-size', '1m'])
    const before = diskBytes(data)
    const kept = pages + 1 - expirePages(data, 'id % 6 <> 0')
    const random = seededRandom(7).next
    const expire = () => startProgram(['archive', 'expire', '--data', data])
    let kills = 0
    for (let i = 0; i < 12; i++) {
      const program = expire()
      await waitForFirstChange(data, program)
      await sleep(random() * 60)
      program.child.kill('SIGKILL')
      const { signal } = await program.ended
      if (signal === 'SIGKILL') kills += 1
      await show(['archive', 'verify'], data)
    }
    t.diagnostic(`${kills} kills`)
    const last = await expire().ended
    assert.equal(last.code, 0, last.stderr)
    assert.match(await show(['archive', 'verify'], data), /Every record can be read/)
    const records = await readWithWarcio(join(data, 'archive'))
    assert.deepEqual(
      records.flatMap(({ problems }) => problems),
      [],
    )
    const urls = new Set(records.flatMap(({ url }) => url ?? []))
    assert.ok(urls.size >= kept, `${urls.size} of ${kept}`)
    assert.ok(diskBytes(data) < before / 2, `${diskBytes(data)} of ${before}`)
    assert.ok(filesOf(data).every((name) => name.endsWith('.zst')))
  })
})

/** Waits until the archive folder changes or the program ends. */
async function waitForFirstChange(data: string, program: Program): Promise<void> {
  const listFiles = () => filesOf(data).join(' ')
  const before = listFiles()
  await waitUntil(() => program.child.exitCode !== null || listFiles() !== before, { pollMs: 2 })
}

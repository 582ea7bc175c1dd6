import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { migrationFiles } from '../migrations.ts'
import { openStore } from './store.ts'

const FIVE_YEARS_MS = 1826 * 86_400_000
const URL = 'http://a.test/'

/** A directory from before versions could expire: one payload, used by the first and the third of three versions. */
function directoryWithPages(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-old-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const db = new DatabaseSync(join(dir, 'store.db'))
  for (const file of migrationFiles(import.meta.dirname).slice(0, 3)) db.exec(readFileSync(file, 'utf8'))
  const settings = JSON.stringify({ ...TEST_SETTINGS, keepDays: undefined })
  db.prepare(
    `insert into crawls (id, uuid, status, root_url, seeds, settings, key_seed, created_at, visited)
     values (1, 'old', 'completed', '${URL}', '[]', ?, 1, 0, 1)`,
  ).run(settings)
  db.exec(`insert into hosts (id, name) values (1, 'a.test');
    insert into urls (id, crawl, key, host, state, rank, depth, hops, attempts, first_seen_at, url)
      values (1, 1, 11, 1, 4, 1, 0, 0, 1, 0, '${URL}');
    insert into segments (id, name) values (1, 's');
    insert into contents (id, digest, segment, offset, length, url_id, fetched_at)
      values (1, x'01', 1, 0, 10, 1, 100), (2, x'02', 1, 10, 10, 1, 200);
    pragma application_id = ${0x4f726277}; pragma user_version = 3`)
  const page = db.prepare(
    `insert into pages (id, url_id, attempt, url_hash, visited_at, segment, offset, length, content, wire_bytes, changes,
       first_seen_at) values (?, 1, ?, ?, ?, 1, ?, 10, ?, 5, 0, 0)`,
  )
  const hash = urlHash(URL)
  page.run(1, 1, hash, 100, 0, 1)
  page.run(2, 2, hash, 200, 10, 2)
  page.run(3, 3, hash, 300, 20, 1)
  db.close()
  return dir
}

describe('pages from before retention', () => {
  it('have version numbers, and expire five years after their visit', async (t) => {
    const dir = directoryWithPages(t)
    const store = openStore(dir, { clock: new ManualClock(), random: () => 0.5, leaseMs: 1000, create: false })
    t.after(() => store.close())
    assert.equal((await store.crawls.find('old')).settings.keepDays, 1826)
    const numbers = async () => (await store.pages.history(URL)).map(({ version }) => version)
    assert.deepEqual(await numbers(), [1, 2, 3])
    assert.equal(await store.retention.expire(FIVE_YEARS_MS + 199, 10), 1)
    assert.deepEqual(await numbers(), [2, 3])
    assert.equal(await store.retention.sweep(Number.MAX_SAFE_INTEGER, 10), 0)
    assert.equal(await store.retention.expire(FIVE_YEARS_MS + 300, 10), 2)
    assert.equal(await store.retention.sweep(Number.MAX_SAFE_INTEGER, 10), 2)
    assert.deepEqual(await store.retention.listCompactable(['s', 'none']), [
      { segment: 's', deadBytes: 30, isEmpty: true },
    ])
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { hashOf, PAGE_REPORT, visitEach } from '../../ports/contracts/testing/page-visits.ts'
import { StoreHarness } from '../../ports/contracts/testing/store-harness.ts'
import { openStore } from '../sqlite/store.ts'

it('a page whose segment or payload is lost is reported', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-lost-'))
  const clock = new ManualClock()
  const store = openStore(dir, { clock, random: () => 0.5, leaseMs: 1000, create: true })
  t.after(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })
  const reopen = () => assert.fail('nothing crashes here')
  await visitEach(new StoreHarness({ ...store, clock, leaseMs: 1000, reopen }), [
    ['a/1', {}],
    ['a/2', { digest: hashOf(2), position: { segment: 's2', offset: 0, length: 9 } }],
    ['a/3', { digest: hashOf(3), position: null }],
  ])
  const db = new DatabaseSync(join(dir, 'store.db'))
  db.exec(`delete from segments where name = 's2'; delete from contents where digest = x'${hashOf(1)}'`)
  db.close()
  const points = await Array.fromAsync(store.pages.references())
  assert.deepEqual(
    points.map(({ pageId, position }) => [pageId, position]),
    [
      [1, PAGE_REPORT.position],
      [1, null],
      [2, null],
    ],
  )
  const versions = await Promise.all([1, 2, 3].map((id) => store.pages.find(id)))
  assert.deepEqual(
    versions.map((version) => version?.isArchived),
    [true, true, false],
  )
})

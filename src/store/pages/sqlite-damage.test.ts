import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { hashOf, PAGE_REPORT, visitEach } from '../../ports/contracts/testing/page-visits.ts'
import { StoreHarness } from '../../ports/contracts/testing/store-harness.ts'
import { openStore } from '../sqlite/store.ts'
import { markDamagedInDirectory } from './sqlite-damage.ts'

it('damage found by another process is known to the one that owns the store', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-damage-'))
  const clock = new ManualClock()
  const store = openStore(dir, { clock, random: () => 0.5, leaseMs: 1000, create: true })
  t.after(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })
  const storeHarness = new StoreHarness({
    ...store,
    clock,
    leaseMs: 1000,
    reopen: () => assert.fail('nothing crashes here'),
  })
  await visitEach(storeHarness, [['a/1', {}]])
  assert.ok(PAGE_REPORT.position !== null)
  const asked = [{ url: 'http://b.test/', digest: hashOf(1), fingerprint: null }]
  assert.equal((await store.contents.find(asked))[0]?.isDamaged, false)
  assert.equal(markDamagedInDirectory(dir, [PAGE_REPORT.position]), 1)
  assert.equal((await store.contents.find(asked))[0]?.isDamaged, true)
  // The crawl continues.
  await visitEach(storeHarness, [['a/2', { position: { segment: 's2', offset: 3, length: 9 } }]])
  assert.equal((await store.contents.find(asked))[0]?.sameAs?.url, 'http://a.test/2')
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { ManualClock } from '../../lib/manual-clock.ts'
import { HASH, PAGE, visitEach } from '../../ports/pages.bench.ts'
import { Bench } from '../../ports/store.contract.ts'
import { markDamagedIn } from './damage.ts'
import { openStore } from './store.ts'

it('damage that another process meets is known to the one that owns the store', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-damage-'))
  const clock = new ManualClock()
  const store = openStore(dir, { clock, random: () => 0.5, leaseMs: 1000, create: true })
  t.after(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })
  const bench = new Bench({ ...store, clock, leaseMs: 1000, reopen: () => assert.fail('nothing crashes here') })
  await visitEach(bench, [['a/1', {}]])
  assert.ok(PAGE.position !== null)
  const asked = [{ url: 'http://b.test/', digest: HASH(1), fingerprint: null }]
  assert.equal((await store.contents.find(asked))[0]?.isDamaged, false)
  assert.equal(markDamagedIn(dir, [PAGE.position]), 1)
  assert.equal((await store.contents.find(asked))[0]?.isDamaged, true)
  // And it goes on with its work.
  await visitEach(bench, [['a/2', { position: { segment: 's2', offset: 3, length: 9 } }]])
  assert.equal((await store.contents.find(asked))[0]?.sameAs?.url, 'http://a.test/2')
})

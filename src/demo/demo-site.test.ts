import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { DemoSite } from './demo-site.ts'

it('the demo site keeps its port over a restart, and another one takes another port', async (t) => {
  const [one, other] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'orbweaver-demo-'))) as [string, string]
  const sites = [new DemoSite(one), new DemoSite(other), new DemoSite(one)] as const
  t.after(async () => {
    for (const site of sites) await site.close()
    for (const dir of [one, other]) rmSync(dir, { recursive: true })
  })
  const first = await sites[0].start()
  const second = await sites[1].start()
  assert.notEqual(first, second)
  await sites[0].close()
  await sites[2].startIfCrawled([first])
  assert.equal((await fetch(first)).status, 200)
  assert.equal(await sites[2].start(), first)
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { openDatabase } from '../../../sqlite/open.ts'
import { HostRates } from './host-rates.ts'

it('groups of a single host do not stay in memory without bound', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-rates-'))
  const { db, close } = openDatabase(dir, { create: true, readOnly: false })
  t.after(() => {
    close()
    rmSync(dir, { recursive: true })
  })
  const rates = new HostRates(db)
  const [crawl, hostId] = [{ rowId: 1 }, 1]
  const observations = () => rates.read(crawl, hostId, '@feed').groups.get('@feed')?.observations
  assert.equal(observations(), 0)
  db.exec(`insert into revisit_groups (crawl, host, name, observations, weight, log_rates, squared_log_rates)
    values (1, 1, '@feed', 7, 1, 0, 0)`)
  assert.equal(observations(), 0)
  for (let i = 0; i < 50_000; i++) rates.read(crawl, hostId, `/user${i}/ text/html  -`)
  assert.equal(observations(), 7)
})

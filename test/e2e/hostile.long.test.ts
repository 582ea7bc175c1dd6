// Every attack of a hostile server, crawled with the real program: each URL ends as expected, all good pages are
// visited, and memory stays bounded.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { serveHostileSite } from '../sites/hostile/hostile-site.ts'
import { TRUSTED_CERTIFICATES } from '../sites/hostile/tls-hosts.ts'
import { makeTemporaryFolder, parseSummary, startProgram } from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'
import { watchPeakMemory } from './testing/peak-memory.ts'

// Every port of loopback is in scope; slow responses are all requested at the same time.
const FLAGS = [
  '--allow-private',
  '--scope',
  'domain',
  '--delay',
  '0',
  '--per-host',
  '8',
  '--per-ip',
  '64',
  '--no-traps',
  // The bound below is for fetching and parsing; the archive would hold bodies on top.
  '--retries',
  '0',
  '--timeout',
  '20000',
  '--archive',
  'none',
  '--json',
]
/** Makes glibc return large freed blocks to the system at once; otherwise it retains between 20 and 100 MiB. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: String(128 * 1024) }
/**
 * Eight bodies of 10 MiB, as much again that V8 has not collected yet, and the parser: 133 to 166 measured in 2026-11,
 * and over 490 if a compression bomb is inflated.
 */
const MAX_GROWTH_MIB = 260

interface Crawled {
  outcomes: Record<string, string>
  peakMib: number | null
}

async function crawl(t: TestContext, args: string[]): Promise<Crawled> {
  const folder = makeTemporaryFolder(t)
  const data = join(folder, 'data')
  const authorities = join(folder, 'authorities.pem')
  writeFileSync(authorities, TRUSTED_CERTIFICATES)
  const env = { NODE_EXTRA_CA_CERTS: authorities, ...MALLOC }
  const program = startProgram(['crawl', ...args, '--data', data, ...FLAGS], { env })
  const peak = watchPeakMemory(program.child)
  const programResult = await program.ended
  assert.equal(programResult.code, 0, programResult.stderr)
  const rows = await exportRows(data, parseSummary(programResult).crawl_id)
  const outcomes = rows.map(({ url, state, reason }) => [url, reason === null ? state : `${state} ${reason}`])
  return { outcomes: Object.fromEntries(outcomes), peakMib: peak() }
}

describe('a hostile site', { timeout: 120_000 }, () => {
  it('ends every URL as expected, and costs bounded memory', async (t) => {
    const site = await serveHostileSite()
    t.after(() => site.close())
    const good = await crawl(t, [site.home, '--include', '/(good/\\d+)?$'])
    assert.deepEqual(Object.keys(good.outcomes).sort(), site.goodUrls.toSorted())

    const startedAt = performance.now()
    const all = await crawl(t, [site.home, ...site.otherSeeds])
    t.diagnostic(`${Object.keys(all.outcomes).length} URLs in ${Math.round((performance.now() - startedAt) / 1000)} s`)
    assert.deepEqual(
      Object.fromEntries(Object.entries(all.outcomes).sort()),
      Object.fromEntries([...site.expected].sort()),
    )

    if (good.peakMib === null || all.peakMib === null) return t.diagnostic('this system does not report peak memory')
    const grownMib = all.peakMib - good.peakMib
    t.diagnostic(`peak memory ${Math.round(all.peakMib)} MiB, ${Math.round(grownMib)} more than for the good pages`)
    assert.ok(grownMib < MAX_GROWTH_MIB, `${grownMib} MiB`)
  })
})

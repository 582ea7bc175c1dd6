// URLs named only by scripts: they are pages of the crawl, and marked as such until a page links to them.

import assert from 'node:assert/strict'
import type { FoundUrl } from '../visits.ts'
import { describeStore, foundUrl, only, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const scripted = (name: string): FoundUrl => ({ ...foundUrl(name), isFromScript: true })

/** Visits the seeds in order, one commit each: what each of them finds. Returns the URLs that only scripts name. */
async function visitSeeds(storeHarness: StoreHarness, pages: Record<string, FoundUrl[]>, isOneCommit: boolean) {
  await storeHarness.start(Object.keys(pages), { scriptUrls: true })
  const lease = only((await storeHarness.lease()).leases)
  const reports = Object.keys(pages).map((name) => {
    const url = lease.urls.find((one) => one.url === foundUrl(name).url)
    assert.ok(url !== undefined)
    const found = pages[name] ?? []
    return { ...storeHarness.visitedReport(lease, url), found, linkCount: found.length }
  })
  if (isOneCommit) await storeHarness.commit(reports)
  else for (const report of reports) await storeHarness.commit([report])
  await storeHarness.commit([], { release: [lease.token] })
  return namedByScripts(storeHarness)
}

async function namedByScripts(storeHarness: StoreHarness): Promise<string[]> {
  const rows = await storeHarness.rows()
  return rows.filter(({ isFromScript }) => isFromScript).map(({ url }) => url.replace('http://a.test/', 'a/'))
}

export function scriptUrlsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: URLs that scripts name`, makeStore, (add) => {
    for (const isOneCommit of [true, false]) {
      const when = isOneCommit ? 'in one commit' : 'in several commits'
      add(`a link counts more than the name in a script, in any order, ${when}`, async (storeHarness) => {
        const link = [foundUrl('a/x'), scripted('a/y')]
        const script = [scripted('a/x'), scripted('a/y'), scripted('a/z')]
        const linkFirst = await visitSeeds(storeHarness, { 'a/1': link, 'a/2': script }, isOneCommit)
        assert.deepEqual(linkFirst.toSorted(), ['a/y', 'a/z'])
        const scriptFirst = await visitSeeds(storeHarness, { 'a/1': script, 'a/2': link }, isOneCommit)
        assert.deepEqual(scriptFirst.toSorted(), ['a/y', 'a/z'])
      })

      add(`a requisite that a script names is a page, ${when}`, async (storeHarness) => {
        const requisite = [{ ...foundUrl('a/x'), kind: 'requisite' as const }]
        const script = [scripted('a/x')]
        for (const pages of [
          { 'a/1': requisite, 'a/2': script },
          { 'a/1': script, 'a/2': requisite },
        ]) {
          assert.deepEqual(await visitSeeds(storeHarness, pages, isOneCommit), ['a/x'])
          const rows = await storeHarness.rows()
          assert.equal(rows.find(({ url }) => url === 'http://a.test/x')?.kind, 'page')
        }
      })
    }
  })
}

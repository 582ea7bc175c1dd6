// Keeps the two newest crawls of every site, reports what differs between them, visits failed URLs again, indexes all
// pages, and deletes expired ones from the archive: node maintain-store.mjs

import { openStore, resumeCrawl } from 'orbweaver'

const store = await openStore()
for (const [site, crawls] of Map.groupBy(await store.crawls(), ({ startUrl }) => startUrl)) {
  const [newest, before, ...older] = crawls.filter(({ status }) => status === 'completed')
  for (const crawl of older) await crawl.delete()
  if (newest === undefined) continue
  const { isSound } = await newest.verify()
  console.log(`${site}: ${newest.visitedPages} pages, ${isSound ? 'sound' : 'damaged'}, ${older.length} deleted`)
  if (before !== undefined) {
    const { added, removed, changed } = await before.compareWith(newest.crawlId)
    console.log(`  ${added} added, ${removed} removed, ${changed} changed`)
  }
  for await (const { host, requests, smallestGapMs } of newest.politeness())
    console.log(`  ${host}: ${requests} requests, at least ${smallestGapMs ?? '-'} ms apart`)
  // A crawl that ended for a reason, such as maxPages, cannot go on.
  const hasFailed = newest.reason === null && (await newest.retry('failed')) > 0
  if (hasFailed) await resumeCrawl(newest.crawlId).run()
}
await store.index.run()
console.log(`${(await store.index.status()).documents} documents`)
const { versions } = await store.archive.expire()
const { problems } = await store.archive.verify()
console.log(`${versions} expired, ${problems.length} problems in the archive`)
await store.close()

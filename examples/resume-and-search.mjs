// Continues the newest crawl of a data directory if it is not complete, then indexes and searches its pages:
// node resume-and-search.mjs "apple trees"

import { openStore, resumeCrawl } from 'orbweaver'

const [query = 'apple trees'] = process.argv.slice(2)
const store = await openStore()
const [newest] = await store.crawls()
if (newest?.status === 'paused') {
  const { urls } = await resumeCrawl(newest.crawlId).run()
  console.log(`visited ${urls.visited}`)
}
await store.index.run()
for (const { title, url, snippet } of (await store.search(query)).hits) console.log(`${title}\n  ${url}\n  ${snippet}`)
await store.close()

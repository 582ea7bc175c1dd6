// Crawls a site, then reports on it: every page as Markdown, broken links, why a URL was not visited, and all URLs as a
// table: node report-crawl.mjs https://example.com

import { writeFile } from 'node:fs/promises'
import { crawl, openStore } from 'orbweaver'

const [start = 'https://example.com'] = process.argv.slice(2)
const { crawlId } = await crawl(start, { maxPages: 50 }).run()
const store = await openStore()
const stored = await store.crawl(crawlId)
for await (const page of stored.pages()) console.log(`${await page.markdown()}\n---`)

const { rules } = await stored.audit()
for (const { title, count, findings } of rules.filter(({ count }) => count)) {
  console.log(`${title}: ${count}`)
  for (const { url, detail } of findings.slice(0, 3)) console.log(`  ${url} ${detail}`)
}
console.log((await stored.explain(new URL('/never-linked', start).href)).answer)
await writeFile('crawl.csv', stored.export('csv'))
await store.close()

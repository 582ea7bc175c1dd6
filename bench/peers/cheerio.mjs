// Crawlee's CheerioCrawler as its guide shows it, everything in memory.

import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio'

const [seed] = process.argv.slice(2)
let pages = 0

log.setLevel(log.LEVELS.ERROR)
const crawler = new CheerioCrawler(
  {
    minConcurrency: 32,
    maxConcurrency: 32,
    maxRequestRetries: 0,
    useSessionPool: false,
    persistCookiesPerSession: false,
    async requestHandler({ enqueueLinks }) {
      pages++
      await enqueueLinks()
    },
  },
  new Configuration({ persistStorage: false }),
)
await crawler.run([seed])
console.log(JSON.stringify({ pages }))
process.exit(0)

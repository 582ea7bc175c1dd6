// Crawlee's BasicCrawler at its leanest: undici and a regular expression in place of its own client and parser,
// everything in memory.

import { BasicCrawler, Configuration, log } from '@crawlee/basic'
import { Pool } from 'undici'

const [seed] = process.argv.slice(2)
const pool = new Pool(new URL(seed).origin, { connections: 32 })
let pages = 0

log.setLevel(log.LEVELS.ERROR)
const crawler = new BasicCrawler(
  {
    minConcurrency: 32,
    maxConcurrency: 32,
    maxRequestRetries: 0,
    useSessionPool: false,
    async requestHandler({ request }) {
      const { body } = await pool.request({ path: new URL(request.url).pathname, method: 'GET' })
      const html = await body.text()
      pages++
      const links = new Set()
      for (const [, href] of html.matchAll(/<a\s[^>]*href="([^"#]+)/g)) links.add(new URL(href, request.url).href)
      await crawler.addRequests([...links])
    },
  },
  new Configuration({ persistStorage: false }),
)
await crawler.run([seed])
console.log(JSON.stringify({ pages }))
process.exit(0)

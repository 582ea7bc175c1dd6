// Crawlee's PlaywrightCrawler as its guide shows it, waiting until the network is idle, since the content comes by script.

import { Configuration, log, PlaywrightCrawler } from '@crawlee/playwright'
import { chromium } from 'playwright-core'

const [seed, executablePath, concurrency] = process.argv.slice(2)
let pages = 0

log.setLevel(log.LEVELS.ERROR)
const crawler = new PlaywrightCrawler(
  {
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    maxRequestRetries: 0,
    useSessionPool: false,
    persistCookiesPerSession: false,
    launchContext: {
      launcher: chromium,
      launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu', '--single-process=false'] },
    },
    async requestHandler({ page, enqueueLinks }) {
      await page.waitForLoadState('networkidle')
      pages++
      await enqueueLinks()
    },
  },
  new Configuration({ persistStorage: false }),
)
await crawler.run([seed])
console.log(JSON.stringify({ pages }))
process.exit(0)

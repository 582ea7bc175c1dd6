// Crawls a site without its print views and prints every page: node list-pages.mjs example.com

import { crawl } from 'orbweaver'

const [url = 'example.com'] = process.argv.slice(2)
const hooks = { shouldFollow: (link) => !link.url.includes('print=') }

for await (const page of crawl(url, { maxPages: 100 }, hooks)) {
  console.log(page.status, page.url, page.title ?? '')
}

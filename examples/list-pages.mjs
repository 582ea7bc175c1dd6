// Crawls a site and prints every page: node list-pages.mjs example.com

import { crawl } from 'orbweaver'

const [url = 'example.com'] = process.argv.slice(2)

for await (const page of crawl(url, { maxPages: 100 })) {
  console.log(page.status, page.url, page.title ?? '')
}

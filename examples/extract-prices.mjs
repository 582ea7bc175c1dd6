// Takes a value out of every page and writes it as JSON lines: node extract-prices.mjs http://127.0.0.1:8000/shop/

import { crawl } from 'orbweaver'

const [url = 'example.com'] = process.argv.slice(2)

for await (const page of crawl(url, { scope: 'prefix', exclude: ['\\?sort='], maxPages: 1000 })) {
  if (page.status !== 200 || !page.isArchived) continue
  const { text } = await page.read()
  const [, price] = /Price: (\d+\.\d\d)/.exec(text) ?? []
  if (price !== undefined) console.log(JSON.stringify({ url: page.url, title: page.title, price: Number(price) }))
}

// Takes a value out of every page by a CSS selector and writes it as JSON lines: node extract-prices.mjs http://127.0.0.1:8000/shop/

import { crawl } from 'orbweaver'

const [url = 'example.com'] = process.argv.slice(2)
const extract = [{ name: 'price', selector: '.price', type: 'number' }]

for await (const page of crawl(url, { scope: 'prefix', exclude: ['\\?sort='], maxPages: 1000, extract })) {
  const { price } = (await page.data())?.fields ?? {}
  if (price != null) console.log(JSON.stringify({ url: page.url, title: page.title, price }))
}

// Hooks that decide and extract while the site is crawled: node decide-and-extract.mjs http://127.0.0.1:8000/

import { crawl } from 'orbweaver'

const [url = 'example.com'] = process.argv.slice(2)
const hooks = {
  onRequest: (request) => request.depth < 10 && !request.url.includes('/private/'),
  extract: ({ html }) => ({ words: html.replace(/<[^>]*>/g, ' ').split(/\s+/).length }),
}

for await (const page of crawl(url, { maxPages: 100 }, hooks)) {
  const { fields } = (await page.data()) ?? { fields: null }
  console.log(JSON.stringify({ url: page.url, words: fields?.words ?? null }))
}

// Rendered pages in the web app: the result of their scripts, their screenshots, and differences between two.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readWithWarcio } from '../../src/archive/testing/read-with-warcio.ts'
import { readZipEntries } from '../../src/engine/export/wacz/testing/read-zip-entries.ts'
import { packagedBrowser } from '../../src/render/testing/test-pool.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, runCrawlToEnd } from './testing/app-session.ts'
import { navigateTo, waitUntil } from './testing/browser.ts'

let word = 'first'
const server = createServer((request, response) => {
  const isPage = request.url === '/'
  response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
  response.end(
    isPage
      ? `<!doctype html><title>App</title><body style="margin:0"><div id=root></div><script>
          root.innerHTML = '<h1>Rendered ${word}</h1><div style="width:300px;height:300px;background:${word === 'first' ? 'red' : 'blue'}">'
        </script>`
      : '',
  )
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const { app, page, pageErrors } = await openAppSession(
  { after },
  { flags: ['--browser', (await packagedBrowser()).path] },
)
const settings = { render: 'all', screenshots: true }
await runCrawlToEnd(app, { url, settings })
word = 'second'
const crawl_id = await runCrawlToEnd(app, { url, settings })
const drawer = page.getByRole('dialog')

test('DOM and screenshot are archived behind the response', async () => {
  const records = await readWithWarcio(join(app.data, 'archive'))
  assert.deepEqual(
    records.flatMap(({ problems }) => problems),
    [],
  )
  const ofPage = records.filter((record) => record.url?.endsWith(url) === true)
  assert.deepEqual(
    ofPage.map(({ type }) => type),
    ['response', 'conversion', 'resource', 'response', 'conversion', 'resource'],
  )
  assert.match(ofPage[1]?.block.toString() ?? '', /<h1>Rendered first<\/h1>/)
  assert.equal(ofPage[5]?.block.toString('latin1', 8, 12), 'WEBP')
})

test('a WACZ file has the screenshot in its index', async () => {
  const exported = await app.client.exportCrawl({ params: { crawl_id }, query: { format: 'wacz' } })
  const entries = readZipEntries(Buffer.from(await exported.arrayBuffer()))
  const file = (path: string) => entries.find((entry) => entry.path === path)?.bytes ?? assert.fail(path)
  const index = gunzipSync(file('indexes/index.cdx.gz')).toString().trimEnd().split('\n')
  const line = index.find((one) => one.startsWith(`urn:view:${url} `)) ?? assert.fail(index.join('\n'))
  const { offset, length, mime } = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>
  assert.equal(mime, 'image/webp')
  const warc = file(`archive/${crawl_id}.warc.gz`)
  const record = gunzipSync(warc.subarray(Number(offset), Number(offset) + Number(length))).toString('latin1')
  assert.match(record, /^WARC\/1\.1\r\nWARC-Type: resource\r\n[\s\S]*\r\n\r\nRIFF/)
})

test('the details of a URL show the screenshot of a version, and what differs from another', async () => {
  const { items } = await app.client.listUrls({ params: { crawl_id }, query: { depth: 0 } })
  await navigateTo(page, `/crawls/${crawl_id}/urls?url=${items[0]?.url_id}`)
  await drawer.getByRole('tab', { name: 'Screenshot' }).click()
  await drawer.getByAltText(/^Screenshot of version 2/).waitFor()
  await drawer.getByRole('tab', { name: 'Changes' }).click()
  const result = drawer.getByText(/% of the pixels differ$/)
  await result.waitFor()
  const share = Number.parseFloat((await result.textContent()) ?? '')
  // The square alone is 90,000 pixels.
  assert.ok(share > 1 && share < 50, String(share))
  await checkAccessibility(page, () => result.waitFor())
})

test('an archived page shows what its scripts had made of it', async () => {
  await drawer.getByRole('link', { name: 'View page before' }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Rendered first' }).waitFor()
  await page.getByLabel('Version').selectOption({ index: 1 })
  await frame.getByRole('heading', { name: 'Rendered second' }).waitFor()
  await waitUntil(page, async () => page.frames().length === 2)
  assert.deepEqual(pageErrors, [])
})

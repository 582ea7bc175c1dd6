import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'

const { app, page, pageErrors } = await openAppSession({ after })

/** An origin on which nothing listens. */
async function unusedOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

test('the new crawl form offers the sample site until a URL is entered', async () => {
  await navigateTo(page, '/new')
  const sampleButton = page.getByRole('button', { name: 'Crawl sample site' })
  await sampleButton.waitFor()
  await page.getByLabel('Start URL', { exact: true }).fill('https://example.com')
  await sampleButton.waitFor({ state: 'detached' })
})

test('sizes and times in the form have units', async () => {
  await page.locator('summary', { hasText: 'Limits' }).getByText('Max body size: 10 MB').waitFor()
  await page.locator('summary', { hasText: 'Limits' }).getByText('Request timeout: 60 s').waitFor()
})

test('the retention is shown in years', async () => {
  await page.locator('summary', { hasText: 'Archive' }).getByText('Retention: 5 years').waitFor()
})

test('the size of a site is estimated from its sitemap without fetching pages', async (t) => {
  const entries = Array.from({ length: 40 }, (_, i) => `/page/${i}`)
  const site = await servePlainSite(t, (path) => {
    if (path === '/robots.txt') return { headers: { 'content-type': 'text/plain' }, body: 'Sitemap: /sitemap.xml' }
    if (path !== '/sitemap.xml') return null
    const urls = entries.map((entry) => `<url><loc>${site.origin}${entry}</loc></url>`).join('')
    return { headers: { 'content-type': 'application/xml' }, body: `<urlset>${urls}</urlset>` }
  })
  const estimate = page.getByRole('button', { name: 'Estimate size' })
  await page.getByLabel('Start URL', { exact: true }).fill(site.origin)
  await page.locator('summary', { hasText: 'Network' }).click()
  await page.getByRole('switch', { name: 'Allow private addresses' }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
  await estimate.click()
  await page.getByText('40 URLs in 1 sitemap.', { exact: true }).waitFor()
  assert.deepEqual(
    site.paths().filter((path) => path.startsWith('/page/')),
    [],
  )
})

test('the tooltip of the theme button is inside the window', async () => {
  await page.getByRole('button', { name: /^Theme:/ }).hover()
  const box = await page.getByText(/^Theme:/).boundingBox()
  assert.ok(box !== null && box.x >= 0, JSON.stringify(box))
})

test('the list and the overview say why a crawl reached nothing', async () => {
  const settings = { retries: 0, host_patience: 0 }
  const crawlId = await startCrawl(app, { url: await unusedOrigin(), settings })
  await navigateTo(page, `/crawls/${crawlId}`)
  await page.locator('header').getByText('Completed, nothing reached', { exact: true }).waitFor()
  const why = page
    .getByRole('status')
    .filter({ hasText: /^Completed, nothing reached: .*connection refused.*Check the/ })
  await checkAccessibility(page, () => why.waitFor())
  await navigateTo(page, '/')
  const row = page.getByRole('row', { name: 'Completed, nothing reached' })
  await row.getByText(/^Reason: .*connection refused/).waitFor()
})

test('a list without matches offers the sample site', async () => {
  await navigateTo(page, '/?text=nowhere')
  await page.getByRole('button', { name: 'Crawl sample site' }).waitFor()
})

test('the page logged no errors', () => assert.deepEqual(pageErrors, []))

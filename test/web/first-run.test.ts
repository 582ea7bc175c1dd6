import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'

const { app, page, complaints } = await openAppSession({ after })

/** Where nobody listens. */
async function silentOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

test('the sample site is offered on the form of a new crawl, until an address is given', async () => {
  await navigateTo(page, '/new')
  const offer = page.getByRole('button', { name: 'or crawl the sample site' })
  await offer.waitFor()
  await page.getByLabel('Start url', { exact: true }).fill('https://example.com')
  await offer.waitFor({ state: 'detached' })
})

test('sizes in the form are round, and times have their unit', async () => {
  await page.locator('summary', { hasText: 'Limits' }).getByText('max body 10 MB').waitFor()
  await page.locator('summary', { hasText: 'Limits' }).getByText('timeout 60 s').waitFor()
})

test('the size of a site is estimated from its sitemap before anything is crawled', async (t) => {
  const entries = Array.from({ length: 40 }, (_, i) => `/page/${i}`)
  const site = await servePlainSite(t, (path) => {
    if (path === '/robots.txt') return { headers: { 'content-type': 'text/plain' }, body: 'Sitemap: /sitemap.xml' }
    if (path !== '/sitemap.xml') return null
    const urls = entries.map((entry) => `<url><loc>${site.origin}${entry}</loc></url>`).join('')
    return { headers: { 'content-type': 'application/xml' }, body: `<urlset>${urls}</urlset>` }
  })
  const estimate = page.getByRole('button', { name: 'Estimate the size' })
  await page.getByLabel('Start url', { exact: true }).fill(site.origin)
  await page.locator('summary', { hasText: 'Network' }).click()
  await page.getByRole('switch', { name: 'Allow private' }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
  await estimate.click()
  await page.getByText('The site lists 40 urls in 1 sitemap.').waitFor()
  assert.deepEqual(
    site.paths().filter((path) => path.startsWith('/page/')),
    [],
  )
})

test('the hint of the theme button is inside the window', async () => {
  await page.getByRole('button', { name: /^Theme:/ }).hover()
  const box = await page.getByText(/^Theme:/).boundingBox()
  assert.ok(box !== null && box.x >= 0, JSON.stringify(box))
})

test('a crawl that reached nothing says so and why, in the list and beside its figures', async () => {
  const settings = { retries: 0, host_patience: 0 }
  const crawlId = await startCrawl(app, { url: await silentOrigin(), settings })
  await navigateTo(page, `/crawls/${crawlId}`)
  await page.locator('header').getByText('Completed, nothing reached', { exact: true }).waitFor()
  const why = page.getByRole('status').filter({ hasText: /^Completed, nothing reached: .*connect refused.*Check the/ })
  await checkAccessibility(page, () => why.waitFor())
  await navigateTo(page, '/')
  const row = page.getByRole('row', { name: 'Completed, nothing reached' })
  await row.getByText(/^Reason: .*connect refused/).waitFor()
})

test('a list that a filter left empty offers the sample site', async () => {
  await navigateTo(page, '/?text=nowhere')
  await page.getByRole('button', { name: 'Crawl the sample site' }).waitFor()
})

test('the page complained of nothing', () => assert.deepEqual(complaints, []))

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

const startUrl = page.getByLabel('Start URL', { exact: true })
const summary = page.getByRole('region', { name: 'What will happen' })
const moreSettings = page.locator('summary', { hasText: 'More settings' })

test('the first scene is the form for a new crawl, with the sample site', async () => {
  await startUrl.waitFor()
  await page.getByRole('button', { name: 'Crawl sample site' }).waitFor()
})

test('the new crawl form offers the sample site until a URL is entered', async () => {
  await navigateTo(page, '/new')
  const sampleButton = page.getByRole('button', { name: 'Crawl sample site' })
  await sampleButton.waitFor()
  await startUrl.fill('example.com/docs/intro')
  await sampleButton.waitFor({ state: 'detached' })
})

test('a preset changes what the form says will happen', async () => {
  await summary.getByText('Visits all pages of example.com.').waitFor()
  await page.getByRole('radio', { name: /^This section/ }).check({ force: true })
  await summary.getByText('Visits all pages below example.com/docs/.').waitFor()
  await page.getByRole('radio', { name: /^Quick look/ }).check({ force: true })
  await summary.getByText('Stops after 100 pages.').waitFor()
  await moreSettings.getByText('1 not default').waitFor()
})

test('sizes and times in the form have units', async () => {
  await moreSettings.click()
  await page.locator('summary', { hasText: 'Limits' }).getByText('Max body size: 10 MB').waitFor()
  await page.locator('summary', { hasText: 'Limits' }).getByText('Request timeout: 60 s').waitFor()
})

test('the retention is shown in years', async () => {
  await page.locator('summary', { hasText: 'Archive' }).getByText('Retention: 5 years').waitFor()
})

test('settings are found by a word, and changed ones are marked and can be reset', async () => {
  await page.getByRole('button', { name: /^Not default/ }).click()
  assert.equal(await page.getByRole('textbox', { name: 'Max pages' }).inputValue(), '100')
  await page.getByRole('button', { name: 'Reset Max pages' }).click()
  await page.getByText('All settings are at their defaults.').waitFor()
  assert.ok(await page.getByRole('radio', { name: /^Whole site/ }).isChecked())
  await page.getByRole('button', { name: /^Not default/ }).click()
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('robots.txt sitemaps')
  await page.getByRole('switch', { name: 'Sitemaps' }).waitFor()
  assert.equal(await page.getByLabel('Max depth').count(), 0)
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('')
})

test('a mistyped URL comes with a suggestion', async () => {
  await startUrl.fill('htp://example.com')
  await page.getByRole('button', { name: 'Use http://example.com', exact: true }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
  assert.equal(await startUrl.inputValue(), 'http://example.com')
})

test('the size and the time are estimated from the sitemap without fetching pages, after the address is allowed', async (t) => {
  const entries = Array.from({ length: 40 }, (_, i) => `/page/${i}`)
  const site = await servePlainSite(t, (path) => {
    if (path === '/robots.txt') return { headers: { 'content-type': 'text/plain' }, body: 'Sitemap: /sitemap.xml' }
    if (path !== '/sitemap.xml') return null
    const urls = entries.map((entry) => `<url><loc>${site.origin}${entry}</loc></url>`).join('')
    return { headers: { 'content-type': 'application/xml' }, body: `<urlset>${urls}</urlset>` }
  })
  await startUrl.fill(site.origin)
  const allow = page.getByRole('button', { name: 'Allow 127.0.0.1' })
  await checkAccessibility(page, () => allow.waitFor())
  await allow.click()
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Estimate size' }).click()
  await page.getByText(/^40 URLs in 1 sitemap\. About \d+(\.\d)? \w+ at the pace of the site\.$/).waitFor()
  assert.deepEqual(
    site.paths().filter((path) => path.startsWith('/page/')),
    [],
  )
})

test('Enter starts the crawl, which can be run again with its settings filled in', async (t) => {
  const site = await servePlainSite(t, () => '<title>One page</title>')
  await navigateTo(page, '/new?allow=127.0.0.1')
  await startUrl.fill(site.origin)
  await startUrl.press('Enter')
  await page.locator('header').getByText('Completed', { exact: true }).waitFor()
  const crawlId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await navigateTo(page, `/new?from=${crawlId}`)
  await moreSettings.getByText('1 not default').waitFor()
  assert.equal(await startUrl.inputValue(), `${site.origin}/`)
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Start crawl' }).click()
  await page.locator('header').getByText('Completed', { exact: true }).waitFor()
  assert.ok(!page.url().endsWith(crawlId))
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

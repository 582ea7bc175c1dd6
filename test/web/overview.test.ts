import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, runCrawlToEnd, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'
import { serveGatedSite } from './testing/gated-site.ts'

const { app, page, pageErrors } = await openAppSession({ after }, { flags: ['--grace', '500'] })
const header = page.locator('header')

test('a crawl with a page limit shows its progress towards the limit, and what the limit left out', async (t) => {
  const site = await serveGatedSite(t, { pages: 30, open: 12 })
  const crawlId = await startCrawl(app, { url: site.origin, settings: { per_host: 4, max_pages: 20 } })
  await navigateTo(page, `/crawls/${crawlId}`)
  await header.getByText('12 of 20 pages').waitFor()
  await page.locator('dl').getByText('12 of 20 pages').waitFor()
  site.release()
  await header.getByText('20 of 20 pages').waitFor()
  await page.getByRole('link', { name: /^Not visited: page limit \d+/ }).waitFor()
  await page.getByRole('link', { name: 'Excluded 0' }).waitFor()
  await navigateTo(page, `/crawls/${crawlId}/urls`)
  await page.getByRole('button', { name: /^Not visited: page limit \d+/ }).click()
  await page.getByRole('row').getByText('Not visited: page limit').first().waitFor()
  await navigateTo(page, '/')
  await page.getByRole('img', { name: '20 of 20 pages' }).waitFor()
})

test('a finished crawl has its duration and rate, and can be searched, exported and run again with changes', async (t) => {
  const site = await servePlainSite(t, () => '<title>One page</title>')
  const crawlId = await runCrawlToEnd(app, { url: site.origin })
  await navigateTo(page, `/crawls/${crawlId}`)
  await page.getByText('Average rate').waitFor()
  await page.getByText(/^[\d.]+ pages\/s$/).waitFor()
  await checkAccessibility(page, () => page.getByRole('button', { name: 'Export' }).waitFor())
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('link', { name: 'CSV', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  const search = page.getByRole('link', { name: 'Search these pages' })
  assert.equal(await search.getAttribute('href'), `/find?crawl=${crawlId}`)
  await page.getByRole('link', { name: 'Run again with changes' }).click()
  await page.getByRole('heading', { name: 'Run again with changes' }).waitFor()
})

test('the overview names a start URL that failed', async (t) => {
  const site = await servePlainSite(t, (path) =>
    path === '/broken' ? { status: 500, headers: { 'content-type': 'text/plain' }, body: '' } : '<title>Home</title>',
  )
  const urls = [`${site.origin}/`, `${site.origin}/broken`]
  const crawlId = await runCrawlToEnd(app, { urls, settings: { retries: 0 } })
  await navigateTo(page, `/crawls/${crawlId}`)
  await page.getByText(/^The start URL .*\/broken was not visited: HTTP 500\.$/i).waitFor()
})

test('a site that stops answering is shown as such, not as politeness', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    if (request.url !== '/') return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="/a">a</a> <a href="/b">b</a>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  const settings = { cooldown: 60_000, retries: 5 }
  const crawlId = await startCrawl(app, { url: `http://127.0.0.1:${port}`, settings })
  await navigateTo(page, `/crawls/${crawlId}`)
  const text = `Waiting for the site: 127.0.0.1:${port} is not responding. The crawl tries again by itself.`
  await checkAccessibility(page, () => page.getByText(text).waitFor())
  await page.getByText(/is not responding\. The crawl keeps trying/).waitFor()
  await header.getByText('Waiting for the site').waitFor()
})

test('the bar of a share has its length', async () => {
  // One of three URLs has depth 0, the other two depth 1.
  const bars = page.getByRole('list', { name: 'Depth' }).locator('li span span')
  await bars.nth(1).waitFor()
  const styles = await Promise.all((await bars.all()).map((bar) => bar.getAttribute('style')))
  assert.deepEqual(
    styles.map((style) => /width: (\d+)/.exec(style ?? '')?.[1]),
    ['33', '66'],
  )
})

test('the page logged no errors', () => assert.deepEqual(pageErrors, []))

// Loading of scenes and their parts: unknown ones, parts of an earlier version of the app, and errors.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openAppSession, runCrawlToEnd } from './testing/app-session.ts'
import { navigateTo, waitUntil } from './testing/browser.ts'
import { serveGatedSite } from './testing/gated-site.ts'

const { app, page, pageErrors } = await openAppSession({ after })
const site = await serveGatedSite({ after }, { pages: 5, open: 5 })
site.release()
const crawlId = await runCrawlToEnd(app, { url: site.origin })

test('an unknown tab of a crawl is not found, also if it is a name that every object has', async () => {
  for (const tab of ['nothing', 'constructor', '__proto__']) {
    await navigateTo(page, `/crawls/${crawlId}/${tab}`)
    await page.getByText('There is nothing at this URL').waitFor()
    await navigateTo(page, '/')
    await page.getByRole('heading', { name: 'Crawls' }).waitFor()
  }
  assert.deepEqual(pageErrors, [])
})

for (const [part, path, shown] of [
  ['Hosts', 'hosts', 'table'],
  ['graph-view', 'graph', '[data-graph] canvas'],
] as const) {
  test(`after an upgrade, a part of the app that is gone reloads the page: ${part}`, async () => {
    await page.evaluate('sessionStorage.clear()')
    let isReloaded = false
    page.once('load', () => {
      isReloaded = true
    })
    const file = `**/assets/${part}-*.js`
    await page.route(file, (route) => (isReloaded ? route.continue() : route.fulfill({ status: 404, body: '' })))
    await navigateTo(page, `/crawls/${crawlId}/${path}`)
    await waitUntil(page, async () => isReloaded)
    await page.locator(shown).first().waitFor()
    await page.unroute(file)
    await navigateTo(page, '/')
  })
}

test('an error of one scene does not stay when another is opened', async () => {
  // The page was reloaded less than a minute ago, so that it is not reloaded again.
  await page.evaluate("sessionStorage.setItem('reloaded-at', String(Date.now()))")
  await page.route('**/assets/Workers-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByRole('link', { name: 'Workers' }).first().click()
  await page.getByRole('button', { name: 'Reload' }).waitFor()
  await page.getByRole('link', { name: 'Crawls' }).first().click()
  await page.getByRole('heading', { name: 'Crawls' }).waitFor()
})

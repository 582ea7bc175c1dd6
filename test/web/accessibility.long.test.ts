import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkAccessibility, findAccessibilityProblems } from './testing/accessibility.ts'
import { openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'
import { serveGatedSite } from './testing/gated-site.ts'

// The gate of the site keeps the crawl running while the scenes are checked.
const site = await serveGatedSite({ after }, { pages: 30, open: 12 })
const { app, page } = await openAppSession({ after }, { flags: ['--grace', '500'] })
let crawl = ''

/** Checks a scene in both themes and widths. `path` is evaluated when the test runs. */
function checkScene(name: string, path: () => string, ready: () => Promise<void>): void {
  test(name, async () => {
    await navigateTo(page, path())
    await checkAccessibility(page, ready)
  })
}

const dialog = page.getByRole('dialog')
const firstRun = () => page.getByText('Crawl sample site').waitFor()
const listed = () => page.getByRole('img', { name: /^\d+ URLs: / }).waitFor()

test('the check finds violations', async () => {
  await firstRun()
  await page.evaluate("document.querySelector('h1').style.color = '#eee'")
  assert.match((await findAccessibilityProblems(page)).join(), /color-contrast/)
  await page.evaluate("document.querySelector('h1').style.color = ''")
})

checkScene('first run', () => '/', firstRun)

test('a crawl starts', async () => {
  crawl = `/crawls/${await startCrawl(app, { url: site.origin, settings: { per_host: 4 } })}`
})

checkScene('crawls', () => '/', listed)

test('new crawl', async () => {
  await navigateTo(page, '/new')
  await page.getByLabel('Start URL', { exact: true }).fill('example.com')
  await page.getByRole('region', { name: 'What will happen' }).waitFor()
  await page.locator('summary', { hasText: 'More settings' }).click()
  for (const group of await page.locator('details details > summary').all()) await group.click()
  await checkAccessibility(page, async () => undefined)
})

checkScene(
  'overview',
  () => crawl,
  async () => {
    await page.getByRole('region', { name: 'Top hosts' }).getByRole('link').nth(1).waitFor()
    await page.locator('canvas').first().waitFor()
  },
)

checkScene(
  'edit crawl',
  () => `${crawl}?edit=per_host`,
  () => dialog.getByLabel('Requests per host').waitFor(),
)

checkScene(
  'URLs',
  () => `${crawl}/urls`,
  () => page.getByRole('link', { name: '/page/1' }).first().waitFor(),
)

checkScene(
  'URL details',
  () => `${crawl}/urls?url=1`,
  () => dialog.getByText('Linked from').waitFor(),
)

test('keyboard shortcuts', async () => {
  await navigateTo(page, '/')
  await listed()
  await page.keyboard.press('?')
  await checkAccessibility(page, () => dialog.getByText('Toggle dark theme').waitFor())
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('command palette', async () => {
  await page.keyboard.press('Control+k')
  await checkAccessibility(page, () => dialog.getByRole('option', { name: 'Workers' }).waitFor())
  await page.keyboard.press('Escape')
})

checkScene(
  'not found',
  () => '/nowhere',
  () => page.getByText('There is nothing at this URL.').waitFor(),
)

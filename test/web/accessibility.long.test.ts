import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkAccessibility, findAccessibilityProblems } from './testing/accessibility.ts'
import { openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'
import { serveGatedSite } from './testing/gated-site.ts'

// The crawl waits at the gate of its site, so that it is looked at while it runs.
const site = await serveGatedSite({ after }, { pages: 30, open: 12 })
const { app, page } = await openAppSession({ after }, { flags: ['--grace', '500'] })
let crawl = ''

/** A scene in light and dark, wide and narrow. `path` is told when the case runs. */
function look(name: string, path: () => string, ready: () => Promise<void>): void {
  test(name, async () => {
    await navigateTo(page, path())
    await checkAccessibility(page, ready)
  })
}

const dialog = page.getByRole('dialog')
const firstRun = () => page.getByText('Crawl the sample site').waitFor()
const listed = () => page.getByRole('img', { name: /^\d+ urls: / }).waitFor()

test('the check finds what is wrong', async () => {
  await firstRun()
  await page.evaluate("document.querySelector('h1').style.color = '#eee'")
  assert.match((await findAccessibilityProblems(page)).join(), /color-contrast/)
  await page.evaluate("document.querySelector('h1').style.color = ''")
})

look('first run', () => '/', firstRun)

test('a crawl is there to be looked at', async () => {
  crawl = `/crawls/${await startCrawl(app, { url: site.origin, settings: { per_host: 4 } })}`
})

look('crawls', () => '/', listed)

test('new crawl', async () => {
  await navigateTo(page, '/new')
  await page.locator('summary', { hasText: 'Pace' }).waitFor()
  for (const group of await page.locator('summary').all()) await group.click()
  await checkAccessibility(page, async () => undefined)
})

look(
  'overview',
  () => crawl,
  async () => {
    await page.getByRole('region', { name: 'Busiest hosts' }).getByRole('link').nth(1).waitFor()
    await page.locator('canvas').first().waitFor()
  },
)

look(
  'change',
  () => `${crawl}?edit=per_host`,
  () => dialog.getByLabel('Per host').waitFor(),
)

look(
  'urls',
  () => `${crawl}/urls`,
  () => page.getByRole('link', { name: '/page/1' }).first().waitFor(),
)

look(
  'flight recorder',
  () => `${crawl}/urls?url=1`,
  () => dialog.getByText('Linked from').waitFor(),
)

test('keys', async () => {
  await navigateTo(page, '/')
  await listed()
  await page.keyboard.press('?')
  await checkAccessibility(page, () => dialog.getByText('These keys').waitFor())
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('palette', async () => {
  await page.keyboard.press('Control+k')
  await checkAccessibility(page, () => dialog.getByRole('option', { name: 'Workers' }).waitFor())
  await page.keyboard.press('Escape')
})

look(
  'nothing there',
  () => '/nowhere',
  () => page.getByText('There is nothing at this address').waitFor(),
)

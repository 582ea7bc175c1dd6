import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, runCrawlToEnd, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'
import { serveGatedSite } from './testing/gated-site.ts'

const DAYS = 60
const NEWS = 60

/** News pages with different texts, and a calendar whose days all have the same text. */
function newsAndCalendar(path: string): string | null {
  const [, folder, text = ''] = /^\/(\w+)\/(\d+)$/.exec(path) ?? []
  const number = Number(text)
  const words = Array.from({ length: 40 }, (_, i) => `word${number * 40 + i}`).join(' ')
  const links = (to: string, from: number, count: number) =>
    Array.from({ length: count }, (_, i) => `<a href="/${to}/${from + i}">${to}</a>`).join(' ')
  if (path === '/') return `<title>Front</title>${links('news', 1, NEWS)} ${links('calendar', 1, 1)}`
  if (folder === 'news') return `<title>News ${number}</title><p>${words}</p>`
  if (folder !== 'calendar' || number > DAYS) return null
  return `<title>Day ${number}</title><p>Nothing is planned</p>${links('calendar', number + 1, 3)}`
}

const { app, page, pageErrors } = await openAppSession({ after })

test('a host is blocked and unblocked', async (t) => {
  const site = await serveGatedSite(t, { pages: 20 })
  const { host } = new URL(site.origin)
  // The host has a gap of an hour after the front page.
  const crawl_id = await startCrawl(app, {
    url: site.origin,
    settings: { ignore_robots: true, per_host: 1, delay: 3_600_000 },
  })
  await navigateTo(page, `/crawls/${crawl_id}/hosts`)
  await page.locator('header').getByText('21 URLs').waitFor()
  await page.getByRole('cell', { name: /, 1 at a time$/ }).waitFor()
  await page.getByRole('columnheader', { name: 'Gap now' }).waitFor()

  await page.getByRole('button', { name: `Block ${host}` }).click()
  await page.getByRole('button', { name: 'Block host' }).click()
  await page.getByText(`${host} blocked. 20 URLs excluded.`).waitFor()
  await page.getByText('Blocked', { exact: true }).waitFor()
  assert.equal((await app.client.getCrawl({ params: { crawl_id } })).states.excluded, 20)

  await page.getByRole('button', { name: `Unblock ${host}` }).click()
  await page.getByText(`${host} unblocked. 20 URLs queued again.`).waitFor()
  await page.getByRole('button', { name: `Block ${host}` }).waitFor()
  assert.equal((await app.client.getCrawl({ params: { crawl_id } })).states.excluded, 0)
})

test('a pattern that was excluded as a trap is released, and its URLs are queued again', async (t) => {
  const site = await servePlainSite(t, newsAndCalendar)
  const crawl_id = await runCrawlToEnd(app, { url: site.origin, settings: { per_host: 1 } })
  const before = (await app.client.getCrawl({ params: { crawl_id } })).states
  assert.ok(before.excluded > 0, JSON.stringify(before))
  await navigateTo(page, `/crawls/${crawl_id}/hosts`)
  const row = page.getByRole('row', { name: '/calendar/' })
  await row.getByText('Excluded', { exact: true }).waitFor()
  // Only the hosts of a running crawl have a current gap, so the column is missing.
  assert.equal(await page.getByRole('columnheader', { name: 'Gap now' }).count(), 0)
  await checkAccessibility(page, () => row.getByText('Excluded', { exact: true }).waitFor())
  await navigateTo(page, `/crawls/${crawl_id}`)
  const notice = page.getByRole('region', { name: 'Excluded patterns' })
  await notice.getByText(/^\d+ URLs? excluded as a trap/).waitFor()
  await notice.getByRole('button', { name: 'Release' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
  await page.getByText(/^Pattern released\. \d+ URLs? queued again\.$/).waitFor()
  await navigateTo(page, `/crawls/${crawl_id}/hosts`)
  await row.getByText('Released', { exact: true }).waitFor()
  const now = (await app.client.getCrawl({ params: { crawl_id } })).states
  assert.equal(now.queued, before.excluded)
})

test('two crawls of a site are compared', async (t) => {
  let round = 1
  const site = await servePlainSite(t, (path) => {
    if (path === '/')
      return `<title>Front ${round}</title><p>All our bread is ${round === 1 ? 'old' : 'fresh'} today</p>
      <a href="/only-${round}">one</a> <a href="/same">two</a>`
    return path === `/only-${round}` || path === '/same' ? `<title>Page</title>The words of ${path}` : null
  })
  const before = await runCrawlToEnd(app, { url: site.origin })
  round = 2
  const after = await runCrawlToEnd(app, { url: site.origin })
  await navigateTo(page, '/compare')
  await checkAccessibility(page, () => page.getByText('Select two crawls', { exact: true }).waitFor())
  await page.getByLabel('Before').selectOption(before)
  await page.getByLabel('After').selectOption(after)
  await page.getByRole('row', { name: /Added.*only-2/ }).waitFor()
  await page.getByRole('row', { name: /Removed.*only-1/ }).waitFor()
  const changed = page.getByRole('row', { name: /^Changed/ })
  await changed.getByText('Front 1').waitFor()
  await changed.getByText('Front 2').waitFor()
  await changed
    .getByText(/^[0-9a-f]{12}$/)
    .first()
    .waitFor()
  // On a phone, the table is a list.
  const items = page.getByRole('list', { name: 'Differences' }).getByRole('listitem')
  const item = changed.or(items.filter({ hasText: 'Changed' }))
  await checkAccessibility(page, () => item.getByText('Front 2').waitFor())
  await page
    .getByRole('row', { name: /Removed.*only-1/ })
    .getByRole('link')
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Only the earlier crawl has archived this URL').waitFor()
  await dialog.getByText('The words of /only-1').waitFor()
  await page.keyboard.press('Escape')
  await changed.getByRole('link').click()
  await dialog.locator('ins').getByText('Front 2').waitFor()
  await dialog.locator('mark').getByText('fresh').waitFor()
  await checkAccessibility(page, () => dialog.locator('mark').first().waitFor())
  await dialog.getByRole('link', { name: 'Details after' }).click()
  await dialog.getByText('Crawl decision').waitFor()
  assert.ok(new URL(page.url()).pathname.includes(after))
})

test('the page logged no errors', () => assert.deepEqual(pageErrors, []))

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { openAppSession, runCrawlToEnd } from './testing/app-session.ts'
import { navigateTo, waitUntil } from './testing/browser.ts'
import { serveGatedSite } from './testing/gated-site.ts'

const PAGES = 700
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(2)</script>',
  '"><svg onload=alert(3)>',
  '{{constructor.constructor("alert(4)")()}}',
]

const EXTRACT = [
  { name: 'first_link', selector: 'a', type: 'url' },
  { name: 'absent', selector: '.absent' },
]

const site = await serveGatedSite({ after }, { pages: PAGES, title: (page) => HOSTILE[page - 1] ?? `Page ${page}` })
const { app, page, pageErrors } = await openAppSession({ after })
const address = `/crawls/${await runCrawlToEnd(app, { url: site.origin, settings: { traps: false, extract: EXTRACT } })}/urls`
const table = page.getByRole('table', { name: 'URLs' })
const rows = table.getByRole('row')
// URLs of the host of the start URL are shown without it.
const link = (path: string) => page.getByRole('link', { name: path, exact: true })

test('only visible rows are in the DOM', async () => {
  await navigateTo(page, address)
  await link('/page/1').waitFor()
  assert.ok((await rows.count()) < 100)
})

test('the table scrolls through all pages and keeps its position after a reload', async () => {
  const scroller = page.getByRole('region', { name: 'URLs' })
  await waitUntil(page, async () => {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    return (await table.getAttribute('aria-rowcount')) === String(PAGES + 2)
  })
  await scroller.evaluate((element) => element.scrollTo(0, 300 * 32))
  await page.locator('[data-row="310"] a').waitFor()
  const before = await page.locator('[data-row="310"] a').textContent()
  await page.reload()
  await page.locator('[data-row="310"] a').waitFor()
  assert.equal(await page.locator('[data-row="310"] a').textContent(), before)
  assert.ok(Number(await scroller.evaluate((element) => element.scrollTop)) > 200 * 32)
})

test('filters are part of the URL', async () => {
  await navigateTo(page, address)
  await page.getByRole('button', { name: /^Not found/ }).click()
  await link('/missing').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('state'), 'not_found')
  assert.equal(await rows.count(), 2)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Filter by URL or title').fill('page/69')
  await link('/page/699').waitFor()
  await page.getByText('11 matches', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Visited 11', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Not found 0', exact: true }).waitFor()
  await waitUntil(page, async () => (await rows.count()) === 12)
  await navigateTo(page, `${address}?status=404`)
  await link('/missing').waitFor()
  await page.getByRole('button', { name: 'Remove filter Status: 404' }).click()
  await link('/page/1').waitFor()
})

test('the table sorts and shows the selected columns', async () => {
  await navigateTo(page, `${address}?text=page/69`)
  await page.getByRole('button', { name: 'URL', exact: true }).click()
  await page.getByRole('button', { name: 'URL', exact: true }).click()
  await page.locator('[data-row="0"]').getByText('/page/699').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Attempts').check()
  await page.getByRole('columnheader', { name: 'Attempts' }).waitFor()
  const view = new URL(page.url())
  assert.match(view.searchParams.get('columns') ?? '', /attempts/)
  // Another browser that opens the address has the same columns.
  await page.evaluate('localStorage.clear()')
  await page.goto(view.href)
  await page.getByRole('columnheader', { name: 'Attempts' }).waitFor()
})

test('buttons step through the rows', async () => {
  await navigateTo(page, address)
  await link('/page/1').waitFor()
  await page.getByRole('button', { name: 'Previous rows' }).isDisabled()
  const shown = page.getByRole('navigation', { name: 'Rows' }).locator('span').first()
  await waitUntil(page, async () => /^1 to \d+ of 701$/.test((await shown.textContent()) ?? ''))
  await page.getByRole('button', { name: 'Next rows' }).click()
  await waitUntil(page, async () => Number((await shown.textContent())?.split(' ')[0]) > 10)
})

test('an export has the filtered URLs', async () => {
  await navigateTo(page, `${address}?text=page/69`)
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('CSV', { exact: true }).click()])
  const text = await (await download.createReadStream())
    .setEncoding('utf8')
    .reduce((all: string, part: string) => all + part, '')
  assert.equal(text.trim().split('\n').length, 12)
})

test('the filtered URLs are copied, one per line or as CSV', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await navigateTo(page, `${address}?text=page/69&columns=status,depth`)
  await link('/page/699').waitFor()
  const copy = async (item: string): Promise<string[]> => {
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: item }).click()
    await page.getByText('11 URLs copied.').first().waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    return String(await page.evaluate('navigator.clipboard.readText()')).split(/\r?\n/)
  }
  const urls = await copy('Copy URLs')
  assert.deepEqual([urls.length, urls.includes(`${site.origin}/page/699`)], [11, true])
  const csv = await copy('Copy table as CSV')
  assert.deepEqual([csv[0], csv.includes(`${site.origin}/page/699,200,1`)], ['URL,Status,Depth', true])
})

test('a URL outside the crawl is explained', async () => {
  await navigateTo(page, `${address}?text=${encodeURIComponent('https://elsewhere.example/x')}`)
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('Rejected').first().waitFor()
})

test('the details of a URL open, and titles stay text', async () => {
  await navigateTo(page, address)
  for (const title of HOSTILE) await page.getByText(title).first().waitFor()
  await link('/page/1').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Start URL', { exact: true }).waitFor()
  await drawer
    .getByText(HOSTILE[0] ?? '')
    .first()
    .waitFor()
  await drawer.getByText('Number 1 has').waitFor()
  await drawer.getByRole('tab', { name: 'Headers' }).click()
  await drawer.getByText('content-type: text/html').waitFor()
  await drawer.getByRole('tab', { name: 'Data' }).click()
  await drawer.getByText('first_link').waitFor()
  await drawer.getByText('Not found', { exact: true }).first().waitFor()
  await drawer.getByLabel('Try a CSS selector').fill('title')
  await drawer.getByText('1 element', { exact: true }).waitFor()
  await drawer.getByRole('tab', { name: 'Changes' }).click()
  await drawer.getByText('No earlier version').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).searchParams.get('url'), null)
})

test('the details step to the next URL, and the focus returns to its row', async () => {
  await link('/page/1').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('heading', { name: /\/page\/1$/ }).waitFor()
  await page.keyboard.press('j')
  await drawer.getByRole('heading', { name: /\/page\/2$/ }).waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await waitUntil(page, async () => (await page.evaluate('document.activeElement.textContent')) === '/page/2')
})

test('a dialog gives the focus back', async () => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Run again', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Run again')
})

test('a question mark in an empty search box shows the shortcuts, after a word it is typed', async () => {
  const box = page.getByLabel('Filter by URL or title')
  await box.fill('')
  await box.press('?')
  await page.getByRole('dialog').getByText('Toggle dark theme').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await box.fill('page')
  await box.press('?')
  assert.equal(await box.inputValue(), 'page?')
})

test('the newest version of a page is shown first', async () => {
  const again = await runCrawlToEnd(app, { url: `${site.origin}/page/2`, settings: { max_pages: 1 } })
  await navigateTo(page, `/crawls/${again}/urls?text=page/2`)
  await link('/page/2').click()
  const drawer = page.getByRole('dialog')
  const version = drawer.getByRole('slider', { name: 'Version' })
  await version.waitFor()
  assert.match((await version.getAttribute('aria-valuetext')) ?? '', /^Version 2, /)
  await version.press('Home')
  await drawer.getByText(/^Version 1, /).waitFor()
  await page.getByRole('dialog').getByRole('tab', { name: 'Changes' }).click()
  await page.getByRole('dialog').getByText('No earlier version').waitFor({ state: 'detached' })
})

test('a document that cannot be read is marked', async (t) => {
  const papers = await servePlainSite(t, (path) => {
    if (path === '/') return '<a href="/paper.pdf">paper</a>'
    return path === '/paper.pdf'
      ? { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7 and no more' }
      : null
  })
  const crawl = await runCrawlToEnd(app, { url: papers.origin, settings: {} })
  await navigateTo(page, `/crawls/${crawl}/urls?text=paper`)
  await page
    .getByRole('row')
    .filter({ hasText: '/paper.pdf' })
    .locator('span', { hasText: /^PDF broken$/ })
    .waitFor()
})

test('the page logged no errors', () => assert.deepEqual(pageErrors, []))

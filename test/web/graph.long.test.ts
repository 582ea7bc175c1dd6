import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { locateStatus, openAppSession, runCrawlToEnd, startCrawl } from './testing/app-session.ts'
import { navigateTo, waitUntil } from './testing/browser.ts'
import { serveGatedSite } from './testing/gated-site.ts'

const PAGES = 400
/** Its folder has only one subfolder on the way. */
const MANUAL = '/manual/html/'
const SECTIONS = ['docs', 'blog', 'shop']

/** The front page links to all pages of three sections. The last page of the shop is missing. */
const links = SECTIONS.flatMap((section) =>
  Array.from({ length: PAGES }, (_, i) => `<a href="/${section}/page-${i}">${section} ${i}</a>`),
)
const large = await servePlainSite({ after }, (path) => {
  if (path === '/') return `<title>Front</title>${links.join(' ')}`
  if (path === MANUAL) return '<title>Manual</title><a href="a/1">A</a> <a href="b/1">B</a>'
  return path === `/shop/page-${PAGES - 1}` ? null : `<title>${path}</title>This is ${path}. <a href="/">up</a>`
})
const small = await serveGatedSite({ after }, { pages: 20, open: 0 })
const { app, page, pageErrors } = await openAppSession({ after })
const [smallId, largeId, manualId] = await Promise.all([
  startCrawl(app, { url: small.origin, settings: { traps: false } }),
  runCrawlToEnd(app, { url: large.origin, settings: { traps: false } }),
  runCrawlToEnd(app, { url: large.origin + MANUAL, settings: { scope: 'prefix', traps: false } }),
])

const drawn = (nodes: number) => page.locator(`[data-nodes="${nodes}"]`)
const panel = page.getByRole('complementary', { name: 'Selected node' })
const openGraph = (id: string, query = '') => navigateTo(page, `/crawls/${id}/graph${query}`)

async function find(text: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Find a node' }).fill(text)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

test('the graph of a running crawl grows without a reload', async () => {
  await openGraph(smallId, '?every=1')
  await drawn(1).waitFor()
  small.release()
  await drawn(21).waitFor()
  await locateStatus(page, 'Completed').waitFor()
  const legend = page.getByRole('list', { name: 'Legend' })
  await legend.getByText('Visited').waitFor()
  await legend.getByText('Not found').waitFor()
})

test('a node is found by name, and its details and neighbours are shown', async () => {
  await openGraph(smallId)
  await drawn(21).waitFor()
  await find('page/7')
  await panel.getByText('Visited', { exact: true }).waitFor()
  await panel.locator('dt:has-text("Retries") + dd').getByText('0', { exact: true }).waitFor()
  await panel.getByText('HTTP 200').waitFor()
  const detailsHref = await panel.getByRole('link', { name: 'URL details' }).getAttribute('href')
  assert.match(detailsHref ?? '', /\/urls\?url=\d+$/)
  await checkAccessibility(page, () => panel.getByText('HTTP 200').waitFor())

  await panel.getByRole('button', { name: 'Show neighbours' }).click()
  await drawn(2).waitFor()
  assert.match(page.url(), /around=\d+/)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await drawn(21).waitFor()

  await page.getByRole('application').focus()
  await page.keyboard.press('f')
  await page.keyboard.press('+')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('l')
  await page.getByRole('button', { name: 'Resume layout (l)' }).waitFor()
})

test('a crawl with too many URLs is grouped by folder, and a group is opened in place', async () => {
  await openGraph(largeId)
  // The front page and three sections.
  await drawn(4).waitFor()
  await page.getByText(`${(3 * PAGES + 1).toLocaleString('en')} URLs in 4 circles`).waitFor()
  const legend = page.getByRole('list', { name: 'Legend' })
  await legend
    .getByRole('listitem')
    .filter({ hasText: `Visited${(3 * PAGES).toLocaleString('en')}` })
    .waitFor()
  await legend.getByRole('listitem').filter({ hasText: 'Not found1' }).waitFor()
  await find('shop')
  const shares = panel.getByRole('list', { name: 'URL states' })
  await shares
    .getByRole('listitem')
    .filter({ hasText: `Visited${PAGES - 1}, ` })
    .waitFor()
  await shares.getByRole('listitem').filter({ hasText: 'Not found1, 0.3%' }).waitFor()
  await checkAccessibility(page, () => shares.waitFor())
  await page.getByRole('button', { name: 'Open group' }).click()
  // The best linked URLs of the shop, and one circle for the others.
  await drawn(3 + 150).waitFor()
  await page.getByText(`${(3 * PAGES + 1).toLocaleString('en')} URLs in 153 circles`).waitFor()
  await checkAccessibility(page, () => page.getByRole('button', { name: /^Close .*shop$/ }).waitFor())
  await page.getByRole('button', { name: /^Close .*shop$/ }).click()
  await drawn(4).waitFor()
})

test('groups are selected and opened by keyboard and by double-click, and the view zooms to them', async () => {
  await openGraph(largeId)
  await drawn(4).waitFor()
  const map = page.getByRole('application')
  await map.focus()
  await page.keyboard.press('n')
  await panel.getByText('URLs', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await drawn(3 + 150).waitFor()
  await page.goBack()
  await drawn(4).waitFor()
  const scale = async () => Number(await page.locator('[data-nodes]').getAttribute('data-scale'))
  await page.keyboard.press('Escape')
  const before = await scale()
  const box = await page.locator('[data-nodes] canvas').boundingBox()
  assert.ok(box)
  // Three circles of the same size touch in the middle.
  await page.mouse.dblclick(box.x + box.width / 2 - 60, box.y + box.height / 2 + 60)
  await drawn(3 + 150).waitFor()
  await waitUntil(page, async () => (await scale()) > before * 1.3)
})

test('the tree shows the site by path with counts, and links to URLs', async () => {
  await openGraph(largeId)
  await page.getByRole('tab', { name: 'Tree', exact: true }).click()
  const tree = page.getByRole('navigation', { name: 'Site tree' })
  await tree.getByRole('button', { name: `shop ${PAGES} URLs` }).waitFor()
  await checkAccessibility(page, () => tree.getByRole('button', { name: `shop ${PAGES} URLs` }).waitFor())
  await tree.getByRole('button', { name: `blog ${PAGES} URLs` }).click()
  await tree.getByRole('link', { name: 'page-3', exact: true }).click()
  await page.waitForURL(/\/urls\?url=\d+$/)
})

test('the treemap shows folders by size, and is entered and left by links and keys', async () => {
  await openGraph(largeId, '?view=treemap')
  const treemap = page.getByRole('region', { name: /^Treemap/ })
  const shop = treemap.getByRole('link', { name: new RegExp(`/shop, ${PAGES} URLs, .* 1 not found$`) })
  await shop.waitFor()
  await checkAccessibility(page, () => shop.waitFor())
  assert.match((await shop.getAttribute('href')) ?? '', /under=.*shop/)
  await shop.focus()
  await page.keyboard.press('ArrowRight')
  const isMoved = `document.activeElement.dataset.cell !== undefined && !document.activeElement.dataset.cell.endsWith('/shop')`
  const isMovedLeft = await page.evaluate(isMoved)
  if (isMovedLeft !== true) await page.keyboard.press('ArrowLeft')
  assert.equal(await page.evaluate(isMoved), true)
  await shop.focus()
  await page.keyboard.press('Enter')
  const missing = treemap.getByRole('link', { name: /page-399, Not found/ })
  const rest = treemap.getByRole('link', { name: /^\d+ more URLs/ })
  await missing.or(rest).first().waitFor()
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'shop' }).waitFor()
  await page.getByLabel('Colour').selectOption('time')
  await page.getByRole('list', { name: 'Legend' }).getByText('Up to 50 ms').waitFor()
  await page.getByLabel('Area').selectOption('bytes')
  await checkAccessibility(page, () => rest.waitFor())
  await treemap.getByRole('link').first().focus()
  await page.keyboard.press('Backspace')
  await shop.waitFor()
})

test('tree and treemap start at the first folder with more than one entry', async () => {
  await openGraph(manualId, '?view=tree')
  const tree = page.getByRole('navigation', { name: 'Site tree' })
  await tree.getByRole('button', { name: /^b 1 URL$/ }).waitFor()
  await openGraph(manualId, '?view=treemap')
  await page
    .getByRole('region', { name: /^Treemap/ })
    .getByRole('link', { name: /\/manual\/html\/b, 1 URL/ })
    .waitFor()
  const path = page.getByRole('navigation', { name: 'Path' })
  await path.getByRole('link', { name: 'html' }).and(page.locator('[aria-current=page]')).waitFor()
  await path.getByRole('link', { name: 'manual' }).click()
  await path.getByRole('link', { name: 'manual' }).and(page.locator('[aria-current=page]')).waitFor()
  await path.getByRole('link', { name: 'All' }).click()
  await path.getByRole('link', { name: 'html' }).and(page.locator('[aria-current=page]')).waitFor()
})

test('the page logged no errors', () => {
  // The browser warns that WebGL in software is slow.
  assert.deepEqual(
    pageErrors.filter((text) => !text.includes('GL Driver Message')),
    [],
  )
})

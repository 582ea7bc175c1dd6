import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { locateStatus, openAppSession, runCrawlToEnd, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'
import { serveGatedSite } from './testing/gated-site.ts'

const PAGES = 400
const SECTIONS = ['docs', 'blog', 'shop']

/** Three sections with so many pages each, all linked from the front page. The last one of the shop is missing. */
const links = SECTIONS.flatMap((section) =>
  Array.from({ length: PAGES }, (_, i) => `<a href="/${section}/page-${i}">${section} ${i}</a>`),
)
const large = await servePlainSite({ after }, (path) => {
  if (path === '/') return `<title>Front</title>${links.join(' ')}`
  return path === `/shop/page-${PAGES - 1}` ? null : `<title>${path}</title>This is ${path}. <a href="/">up</a>`
})
const small = await serveGatedSite({ after }, { pages: 20, open: 0 })
const { app, page, complaints } = await openAppSession({ after })
const [smallId, largeId] = await Promise.all([
  startCrawl(app, { url: small.origin, settings: { traps: false } }),
  runCrawlToEnd(app, { url: large.origin, settings: { traps: false } }),
])

const drawn = (nodes: number) => page.locator(`[data-nodes="${nodes}"]`)
const panel = page.getByRole('complementary', { name: 'Chosen node' })
const graphOf = (id: string, query = '') => navigateTo(page, `/crawls/${id}/graph${query}`)

async function find(text: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Find a node' }).fill(text)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

test('the graph of a running crawl grows in the open page', async () => {
  await graphOf(smallId, '?every=1')
  await drawn(1).waitFor()
  small.release()
  await drawn(21).waitFor()
  await locateStatus(page, 'Completed').waitFor()
  const legend = page.getByRole('list', { name: 'Legend' })
  await legend.getByText('visited').waitFor()
  await legend.getByText('not found').waitFor()
})

test('a node is found by name and told about, and its neighbourhood is a graph of its own', async () => {
  await graphOf(smallId)
  await drawn(21).waitFor()
  await find('page/7')
  await panel.getByText('Visited', { exact: true }).waitFor()
  await panel.getByText('0 retries').waitFor()
  await panel.getByText('status 200').waitFor()
  const recorder = await panel.getByRole('link', { name: 'Flight recorder' }).getAttribute('href')
  assert.match(recorder ?? '', /\/urls\?url=\d+$/)
  await checkAccessibility(page, () => panel.getByText('status 200').waitFor())

  await panel.getByRole('button', { name: 'Neighbourhood' }).click()
  await drawn(2).waitFor()
  assert.match(page.url(), /around=\d+/)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await drawn(21).waitFor()

  await page.getByRole('application').focus()
  await page.keyboard.press('f')
  await page.keyboard.press('+')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('l')
  await page.getByRole('button', { name: 'Go on with the layout (l)' }).waitFor()
})

test('a crawl with more urls than can be drawn is grouped by path, and a group can be gone into', async () => {
  await graphOf(largeId, '?limit=1000')
  // The front page and three sections.
  await drawn(4).waitFor()
  await page.getByText(`with ${(3 * PAGES + 1).toLocaleString('en')} urls`).waitFor()
  await page.getByRole('list', { name: 'Legend' }).getByText('mostly visited').waitFor()
  await find('shop')
  const shares = panel.getByRole('list', { name: 'States of its urls' })
  await shares
    .getByRole('listitem')
    .filter({ hasText: `Visited${PAGES - 1}, ` })
    .waitFor()
  await shares.getByRole('listitem').filter({ hasText: 'Not found1, 0.3%' }).waitFor()
  await checkAccessibility(page, () => shares.waitFor())
  await page.getByRole('button', { name: 'Go into it' }).click()
  await drawn(PAGES).waitFor()
  await page.getByRole('navigation', { name: 'Place in the graph' }).getByText('shop').waitFor()
  await page.goBack()
  await drawn(4).waitFor()
})

test('the tree shows the site by path with counts, and leads to urls', async () => {
  await page.getByRole('tab', { name: 'Tree' }).click()
  const tree = page.getByRole('navigation', { name: 'Site by path' })
  await tree.getByRole('button', { name: `shop ${PAGES} urls` }).waitFor()
  await checkAccessibility(page, () => tree.getByRole('button', { name: `shop ${PAGES} urls` }).waitFor())
  await tree.getByRole('button', { name: `blog ${PAGES} urls` }).click()
  await tree.getByRole('link', { name: 'page-3', exact: true }).click()
  await page.waitForURL(/\/urls\?url=\d+$/)
})

test('the page complained of nothing', () => {
  // WebGL in software is slow, and the browser says so.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('GL Driver Message')),
    [],
  )
})

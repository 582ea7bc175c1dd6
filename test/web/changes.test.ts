import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { changeBakery, serveBakery } from '../sites/changing-bakery.ts'
import { waitUntil as waitFor } from '../testing/wait-until.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { locateStatus, openAppSession, runCrawlToEnd, startCrawl } from './testing/app-session.ts'
import { navigateTo, waitUntil } from './testing/browser.ts'

// One crawl serves all tests: it watches the site, finds what changes, and is paused when the lists must not move.
const site = await serveBakery()
after(() => site.close())
const { app, page, pageErrors } = await openAppSession({ after })
const watching = { recrawl: '1s', ignore_robots: true, traps: false, retry_delay: 10 }
const crawlId = await startCrawl(app, { url: `${site.origin}/`, settings: watching })
const params = { crawl_id: crawlId }
const address = `/crawls/${crawlId}/changes`

const host = new URL(site.origin).host
const link = (path: string) => page.getByRole('link', { name: `${host}${path}`, exact: true })
const row = (path: string) => page.getByRole('article').filter({ has: link(path) })
const drawer = page.getByRole('dialog')
const line = (text: string) => drawer.locator('[class*=group\\/line]').filter({ hasText: text })

async function waitForVisits(path: string, count: number): Promise<void> {
  const before = site.requestsOf(path).length
  await waitFor(() => site.requestsOf(path).length >= before + count)
}

test('a crawl that visits every URL once says how to find changes', async () => {
  const once = await runCrawlToEnd(app, {
    url: `${site.origin}/cakes`,
    settings: { ignore_robots: true, max_pages: 1 },
  })
  await navigateTo(page, `/crawls/${once}/changes`)
  await checkAccessibility(page, () => page.getByText('This crawl visits every URL once').waitFor())
  await page.getByRole('link', { name: 'Turn on revisits' }).click()
  await drawer.getByLabel('Revisit', { exact: true }).fill('30d')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await locateStatus(page, 'Watching').waitFor()
  await navigateTo(page, `/crawls/${once}/changes`)
  await page.getByText('Nothing has changed yet').waitFor()
  await page.getByText(/^Next visit in \d+ days\.$/).waitFor()
})

test('changes appear by themselves, newest first, below their day', async () => {
  await waitForVisits('/prices', 4)
  await navigateTo(page, address)
  await page.getByText('Nothing has changed yet').waitFor()
  changeBakery(site)
  for (const path of ['/prices', '/story', '/cakes', '/jobs', '/summer', '/winter']) await row(path).waitFor()
  await page.getByRole('heading', { name: /^Today/ }).waitFor()
  await page.getByRole('button', { name: 'Removed 1' }).waitFor()
  await app.client.pauseCrawl({ params })
  await locateStatus(page, 'Paused').waitFor()
  await checkAccessibility(page, () => row('/prices').waitFor())
})

test('changes are filtered by kind and size', async () => {
  await page.getByRole('button', { name: /^Removed/ }).click()
  await waitUntil(page, async () => (await page.getByRole('article').count()) === 1)
  await row('/jobs').getByText('Removed', { exact: true }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('kind'), 'removed')
  const feed = await page.getByRole('link', { name: 'Feed' }).getAttribute('href')
  const atom = await fetch(app.address + feed)
  assert.equal(atom.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  assert.equal((await atom.text()).split('<entry>').length - 1, 1)
  await page.getByLabel('Size of change').selectOption('500 words or more')
  await page.getByText('No matching changes').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await row('/cakes').waitFor()
})

test('a change opens on its differences, with noise apart', async () => {
  await link('/prices').click()
  await line('Rye bread costs 3.20').waitFor()
  const texts = await drawer.locator('[class*=group\\/line]').allTextContents()
  const removed = texts.findIndex((text) => text.includes('Removed: Rye bread costs 3.20 EUR a loaf.'))
  const added = texts.findIndex((text) => text.includes('Added: Rye bread costs 3.60 EUR a loaf, and half'))
  assert.ok(removed !== -1 && removed < added, JSON.stringify(texts))
  assert.deepEqual(await line('3.20').locator('mark').allTextContents(), ['20'])
  await line('in the bakery').getByText('Clock or counter').first().waitFor()
  await checkAccessibility(page, () => line('Rye bread costs 3.60').waitFor())
})

test('the differences are copied as text', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await drawer.getByRole('button', { name: 'Copy differences' }).click()
  await drawer.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  assert.match(copied, /^- Rye bread costs 3\.20 EUR a loaf\.$/m)
  assert.match(copied, /^\+ Rye bread costs 3\.60/m)
})

test('a line is ignored from the diff, and the rule is undone', async () => {
  const rules = async () => (await app.client.getCrawl({ params })).settings['ignore_changes']
  await line('Rye bread costs 3.60').hover()
  await line('Rye bread costs 3.60').getByRole('button', { name: 'Ignore this line' }).click()
  await line('Rye bread costs 3.60').getByText('Ignored by a rule').waitFor()
  assert.equal(((await rules()) as string[]).length, 1)
  await drawer.getByRole('button', { name: 'Undo' }).click()
  await line('Rye bread costs 3.60').getByText('Ignored by a rule').waitFor({ state: 'detached' })
  assert.deepEqual(await rules(), [])
})

test('the keyboard steps through changes and differences', async () => {
  const title = drawer.getByRole('heading', { level: 2 })
  const order = await page.getByRole('article').getByRole('link').allTextContents()
  const at = order.findIndex((text) => text.endsWith('/prices'))
  const [key, back] = at + 1 < order.length ? ['j', 'k'] : ['k', 'j']
  await page.keyboard.press(key)
  await title.filter({ hasText: order[key === 'j' ? at + 1 : at - 1] ?? '' }).waitFor()
  await page.keyboard.press(back)
  await title.filter({ hasText: '/prices' }).waitFor()
  await page.keyboard.press('n')
  await waitUntil(page, async () => (await page.evaluate('document.activeElement.dataset.hunk')) === '0')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test('moved lines, changed facts, and the text of new and removed pages are shown', async () => {
  await link('/story').click()
  await drawer.getByText('Moved from here').waitFor()
  await drawer.getByText('Moved here').waitFor()
  await page.keyboard.press('Escape')
  await link('/cakes').click()
  await drawer.locator('ins').getByText('Cakes and tarts').waitFor()
  await page.keyboard.press('Escape')
  await link('/jobs').click()
  await drawer.getByText('We are looking for a baker').waitFor()
  await page.keyboard.press('Escape')
  await link('/winter').click()
  await drawer.getByText('In winter we open at seven').waitFor()
  await drawer.getByRole('link', { name: 'URL details' }).click()
  await drawer.getByText('Crawl decision').waitFor()
})

test('the overview counts the changes of today', async () => {
  await navigateTo(page, `/crawls/${crawlId}`)
  const card = page.getByRole('region', { name: 'Changes' })
  await card.getByRole('link', { name: '1 removed' }).waitFor()
  await checkAccessibility(page, () => card.getByText('3 changed').waitFor())
  await card.getByRole('link', { name: '1 removed' }).click()
  await row('/jobs').waitFor()
  assert.equal(await page.getByRole('article').count(), 1)
})

test('the overview of a scheduled crawl has its next runs', async () => {
  const settings = { ...watching, recrawl: 'off', schedule: '0 3 * * *', max_pages: 1 }
  // Does not use /cakes: this crawl may add a version to the history of its page, which the next test steps through.
  const scheduled = await startCrawl(app, { url: `${site.origin}/prices`, settings })
  await navigateTo(page, `/crawls/${scheduled}`)
  const setup = page.getByRole('region', { name: 'Configuration' })
  await setup.getByText('Next runs').waitFor()
  assert.equal(await setup.locator('time').count(), 3)
})

test('versions of a URL are stepped through and compared', async () => {
  const { items } = await app.client.listUrls({ params, query: { text: '/cakes' } })
  await navigateTo(page, `/crawls/${crawlId}/urls?url=${items[0]?.url_id}`)
  const slider = drawer.getByRole('slider', { name: 'Version' })
  await slider.waitFor()
  await drawer.getByText('pear tart').waitFor()
  await drawer.getByRole('button', { name: 'Older version' }).click()
  await drawer.getByText('We bake apple cake and plum cake on Fridays.').waitFor()
  await slider.press('ArrowRight')
  await drawer.getByRole('tab', { name: 'Changes' }).click()
  await line('pear tart').locator('mark').first().waitFor()
  await checkAccessibility(page, () => line('pear tart').waitFor())
  await page.keyboard.press('Escape')
})

test('the page logged no errors', () => assert.deepEqual(pageErrors, []))

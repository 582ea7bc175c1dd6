import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Route } from 'playwright-core'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, runCrawlToEnd } from './testing/app-session.ts'
import { navigateTo, waitUntil } from './testing/browser.ts'

/** Sixty different words. */
const ORIGINAL = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ')
const COPY = ORIGINAL.replace('word20', 'edited20').replace('word41', 'edited41')

const PAGES: Record<string, string> = {
  '/': '<title>Shop</title><a href="/notice">notice</a> <a href="/lamp">lamp</a> <a href="/copy">copy</a>',
  '/notice': '<title>Notice</title><p>We announce the recall of all lamps sold in May.</p>',
  '/lamp': '<title>Lamp</title><h1>Lamp</h1><p class="price">89.90 EUR</p>',
  '/copy': `<title>Copy</title><p>Welcome to my page.</p><p>${COPY}</p>`,
}
const site = await servePlainSite({ after }, (path) => PAGES[path] ?? null)
const { app, page, pageErrors } = await openAppSession({ after })
const dialog = page.getByRole('dialog')
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const hit = (path: string) => page.getByRole('link', { name: `${new URL(site.origin).host}${path}` })

async function openForm(name: string): Promise<void> {
  await navigateTo(page, '/monitors')
  await page.getByRole('button', { name: 'New monitor' }).click()
  await dialog.getByLabel('Name').fill(name)
}

const isDocuments = (url: URL | string) => new URL(url).pathname.endsWith('/documents')

/** Responds with the server's current response, but later. The page may have given up on it. */
async function answerAfter(event: Promise<unknown>, route: Route): Promise<void> {
  const response = await route.fetch()
  await event
  await route.fulfill({ response }).catch(() => undefined)
}

const create = dialog.getByRole('button', { name: 'Create monitor' })

test('a monitor for words is created', async () => {
  await navigateTo(page, '/monitors')
  await checkAccessibility(page, () => page.getByText('No monitors yet').waitFor())
  await openForm('Recalls')
  assert.ok(await create.isDisabled())
  await dialog.getByLabel('Words or phrases').fill('recall\nsafety notice')
  await checkAccessibility(page, () => create.waitFor())
  await create.click()
  await heading('Recalls').waitFor()
  await page.getByText('Pages with “recall” or “safety notice”, in all crawls').waitFor()
  await page.getByText('No hits yet').waitFor()
})

test('a monitor for a value names the field that is wrong', async () => {
  await openForm('Lamp price')
  await dialog.getByLabel('Watch for').selectOption('Element of the page')
  await dialog.getByLabel('CSS selector').fill('p[price')
  await dialog.getByLabel('Hit when it').selectOption('Falls below')
  await dialog.getByLabel('Number').fill('100')
  await create.click()
  await dialog.getByText('Fix the fields above.').waitFor()
  assert.equal(await dialog.getByLabel('CSS selector').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('CSS selector').fill('p.price')
  await create.click()
  await heading('Lamp price').waitFor()
  await page.getByText('p.price falls below 100, in all crawls').waitFor()
})

test('a monitor for copies takes documents from files, even while its list is loaded', async () => {
  await openForm('Copies')
  await dialog.getByLabel('Watch for').selectOption('Copies of documents')
  const added = page.waitForResponse((response) => isDocuments(response.url()) && response.status() === 201)
  await page.route(isDocuments, (route) => answerAfter(added, route), { times: 1 })
  await create.click()
  const files = dialog.getByLabel('Files')
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await files.setInputFiles([file('manual.txt', ORIGINAL), file('empty.txt', '')])
  await dialog.getByText('empty.txt: The file is empty.').waitFor()
  await dialog.getByRole('row', { name: /^manual\.txt 60/ }).waitFor()
  await dialog.getByLabel('Archived page').fill(`${site.origin}/nowhere`)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.locator('input[type=url][aria-invalid=true]').waitFor()
  await checkAccessibility(page, () => dialog.getByText('manual.txt').first().waitFor())
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Copies of 1 document, of 50 words or more, in all crawls').waitFor()
})

test('hits of all monitors appear by themselves', async () => {
  await runCrawlToEnd(app, { url: site.origin })
  await navigateTo(page, '/monitors')
  for (const path of ['/notice', '/lamp', '/copy']) await hit(path).waitFor()
  await checkAccessibility(page, () => hit('/copy').waitFor())
})

test('a copy is shown beside the document, with the words that differ', async () => {
  await hit('/copy').click()
  await dialog.getByText('Copy of manual.txt').waitFor()
  const marks = (name: string) => dialog.getByRole('figure').filter({ hasText: name }).locator('mark').allTextContents()
  assert.deepEqual(await marks('On the page'), ['edited20', 'edited41'])
  assert.deepEqual(await marks('In the document'), ['word20', 'word41'])
  await checkAccessibility(page, () => dialog.getByText('In the document').waitFor())
})

test('the keyboard steps through hits; matches and values are shown', async () => {
  const title = dialog.getByRole('heading', { level: 2 })
  const order = await page.getByRole('listitem').getByRole('link').allTextContents()
  const isLast = order.at(-1)?.endsWith('/copy') ?? false
  await page.keyboard.press(isLast ? 'k' : 'j')
  await title.filter({ hasNotText: 'Copies' }).waitFor()
  await page.keyboard.press(isLast ? 'j' : 'k')
  await title.filter({ hasText: 'Copies' }).waitFor()
  await page.keyboard.press('Escape')
  await hit('/notice').click()
  await dialog.locator('mark').getByText('recall').waitFor()
  await page.keyboard.press('Escape')
  await hit('/lamp').click()
  await dialog.locator('ins').getByText('89.90 EUR').waitFor()
})

test('a hit is acknowledged and its URL muted', async () => {
  await dialog.getByRole('button', { name: 'Mute this URL' }).click()
  await dialog.getByRole('button', { name: 'Unmute this URL' }).waitFor()
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await dialog.getByText('Acknowledged', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await hit('/lamp').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show acknowledged' }).click()
  await hit('/lamp').waitFor()
  const { items } = await app.client.listMonitors()
  assert.deepEqual(items.map(({ name, open_hits, muted_urls }) => [name, open_hits, muted_urls.length]).toSorted(), [
    ['Copies', 1, 0],
    ['Lamp price', 0, 1],
    ['Recalls', 1, 0],
  ])
})

test('a monitor has a feed, is muted and deleted', async () => {
  await page.getByRole('link', { name: 'Recalls' }).click()
  await heading('Recalls').waitFor()
  await checkAccessibility(page, () => hit('/notice').waitFor())
  const feed = await fetch(app.address + (await page.getByRole('link', { name: 'Feed' }).getAttribute('href')))
  assert.match(await feed.text(), /<entry>[\s\S]*\/notice/)
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByText('Muted: nobody is notified').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete monitor' }).click()
  await heading('Monitors').waitFor()
  await waitUntil(page, async () => (await page.getByRole('link', { name: 'Recalls' }).count()) === 0)
})

test('the page logged no errors', () => {
  const unexpected = pageErrors.filter((text) => !/status of (404|422)/.test(text))
  assert.deepEqual(unexpected, [])
})

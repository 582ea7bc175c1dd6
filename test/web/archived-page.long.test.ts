// Archived pages in the web app: shown as they looked, without scripts, contacting nothing but the archive.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { createClient } from '../../src/api/client.ts'
import { runProgram } from '../testing/program.ts'
import { checkAccessibility, findAccessibilityProblems } from './testing/accessibility.ts'
import { runCrawlToEnd } from './testing/app-session.ts'
import { navigateTo, openBrowser, openPage, waitUntil } from './testing/browser.ts'
import { serveHostileSite } from './testing/hostile-page.ts'
import { serveShop } from './testing/shop-site.ts'
import { startTestApp } from './testing/test-app.ts'

let token = ''
const app = await startTestApp(
  { after },
  {
    flags: ['--require-token', '--grace', '200'],
    async prepare(data) {
      const { stdout } = await runProgram(['token', 'create', 'test', 'admin', '--data', data, '--json'])
      token = (JSON.parse(stdout) as { token: string }).token
    },
  },
)
const client = createClient({ baseUrl: app.address, token })
const site = await serveHostileSite({ after }, app.address)
const paths = ['', 'style.css', 'more.css', 'image.png', 'evil.svg', 'frame.html', 'moved']
const crawl_id = await runCrawlToEnd({ client }, { urls: paths.map((path) => `${site.origin}/${path}`) })
const browser = await openBrowser({ after })
const { page, pageErrors } = await openPage(browser)
const cookies: string[] = []
page.on('request', async (request) => {
  // The app itself loads the frame; whatever the page asks for has another origin.
  if (!request.url().includes('/replay/') || request.isNavigationRequest()) return
  // Headers of a request that is under way when the page is closed are never known.
  const headers = await request.allHeaders().catch(() => null)
  if (headers?.['cookie']) cookies.push(request.url())
})
await page.goto(app.address)
const signIn = page.getByRole('dialog')
await signIn.getByLabel('Token').fill(token)
await signIn.getByRole('button', { name: 'Sign in' }).click()
await signIn.waitFor({ state: 'detached' })

const { items } = await client.findPages({ query: { url: `${site.origin}/` } })
const [version = assert.fail('nothing was archived')] = items
const frame = page.frameLocator('iframe')

/** Evaluates an expression in the archived page. Only a debugger can. */
function inFrame(expression: string): Promise<unknown> {
  return (
    page
      .frames()
      .find((one) => one.parentFrame() === page.mainFrame())
      ?.evaluate(expression) ?? assert.fail('no frame')
  )
}

async function openArchived(): Promise<void> {
  await navigateTo(page, '/')
  await page.getByRole('heading', { name: 'Crawls' }).waitFor()
  await navigateTo(page, `/pages/${version.page_id}`)
  await frame.getByRole('heading', { name: 'Hostile page' }).waitFor()
}

test('an archived page opens from the details of its URL, with its styles, images and frames', async () => {
  const { items: urls } = await client.listUrls({ params: { crawl_id }, query: { depth: 0 } })
  const { url_id } = urls.find(({ url }) => url === `${site.origin}/`) ?? assert.fail('the start URL is missing')
  await navigateTo(page, `/crawls/${crawl_id}/urls?url=${url_id}`)
  await page.getByRole('link', { name: 'View archived page' }).click()
  const heading = frame.getByRole('heading', { name: 'Hostile page' })
  await page.getByText('Images, style sheets and fonts are missing unless the crawl visited them').waitFor()
  await heading.waitFor()
  await waitUntil(
    page,
    async () => (await inFrame("getComputedStyle(document.querySelector('h1')).color")) === 'rgb(1, 2, 3)',
  )
  await waitUntil(page, async () => (await inFrame("document.querySelector('#own').naturalWidth")) === 2)
  await frame.frameLocator('#inner').getByText('framed').waitFor()
})

const IS_FORBIDDEN = '(run) => { try { run(); return false } catch { return true } }'

test('it has an origin of its own, without cookies and scripts', async () => {
  await openArchived()
  assert.equal(await inFrame('origin'), 'null')
  assert.equal(await inFrame('document.title'), 'Hostile')
  for (const expression of ['document.cookie', 'localStorage', 'parent.document']) {
    assert.equal(await inFrame(`(${IS_FORBIDDEN})(() => ${expression})`), true, expression)
  }
  const acting = 'script, form, object, embed, base, meta[http-equiv], link:not([rel=stylesheet])'
  assert.equal(await inFrame(`document.querySelectorAll(${JSON.stringify(acting)}).length`), 0)
  assert.deepEqual(cookies, [])
})

test('links lead to archived pages, and say so if there is none', async () => {
  await openArchived()
  await frame.locator('#next').click()
  await frame.getByRole('heading', { name: 'Next page' }).waitFor()
  await frame.getByRole('link', { name: 'Back' }).click()
  await frame.locator('#moved').click()
  await frame.getByRole('heading', { name: 'Next page' }).waitFor()
  await frame.getByRole('link', { name: 'Back' }).click()
  await frame.locator('#image').click()
  await frame.getByAltText('Archived image').waitFor()
  await openArchived()
  await frame.locator('#missing').click()
  await frame.getByRole('heading', { name: 'Not archived' }).waitFor()
  const live = frame.getByRole('link', { name: 'Open the live page' })
  assert.equal(await live.getAttribute('href'), `${site.canary.origin}/live`)
  assert.equal(page.context().pages().length, 1)
})

test('nothing on it leaves the archive, in its frame and by itself', async () => {
  await openArchived()
  for (const id of ['js', 'send', 'leave', 'base']) await frame.locator(`#${id}`).click()
  await frame.getByRole('heading', { name: 'Hostile page' }).waitFor()
  await page.getByRole('heading', { name: 'Archived page' }).waitFor()
  const requests = site.requests.length
  const { path } = await client.getPageReplay({ params: { page_id: version.page_id } })
  const alone = await openPage(browser)
  await alone.page.goto(app.address + path, { waitUntil: 'networkidle' })
  assert.equal(await alone.page.title(), 'Hostile')
  for (const id of ['js', 'send', 'leave']) await alone.page.locator(`#${id}`).click()
  assert.equal(new URL(alone.page.url()).pathname, new URL(app.address + path).pathname)
  await alone.page.context().close()
  assert.deepEqual([site.canary.connections(), site.requests.length - requests], [0, 0])
  assert.deepEqual(
    pageErrors.filter((error) => /alert|uncaught/.test(error)),
    [],
  )
})

test('a path of another crawl, a changed one and one of a revoked token show nothing', async () => {
  const { path } = await client.getPageReplay({ params: { page_id: version.page_id } })
  const [, , replayToken = ''] = path.split('/')
  const status = async (changed: string) => (await fetch(app.address + path.replace(replayToken, changed))).status
  assert.equal(await status(replayToken), 200)
  assert.equal(await status(replayToken.replace(crawl_id, anotherId(crawl_id))), 404)
  assert.equal(await status('x'), 404)
  const { items: tokens } = await client.listTokens()
  const { token: second } = await client.createToken({ body: { name: 'second', scope: 'read' } })
  const other = createClient({ baseUrl: app.address, token: second })
  const { path: otherPath } = await other.getPageReplay({ params: { page_id: version.page_id } })
  assert.equal((await fetch(app.address + otherPath)).status, 200)
  const { items: now } = await client.listTokens()
  const added = now.find(({ token_id }) => tokens.every((known) => known.token_id !== token_id))
  await client.revokeToken({ params: { token_id: added?.token_id ?? assert.fail('no token was added') } })
  assert.equal((await fetch(app.address + otherPath)).status, 404)
})

test('the scene around it is accessible', async () => {
  await openArchived()
  // The archived page is as accessible as it was.
  await page.locator('iframe').evaluate((element) => element.setAttribute('src', 'about:blank'))
  await checkAccessibility(page, () => page.getByRole('heading', { name: 'Archived page' }).waitFor())
})

test('clicked elements become rules, with what they extract from other pages; the page still runs nothing', async () => {
  const shop = await serveShop({ after })
  const shopId = await runCrawlToEnd({ client }, { urls: [`${shop}/lamps/1`] })
  const { items: copies } = await client.findPages({ query: { url: `${shop}/lamps/1` } })
  const [copy = assert.fail('the shop was not archived')] = copies
  assert.equal(copy.crawl_id, shopId)
  await navigateTo(page, `/pages/${copy.page_id}`)
  await page.getByRole('button', { name: 'Pick an element' }).click()
  await page.getByText('Click an element of the page').waitFor()
  await frame.getByText('11.50 EUR').click()
  await waitForSelector('.price')
  const rows = page.getByRole('table', { name: 'What the selector extracts' }).getByRole('row')
  await rows.filter({ hasText: '/lamps/3' }).getByText('13.50 EUR').waitFor()
  assert.equal(await rows.count(), 1 + 10)
  await page.getByLabel('Field name').fill('price')
  await page.getByRole('button', { name: 'Add field' }).click()

  // A link does not lead away, and an element without a name is found by its ancestor.
  await frame.getByText('Next lamp').click()
  await waitForSelector('#nav a')
  await frame.getByText('second cell').click()
  await waitForSelector('body > table:nth-of-type(1) > tbody:nth-of-type(1) > tr:nth-of-type(1) > td:nth-of-type(2)')
  await page.getByLabel('Field name').fill('cell')
  await page.getByRole('button', { name: 'Add field' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save' }).click()
  const rules = JSON.parse(await readFile(await (await saved).path(), 'utf8')) as { name: string; selector: string }[]
  assert.deepEqual(
    rules.map(({ name }) => name),
    ['price', 'cell'],
  )
  const { fields } = await client.extractFromPage({ params: { page_id: copy.page_id }, body: { rules } })
  assert.deepEqual(
    fields.map(({ value }) => value),
    ['11.50 EUR', 'second cell'],
  )
  assert.equal(await inFrame('window.hasRun'), undefined)
  assert.equal(await inFrame('origin'), 'null')
  assert.deepEqual(await findAccessibilityProblems(page), [])
  assert.deepEqual(cookies, [])
})

test('a hostile page does nothing more while elements are picked', async () => {
  await openArchived()
  await page.getByRole('button', { name: 'Pick an element' }).click()
  await page.getByText('Click an element of the page').waitFor()
  await frame.getByRole('heading', { name: 'Hostile page' }).click()
  await waitForSelector('h1')
  for (const expression of ['document.cookie', 'localStorage', 'parent.document'])
    assert.equal(await inFrame(`(${IS_FORBIDDEN})(() => ${expression})`), true, expression)
  assert.equal(await inFrame("document.querySelectorAll('script').length"), 1)
  const add =
    "const one = document.createElement('script'); one.textContent = 'window.hasRun = true'; document.body.append(one)"
  assert.equal(await inFrame(`(() => { ${add}; return window.hasRun })()`), undefined)
  assert.equal(site.canary.connections(), 0)
  assert.deepEqual(
    pageErrors.filter((error) => /alert|uncaught/.test(error)),
    [],
  )
})

function waitForSelector(selector: string): Promise<void> {
  const input = page.getByLabel('CSS selector')
  return waitUntil(page, async () => (await input.count()) === 1 && (await input.inputValue()) === selector)
}

/** A different id of the same form. */
function anotherId(id: string): string {
  return id.replace(/^./, (first) => (first === '0' ? '1' : '0'))
}

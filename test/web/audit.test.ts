import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveFlawedSite } from '../sites/flawed-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, runCrawlToEnd } from './testing/app-session.ts'
import { navigateTo, waitUntil } from './testing/browser.ts'

// One crawl serves all tests.
const site = await serveFlawedSite({ after })
const { app, page, pageErrors } = await openAppSession({ after })
const crawlId = await runCrawlToEnd(app, { url: `${site.origin}/` })
const address = `/crawls/${crawlId}/audit`
const drawer = page.getByRole('dialog')

test('a crawl is audited from its tab, and the result is there when the tab is opened again', async () => {
  await navigateTo(page, `/crawls/${crawlId}`)
  await page.getByRole('link', { name: 'Audit' }).click()
  await checkAccessibility(page, () => page.getByText('Not audited yet').waitFor())
  await page.getByRole('button', { name: 'Run audit' }).click()
  await page.getByRole('link', { name: /^Error Broken links .* 2$/ }).waitFor()
  await page.getByText('14 URLs, 10 archived pages examined.').waitFor()
  await page.getByText('Needs an earlier crawl with the same start URLs.').waitFor()
  await page.getByRole('region', { name: 'Passed' }).getByText('Redirect loops').waitFor()
  await navigateTo(page, `/crawls/${crawlId}/hosts`)
  await navigateTo(page, address)
  await checkAccessibility(page, () => page.getByRole('link', { name: /Orphan pages/ }).waitFor())
})

test('a rule says why it matters and what to do, and lists its findings with links to the URLs', async () => {
  await page.getByRole('link', { name: /Broken links/ }).click()
  await page.getByText('Visitors who follow the link see an error').waitFor()
  await page.getByText('Correct the link on the page').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'The old menu' })
  await row.getByText('Status 404').waitFor()
  await page.getByRole('columnheader', { name: 'Anchor text' }).waitFor()
  await checkAccessibility(page, () => page.getByText('The old menu').waitFor())
  await row.getByRole('link', { name: '/gone' }).click()
  await drawer.getByText('Not found', { exact: true }).first().waitFor()
  assert.equal(new URL(page.url()).searchParams.get('rule'), 'broken-links')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await row.waitFor()
})

test('findings are exported as CSV, of one rule or of all', async () => {
  const read = async () => {
    const href = await page.getByRole('link', { name: 'Export CSV' }).last().getAttribute('href')
    const response = await fetch(app.address + href)
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename=.*\.csv/)
    return (await response.text()).trim().split('\r\n')
  }
  assert.equal((await read()).length, 3)
  await page.getByRole('link', { name: 'All rules' }).click()
  await page.getByRole('link', { name: /Orphan pages/ }).waitFor()
  const all = await read()
  assert.ok(
    all.some((line) => line.startsWith(`orphan-pages,warning,${site.origin}/lonely,`)),
    all.join('\n'),
  )
})

test('another audit replaces the first one', async () => {
  const { finished_at: before } = await app.client.getAudit({ params: { crawl_id: crawlId } })
  await page.getByRole('button', { name: 'Audit again' }).click()
  await waitUntil(page, async () => {
    const { run, finished_at: finishedAt } = await app.client.getAudit({ params: { crawl_id: crawlId } })
    return run === null && finishedAt !== before
  })
  await page.getByRole('button', { name: 'Audit again' }).waitFor()
})

test('an audit of a crawl that visited nothing is no success', async () => {
  const emptyId = await runCrawlToEnd(app, { url: `${site.origin}/gone`, settings: { sitemaps: false } })
  await navigateTo(page, `/crawls/${emptyId}/audit`)
  await page.getByRole('button', { name: 'Run audit' }).click()
  await page.getByText('Needs visited pages, and this crawl has none.').first().waitFor()
  const findings = page.getByRole('region', { name: 'Findings' })
  await findings.getByText('Not checked').waitFor()
  assert.equal(await findings.getByText('Nothing found').count(), 0)
  assert.equal(await page.getByRole('region', { name: 'Passed' }).count(), 0)
  await navigateTo(page, `/crawls/${emptyId}/audit?rule=broken-links`)
  await findings.getByText('Not checked').waitFor()
})

test('no errors in the console', () => assert.deepEqual(pageErrors, []))

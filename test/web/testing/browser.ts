// A real Chromium that records console errors and alerts of its pages.

import { type Browser, chromium, type Page } from 'playwright-core'
import { type BrowserSearch, findBrowser } from '../../../src/render/find-browser.ts'
import type { CleanupContext } from '../../testing/program.ts'

/** Root in a container cannot use the sandbox. WebGL is rendered in software, as without a graphics card. */
const FLAGS = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--enable-unsafe-swiftshader']

/** Finds only the browser of the package, which has the same version on every machine. */
const PACKAGE_ONLY: BrowserSearch = { env: {}, resolvePackage: () => import.meta.resolve('@sparticuz/chromium') }

/** Generous, since a passing test never waits this long. */
export const TIMEOUT_MS = 60_000

export interface PageOptions {
  theme?: 'light' | 'dark'
  width?: number
}

export interface OpenedPage {
  page: Page
  /** Console errors and warnings, uncaught exceptions, alerts. */
  pageErrors: string[]
}

export async function openBrowser(t: CleanupContext): Promise<Browser> {
  const { path, env } = await findBrowser(null, PACKAGE_ONLY)
  const browser = await chromium.launch({ executablePath: path, env: { ...process.env, ...env }, args: FLAGS })
  t.after(() => browser.close())
  return browser
}

export async function openPage(
  browser: Browser,
  { theme = 'light', width = 1400 }: PageOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  const pageErrors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') pageErrors.push(message.text())
  })
  page.on('pageerror', (error) => pageErrors.push(`uncaught: ${error.message}`))
  page.on('dialog', (dialog) => {
    pageErrors.push(`alert: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, pageErrors }
}

/** Navigates within the open page, like a link. */
export async function navigateTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
}

/** Polls a condition. The content security policy forbids eval, so page.waitForFunction cannot be used. */
export async function waitUntil(page: Page, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${condition}`)
    await page.waitForTimeout(50)
  }
}

// A real Chromium. Whatever a page complains about in its console is kept, and whether it showed an alert.

import packed from '@sparticuz/chromium'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { CleanupContext } from '../../testing/program.ts'

/** Root in a container has no sandbox to give; WebGL is drawn in software, as in any browser without a graphics card. */
const FLAGS = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--enable-unsafe-swiftshader']

/** Generous, since it is only waited for what must come. */
export const TIMEOUT_MS = 60_000

export interface PageOptions {
  theme?: 'light' | 'dark'
  width?: number
}

export interface OpenedPage {
  page: Page
  /** Errors and warnings of the console, uncaught exceptions, alerts. */
  complaints: string[]
}

export async function openBrowser(t: CleanupContext): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: await packed.executablePath(), args: FLAGS })
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
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('dialog', (dialog) => {
    complaints.push(`alert: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, complaints }
}

/** To another scene in the open page, as a link leads there. */
export async function navigateTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
}

/** Asks until it is so. The server's policy lets no page make code from text, so a page cannot wait for an expression. */
export async function waitUntil(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + TIMEOUT_MS
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`it did not become so: ${isSo}`)
    await page.waitForTimeout(50)
  }
}

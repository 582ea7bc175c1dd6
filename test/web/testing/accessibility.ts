// What axe has against a page, by the rules of WCAG 2.2 at level AA.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

const RUN = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
  .then(({ violations }) => violations)`

/** Both themes and both widths, each once. */
const VIEWPORTS = [
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 1400 },
] as const

/** Checks what is open, which then is as it was. `ready` waits for what another width may have to draw anew. */
export async function checkAccessibility(page: Page, ready: () => Promise<void>): Promise<void> {
  for (const { theme, width } of VIEWPORTS) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    await ready()
    assert.deepEqual(await findAccessibilityProblems(page), [], `${page.url()} ${theme} ${width}`)
  }
}

/** Empty when there is nothing against it, and it is no wider than the window. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe)
  // Colours on their way from one theme to the other are no fault. One that is cancelled ends too.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))',
  )
  const found = (await page.evaluate(RUN)) as AxeViolation[]
  const faults = found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`))
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  return excess > 0 ? [...faults, `the page is ${excess} pixels wider than the window`] : faults
}

// Checks a page with axe against WCAG 2.2, level AA.

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

/** Both themes and both widths; in long runs every combination, and a window at 200% zoom. */
const VIEWPORTS = [
  ...(process.env['TEST_LONG'] === '1'
    ? ([
        { theme: 'light', width: 390 },
        { theme: 'dark', width: 640 },
        { theme: 'dark', width: 1400 },
      ] as const)
    : []),
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 1400 },
] as const

/** Checks the open page in each viewport. `ready` waits until the page is complete after a resize. */
export async function checkAccessibility(page: Page, ready: () => Promise<void>): Promise<void> {
  for (const { theme, width } of VIEWPORTS) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    await ready()
    assert.deepEqual(await findAccessibilityProblems(page), [], `${page.url()} ${theme} ${width}`)
  }
}

/** The violations, including a page that is wider than the window. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe)
  // Waits for colour transitions between themes; cancelled ones count as finished.
  await page.evaluate(
    `Promise.allSettled(
      document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished),
    )`,
  )
  const violations = (await page.evaluate(RUN)) as AxeViolation[]
  const problems = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  )
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  return excess > 0 ? [...problems, `the page is ${excess} pixels wider than the window`] : problems
}

// What axe has against a page, by the rules of WCAG 2.2 at level AA.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** Empty when there is nothing against it, and it is no wider than the window. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = (await page.evaluate(
    "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations)",
  )) as Finding[]
  const faults = found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`))
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  return excess > 0 ? [...faults, `the page is ${excess} pixels wider than the window`] : faults
}

export const VIEWS = [
  { theme: 'light', width: 1400 },
  { theme: 'dark', width: 1400 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
] as const

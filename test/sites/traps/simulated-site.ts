// Builds a simulated site: every page has the same lines above and below its own, as on most sites.

import { makeTextWriter, range, type TextWriter } from './text-writer.ts'

export interface SimulatedPage {
  /** Text with one line per block. */
  text: string
  links: string[]
  /** The target of a meta refresh. */
  refreshTo?: string
}

/** Returns the page of a path; null is a 404. */
export type PageLookup = (path: string) => SimulatedPage | null

export interface SiteItem {
  path: string
  title: string
}

export class SimulatedSite {
  readonly pages = new Map<string, SimulatedPage>()
  readonly writer: TextWriter
  readonly #menu: string[]

  constructor(seed: number, vocabulary?: number) {
    this.writer = makeTextWriter(seed, vocabulary)
    this.#menu = range(this.writer.random.below(20)).map(() => this.writer.words(1 + this.writer.random.below(3)))
  }

  readonly findPage: PageLookup = (path) => this.pages.get(path) ?? null

  add(path: string, lines: string[], links: string[]): void {
    this.pages.set(path, { text: this.withMenu(lines), links: ['/', ...links] })
  }

  withMenu(lines: string[]): string {
    const foot = ['Imprint and privacy', 'All rights reserved, no part may be copied']
    return ['Home', 'About us', ...this.#menu, ...lines, ...foot].join('\n')
  }

  link(from: string, to: string): void {
    this.pages.get(from)?.links.push(to)
  }

  /** Lists that link to all items, each list to the next one. Returns the path of the first. */
  addLists(items: SiteItem[], size: number, pathOf: (page: number) => string): string {
    const count = Math.ceil(items.length / size)
    for (const i of range(count)) {
      const shown = items.slice(i * size, (i + 1) * size)
      const next = i + 1 < count ? [pathOf(i + 2)] : []
      const lines = [`Page ${i + 1} of ${count}`, ...shown.map(({ title }) => title), 'Next']
      this.add(pathOf(i + 1), lines, [...shown.map(({ path }) => path), ...next])
    }
    return pathOf(1)
  }

  /** Pages that each link only to the next one. Returns the path of the first. */
  addChain(items: SiteItem[], linesOf: (siteItem: SiteItem) => string[]): string {
    for (const [i, item] of items.entries()) {
      const next = items[i + 1]
      this.add(item.path, [...linesOf(item), 'Previous', 'Next'], next === undefined ? [] : [next.path])
    }
    return items[0]?.path ?? '/'
  }
}

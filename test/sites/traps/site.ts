// A simulated site in the making: every page has the same lines above and below its own, as on most sites.

import { makeWriter, range, type Writer } from './words.ts'

export interface SimulatedPage {
  /** One line for each block. */
  text: string
  links: string[]
  /** The target of a meta refresh. */
  refreshTo?: string
}

/** Answers a path; null is 404. */
export type Answer = (path: string) => SimulatedPage | null

export interface Item {
  path: string
  title: string
}

export class Site {
  readonly pages = new Map<string, SimulatedPage>()
  readonly write: Writer
  readonly #menu: string[]

  constructor(seed: number, vocabulary?: number) {
    this.write = makeWriter(seed, vocabulary)
    this.#menu = range(this.write.random.below(20)).map(() => this.write.words(1 + this.write.random.below(3)))
  }

  readonly answer: Answer = (path) => this.pages.get(path) ?? null

  add(path: string, lines: string[], links: string[]): void {
    this.pages.set(path, { text: this.frame(lines), links: ['/', ...links] })
  }

  frame(lines: string[]): string {
    const foot = ['Imprint and privacy', 'All rights reserved, no part may be copied']
    return ['Home', 'About us', ...this.#menu, ...lines, ...foot].join('\n')
  }

  link(from: string, to: string): void {
    this.pages.get(from)?.links.push(to)
  }

  /** Lists that lead to all items, each list to the next one. Answers the path of the first. */
  addLists(items: Item[], size: number, pathOf: (page: number) => string): string {
    const count = Math.ceil(items.length / size)
    for (const i of range(count)) {
      const shown = items.slice(i * size, (i + 1) * size)
      const next = i + 1 < count ? [pathOf(i + 2)] : []
      const lines = [`Page ${i + 1} of ${count}`, ...shown.map(({ title }) => title), 'Next']
      this.add(pathOf(i + 1), lines, [...shown.map(({ path }) => path), ...next])
    }
    return pathOf(1)
  }

  /** Pages that each lead to the next one only. Answers the path of the first. */
  addChain(items: Item[], linesOf: (item: Item) => string[]): string {
    for (const [i, item] of items.entries()) {
      const next = items[i + 1]
      this.add(item.path, [...linesOf(item), 'Previous', 'Next'], next === undefined ? [] : [next.path])
    }
    return items[0]?.path ?? '/'
  }
}

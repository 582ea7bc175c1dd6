// Finds the pages that have a text in common with an earlier one.

import { TextGroups } from './text-groups.ts'

export interface FirstPage {
  urlId: number
  url: string
}

export class Duplicates {
  readonly #groups = new TextGroups()
  readonly #firstPages = new Map<number, FirstPage>()

  add(text: string): void {
    this.#groups.add(text)
  }

  /**
   * Called again for all texts: returns the first page with the text, or null if this page is the first or the only
   * one.
   */
  findFirst(text: string, page: FirstPage): FirstPage | null {
    const group = this.#groups.find(text)
    if (this.#groups.count(group) < 2) return null
    const first = this.#firstPages.get(group)
    if (first === undefined) this.#firstPages.set(group, { urlId: page.urlId, url: page.url })
    return first ?? null
  }
}

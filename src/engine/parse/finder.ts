/**
 * Finds the next place of one character from ever later positions of a page. The last answer is kept, so asking again
 * and again costs one pass over the page in all. Positions must not go back.
 */
export class Finder {
  readonly #html: string
  readonly #character: string
  #next = -1

  constructor(html: string, character: string) {
    this.#html = html
    this.#character = character
  }

  /** The first place at or after `pos`, or the length of the page. */
  from(pos: number): number {
    if (this.#next >= pos) return this.#next
    const at = this.#html.indexOf(this.#character, pos)
    this.#next = at === -1 ? this.#html.length : at
    return this.#next
  }
}

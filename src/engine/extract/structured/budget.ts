// Bounds what structured data of a page may take: characters of the result, and steps through the tree. A page may refer to
// the same elements again and again.

export const MAX_CHARACTERS = 200_000
const MAX_STEPS = 500_000
/** Longer values are cut. */
const MAX_VALUE_LENGTH = 5000

export class Budget {
  #characters = MAX_CHARACTERS
  #steps = MAX_STEPS

  /** Whether something was left out. */
  get isExhausted(): boolean {
    return this.#characters < 0 || this.#steps < 0
  }

  /** False if it no longer fits. */
  take(characters: number): boolean {
    this.#characters -= characters
    return !this.isExhausted
  }

  /** Something is left out. */
  exhaust(): void {
    this.#steps = -1
  }

  /** A step to another node. */
  step(): boolean {
    this.#steps -= 1
    return !this.isExhausted
  }

  /** Null if the text no longer fits. */
  value(text: string): string | null {
    const cut = text.slice(0, MAX_VALUE_LENGTH)
    return this.take(cut.length + 1) ? cut : null
  }
}

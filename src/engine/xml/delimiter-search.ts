/** Finds a mark such as `-->` in text that comes in pieces, though a cut may go through the mark. */
export class DelimiterSearch {
  #mark = ''
  // The last characters of the piece before, one fewer than the mark has.
  #tail = ''

  begin(mark: string): void {
    this.#mark = mark
    this.#tail = ''
  }

  /** The position after the mark, or -1 if it is not in this piece. */
  find(text: string, pos: number): number {
    const mark = this.#mark
    const tail = this.#tail
    if (tail !== '') {
      const at = (tail + text.slice(pos, pos + mark.length - 1)).indexOf(mark)
      if (at !== -1) return pos + at + mark.length - tail.length
    }
    const at = text.indexOf(mark, pos)
    if (at !== -1) return at + mark.length
    const kept = mark.length - 1
    this.#tail = (tail + text.slice(Math.max(pos, text.length - kept))).slice(-kept)
    return -1
  }
}

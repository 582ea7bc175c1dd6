/** Finds a delimiter such as `-->` in chunked text, even if a chunk boundary splits it. */
export class DelimiterSearch {
  #delimiter = ''
  // The last characters of the previous chunk, one fewer than the delimiter has.
  #tail = ''

  begin(delimiter: string): void {
    this.#delimiter = delimiter
    this.#tail = ''
  }

  /** The position after the delimiter, or -1 if it is not in this chunk. */
  find(text: string, pos: number): number {
    const delimiter = this.#delimiter
    const tail = this.#tail
    if (tail !== '') {
      const at = (tail + text.slice(pos, pos + delimiter.length - 1)).indexOf(delimiter)
      if (at !== -1) return pos + at + delimiter.length - tail.length
    }
    const at = text.indexOf(delimiter, pos)
    if (at !== -1) return at + delimiter.length
    const kept = delimiter.length - 1
    this.#tail = (tail + text.slice(Math.max(pos, text.length - kept))).slice(-kept)
    return -1
  }
}

// Sorts any number of lines within bounded memory: full buffers are sorted and written to a scratch file, then merged.

import type { FileRange, ScratchFile } from './scratch-file.ts'

/** Characters that are sorted at a time: about 10 ms, in which nothing else runs. */
const RUN_CHARS = 4 << 20

export class LineSorter {
  readonly #file: ScratchFile
  readonly #runChars: number
  readonly #runs: FileRange[] = []
  #lines: string[] = []
  #chars = 0

  constructor(file: ScratchFile, runChars = RUN_CHARS) {
    this.#file = file
    this.#runChars = runChars
  }

  /** Adds a line without its line break. */
  async add(line: string): Promise<void> {
    this.#lines.push(line)
    this.#chars += line.length
    if (this.#chars < this.#runChars) return
    const text = this.#takeSorted().join('\n')
    this.#runs.push(await this.#file.append(`${text}\n`))
  }

  /** All lines in order of their UTF-16 units. No line may be added afterwards. */
  async *sorted(): AsyncGenerator<string> {
    const heap: Cursor[] = []
    const sources = [...this.#runs.map((run) => this.#file.readLines(run)), asAsync(this.#takeSorted())]
    for (const source of sources) {
      const cursor = await nextLine(source)
      if (cursor !== null) insert(heap, cursor)
    }
    for (let [first] = heap; first !== undefined; [first] = heap) {
      yield first.line
      const following = await nextLine(first.source)
      if (following !== null) replaceFirst(heap, following)
      else removeFirst(heap)
    }
  }

  #takeSorted(): string[] {
    const lines = this.#lines.sort()
    this.#lines = []
    this.#chars = 0
    return lines
  }
}

interface Cursor {
  line: string
  source: AsyncGenerator<string>
}

async function* asAsync(lines: string[]): AsyncGenerator<string> {
  yield* lines
}

async function nextLine(source: AsyncGenerator<string>): Promise<Cursor | null> {
  const { done, value } = await source.next()
  return done === true ? null : { line: value, source }
}

// A binary heap: no entry is less than its parent at (i - 1) / 2.

function insert(heap: Cursor[], cursor: Cursor): void {
  let at = heap.length
  for (; at > 0; at = (at - 1) >> 1) {
    const parent = heap[(at - 1) >> 1]
    if (parent === undefined || parent.line <= cursor.line) break
    heap[at] = parent
  }
  heap[at] = cursor
}

function removeFirst(heap: Cursor[]): void {
  const last = heap.pop()
  if (last !== undefined && heap.length > 0) replaceFirst(heap, last)
}

function replaceFirst(heap: Cursor[], cursor: Cursor): void {
  let at = 0
  for (;;) {
    const left = heap[2 * at + 1]
    const right = heap[2 * at + 2]
    if (left === undefined) break
    const [smaller, childAt] = right !== undefined && right.line < left.line ? [right, 2 * at + 2] : [left, 2 * at + 1]
    if (cursor.line <= smaller.line) break
    heap[at] = smaller
    at = childAt
  }
  heap[at] = cursor
}

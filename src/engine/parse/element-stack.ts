/**
 * The kinds of elements on the stack: adjacent elements of the same kind form a run, and each template is its own run.
 */
export const FOREIGN = 1
export const HTML = 2
export const TEMPLATE = 4
const KINDS = FOREIGN | HTML | TEMPLATE

/** Deeper than any legitimate page; deeper elements are not tracked. */
const MAX_DEPTH = 10_000

/**
 * A stack of open elements. Each has a name and marks: its kind, and bits of the caller. Finding a name is one lookup
 * at any depth, because each element knows the next element of its name below: hostile pages stay linear.
 */
export class ElementStack {
  readonly #names: string[] = []
  readonly #marks: number[] = []
  // Start of the run of each element.
  readonly #runStarts: number[] = []
  // The element of the same name below, or -1.
  readonly #previousOfName: number[] = []
  readonly #last = new Map<string, number>()

  get size(): number {
    return this.#names.length
  }

  /** Name and marks of the innermost element; '' and 0 if there is none. */
  get name(): string {
    return this.#names.at(-1) ?? ''
  }

  get marks(): number {
    return this.#marks.at(-1) ?? 0
  }

  get runStart(): number {
    return this.#runStarts.at(-1) ?? 0
  }

  /** The marks of the element just outside the innermost run, or 0. */
  get outerMarks(): number {
    return this.runStart === 0 ? 0 : (this.#marks[this.runStart - 1] ?? 0)
  }

  /** Returns false if the stack is full. */
  push(name: string, marks: number): boolean {
    const size = this.#names.length
    if (size === MAX_DEPTH) return false
    const goesOn = (marks & KINDS) === (this.marks & KINDS) && (marks & TEMPLATE) === 0
    this.#runStarts.push(goesOn ? this.runStart : size)
    this.#names.push(name)
    this.#marks.push(marks)
    this.#previousOfName.push(this.#last.get(name) ?? -1)
    this.#last.set(name, size)
    return true
  }

  pop(): void {
    const name = this.#names.pop()
    const namesake = this.#previousOfName.pop()
    this.#marks.pop()
    this.#runStarts.pop()
    if (name === undefined || namesake === undefined) return
    if (namesake === -1) this.#last.delete(name)
    else this.#last.set(name, namesake)
  }

  popTo(size: number): void {
    while (this.#names.length > size) this.pop()
  }

  /** The innermost element of that name in the innermost run, or -1. */
  findInRun(name: string): number {
    const at = this.#last.get(name) ?? -1
    return at >= this.runStart ? at : -1
  }

  /** Like `findInRun`, for the next outer run and a name that the innermost run does not have. */
  findInOuterRun(name: string): number {
    const at = this.#last.get(name) ?? -1
    if (this.runStart === 0) return -1
    return at >= (this.#runStarts[this.runStart - 1] ?? 0) ? at : -1
  }
}

// Below this length a plain search is faster than keeping counts; above it, counts keep hostile pages linear.
const COUNT_FROM = 32

/** A stack of open elements of one kind, each with a name and the caller's marks. */
export class Run {
  readonly kind: 'template' | 'foreign' | 'html'
  readonly #names: string[] = []
  readonly #marks: number[] = []
  #counts: Map<string, number> | null = null

  constructor(kind: 'template' | 'foreign' | 'html') {
    this.kind = kind
  }

  get isEmpty(): boolean {
    return this.#names.length === 0
  }

  get lastName(): string {
    return this.#names[this.#names.length - 1] ?? ''
  }

  get lastMarks(): number {
    return this.#marks[this.#marks.length - 1] ?? 0
  }

  has(name: string): boolean {
    if (this.#counts !== null) return (this.#counts.get(name) ?? 0) > 0
    return this.#names.includes(name)
  }

  push(name: string, marks: number): void {
    this.#names.push(name)
    this.#marks.push(marks)
    if (this.#counts !== null) this.#count(name, 1)
    else if (this.#names.length > COUNT_FROM) this.#startCounting()
  }

  pop(): string | undefined {
    const name = this.#names.pop()
    this.#marks.pop()
    if (name !== undefined && this.#counts !== null) this.#count(name, -1)
    return name
  }

  /** Pops up to and including the innermost element of that name, which must be there. */
  popThrough(name: string): void {
    while (!this.isEmpty && this.pop() !== name);
  }

  #startCounting(): void {
    this.#counts = new Map()
    for (const name of this.#names) this.#count(name, 1)
  }

  #count(name: string, change: number): void {
    const counts = this.#counts
    if (counts === null) return
    const count = (counts.get(name) ?? 0) + change
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
}

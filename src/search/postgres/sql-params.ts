// The values of a statement that is put together from parts.

export class SqlParams {
  readonly values: unknown[] = []

  /** Answers how the statement names it. */
  add(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}

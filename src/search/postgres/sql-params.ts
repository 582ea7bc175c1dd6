// Collects the parameters of a statement that is built from parts.

export class SqlParams {
  readonly values: unknown[] = []

  /** Returns the placeholder for the value. */
  add(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}

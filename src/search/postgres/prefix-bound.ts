/** Sorts after everything with this prefix in collation "C". */
export function prefixUpperBound(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/** Comes after everything that begins so, byte by byte as the collation "C" compares. */
export function prefixUpperBound(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

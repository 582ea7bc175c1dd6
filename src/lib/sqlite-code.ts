/** The primary result code of a SQLite error; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : null
  return typeof code === 'number' ? code & 0xff : null
}

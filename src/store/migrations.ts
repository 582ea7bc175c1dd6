import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The migration files of a store, in order; `dir` is the folder of its code. */
export function migrationFiles(dir: string): string[] {
  const folder = join(dir, 'migrations')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(folder, name))
}

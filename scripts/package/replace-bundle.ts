// Replaces the bundle of a clone while processes may be running it.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** How long replaced chunks stay, for running processes that have not loaded all of them. */
const KEPT_MS = 7 * 86_400_000
const ENTRY_POINT = 'main.js'

/**
 * Moves the files of `built` to `dist`. Chunks have digests in their names, so a new bundle does not overwrite old ones.
 * The modification time of a replaced file is when it was replaced.
 */
export function replaceBundle(built: string, dist: string, now: number): void {
  const files = listFiles(built)
  const current = new Set(files)
  const replaced = listFiles(dist).filter((file) => !current.has(file))
  const modifiedMs = (file: string) => statSync(join(dist, file)).mtimeMs
  const lastBuiltMs = existsSync(join(dist, ENTRY_POINT)) ? modifiedMs(ENTRY_POINT) : Number.POSITIVE_INFINITY
  // Before that of the new entry point, so that the next bundle does not count them as part of this one.
  const replacedMs = statSync(join(built, ENTRY_POINT)).mtimeMs - 1
  for (const file of replaced)
    if (modifiedMs(file) >= lastBuiltMs) utimesSync(join(dist, file), replacedMs / 1000, replacedMs / 1000)
  for (const file of files.sort((a, b) => importOrder(a) - importOrder(b))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    renameSync(join(built, file), join(dist, file))
  }
  for (const file of replaced) if (now - modifiedMs(file) > KEPT_MS) rmSync(join(dist, file))
}

/** What a file imports comes before it: chunks, the entry points of threads, that of the program. */
function importOrder(file: string): number {
  if (file === ENTRY_POINT) return 2
  return file.startsWith('chunks/') ? 0 : 1
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

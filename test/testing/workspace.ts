// A temporary folder that is removed afterwards, however the process ends.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Workspace {
  /** Removes the folder with this name and returns its path; the caller creates it. */
  folder(name: string): string
  file(name: string): string
  remove(): void
}

export function makeWorkspace(parent = tmpdir()): Workspace {
  const root = mkdtempSync(join(parent, 'orbweaver-bench-'))
  const remove = () => rmSync(root, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    folder(name) {
      const path = join(root, name)
      rmSync(path, { recursive: true, force: true })
      return path
    },
    file: (name) => join(root, name),
    remove() {
      process.off('exit', remove)
      remove()
    },
  }
}

/** Turns Ctrl-C into `exit`, so that children are killed and folders removed. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}

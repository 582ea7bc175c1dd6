import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Step by step: Node's recursive way never comes back from a place where nothing can be made, such as /proc. */
export function makeFolder(dir: string): void {
  const path = resolve(dir)
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}

// Finds everything that a source file depends on: files that it imports or starts as threads, and packages.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const OWN_IMPORT = /(?:from|import\(|import|new URL\()\s*'(\.[^']+\.ts)'/g
const PACKAGE_IMPORT = /(?:from|import\(|require\(|(?:meta|require)\.resolve\()\s*'((?!node:)[a-z@][\w@/.-]*)'/g

export interface ImportClosure {
  /** Paths relative to the root. */
  files: Set<string>
  packages: Set<string>
}

export function findImportClosure(root: string, entry: string): ImportClosure {
  const importClosure: ImportClosure = { files: new Set([entry]), packages: new Set() }
  for (const file of importClosure.files) {
    // Type imports add no dependency.
    const text = readFileSync(join(root, file), 'utf8').replace(/^import type [^']*'[^']*'$/gm, '')
    for (const [, path = ''] of text.matchAll(OWN_IMPORT)) importClosure.files.add(join(dirname(file), path))
    for (const [, name = ''] of text.matchAll(PACKAGE_IMPORT)) importClosure.packages.add(packageOf(name))
  }
  return importClosure
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

// Selects pages of a folder: some of each subfolder, spread evenly over its sorted files.

import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { decodeHtml } from '../../src/engine/parse/charset/decode-html.ts'
import { wordsOf } from './html-text.ts'
import { type JudgedPage, judgePage } from './main-markers.ts'

/** Pages with less text say little about extraction. */
const MIN_WORDS = 50
/** Some extractors take minutes for larger pages. */
const MAX_BYTES = 300_000
/** Lists of everything, made for search and frames. */
const GENERATED =
  /genindex|modindex|\/search|allclasses|overview-frame|package-frame|doc-index|-all\.html|\/src\/|_modules/

export function readJudgedPages(folder: string, perFolder: number): Map<string, JudgedPage[]> {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
  const sets = new Map<string, JudgedPage[]>()
  for (const name of names.sort()) {
    const files = globSync('**/*.{html,htm}', { cwd: join(folder, name) }).filter((file) => !GENERATED.test(`/${file}`))
    const pages = spread(files.sort(), perFolder, (file) => readPage(join(folder, name, file), `${name}/${file}`))
    if (pages.length > 0) sets.set(name, pages)
  }
  return sets
}

/** Up to `count` results, from evenly spaced files; files without a result are replaced by the following ones. */
function spread<T>(files: string[], count: number, read: (file: string) => T | null): T[] {
  const found: T[] = []
  for (let part = 0; part < count; part++) {
    const end = Math.ceil((files.length * (part + 1)) / count)
    for (let i = Math.ceil((files.length * part) / count); i < end; i++) {
      const result = read(files[i] ?? '')
      if (result === null) continue
      found.push(result)
      break
    }
  }
  return found
}

function readPage(file: string, path: string): JudgedPage | null {
  const info = statSync(file, { throwIfNoEntry: false })
  if (info?.isFile() !== true || info.size > MAX_BYTES) return null
  const page = judgePage(decodeHtml(readFileSync(file), 'text/html').text, `https://docs.example/${path}`)
  return page !== null && wordsOf(page.reference).length >= MIN_WORDS ? page : null
}

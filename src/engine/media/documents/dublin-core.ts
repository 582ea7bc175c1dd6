// Reads the metadata of EPUB, OpenDocument and Office Open XML files, all of which use Dublin Core.

import { collapseSpaces } from '../../parse/characters.ts'
import { readXml } from '../../xml/read-xml.ts'
import type { ExtractedContent } from '../content-type.ts'

type Field = 'title' | 'author' | 'description' | 'keywords' | 'lang'

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['dc:title', 'title'],
  ['dc:creator', 'author'],
  ['dc:description', 'description'],
  ['dc:subject', 'keywords'],
  ['cp:keywords', 'keywords'],
  ['meta:keyword', 'keywords'],
  ['dc:language', 'lang'],
])
/** Fields that may occur several times. */
const LISTS: ReadonlySet<Field> = new Set(['author', 'keywords'])
const MAX_FIELD = 2048

export function readDublinCore(metadata: Buffer | null): Pick<ExtractedContent, Field> {
  const found = { title: '', author: '', description: '', keywords: '', lang: '' }
  if (metadata === null) return found
  let field: Field | undefined
  let text = ''
  readXml(metadata, {
    onText(piece) {
      if (field !== undefined && text.length < MAX_FIELD) text += piece
    },
    onTag({ name, isEnd }) {
      if (field !== undefined) add(found, field, collapseSpaces(text.slice(0, MAX_FIELD)))
      field = isEnd ? undefined : FIELDS.get(name)
      text = ''
    },
  })
  return found
}

function add(found: Record<Field, string>, field: Field, value: string): void {
  if (value === '') return
  if (found[field] === '') found[field] = value
  else if (LISTS.has(field)) found[field] = `${found[field]}, ${value}`.slice(0, MAX_FIELD)
}

// All content types. To add one, write its file and name it here: docs/content-types.md has an example.

import { DOCX } from './docx.ts'
import { EPUB } from './epub.ts'
import { FEED } from './feed.ts'
import { GZIP } from './gzip.ts'
import { HTML } from './html.ts'
import { ODT } from './odt.ts'
import { PDF } from './pdf.ts'
import { SITEMAP } from './sitemap.ts'
import { TEXT } from './text.ts'
import type { ContentType } from './type.ts'
import { XHTML } from './xhtml.ts'
import { XML } from './xml.ts'

const LIST = [HTML, XHTML, TEXT, FEED, SITEMAP, XML, PDF, EPUB, DOCX, ODT, GZIP] as const

export type KnownType = (typeof LIST)[number]['name']
export type NamedType = ContentType & { name: KnownType }

export const TYPES: readonly NamedType[] = LIST

const BY_NAME: ReadonlyMap<string, NamedType> = new Map(TYPES.map((type) => [type.name, type]))

export function typeNamed(name: KnownType | 'unknown'): NamedType | null {
  return BY_NAME.get(name) ?? null
}

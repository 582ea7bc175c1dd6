// All content types. To add one, write its file and list it here: docs/reference/content-types.md has an example.

import type { ContentType } from './content-type.ts'
import { DOCX } from './types/docx.ts'
import { EPUB } from './types/epub.ts'
import { FEED } from './types/feed.ts'
import { GZIP } from './types/gzip.ts'
import { HTML } from './types/html.ts'
import { ODT } from './types/odt.ts'
import { PDF } from './types/pdf.ts'
import { SITEMAP } from './types/sitemap.ts'
import { TEXT } from './types/text.ts'
import { XHTML } from './types/xhtml.ts'
import { XML } from './types/xml.ts'

const LIST = [HTML, XHTML, TEXT, FEED, SITEMAP, XML, PDF, EPUB, DOCX, ODT, GZIP] as const

export type ContentTypeName = (typeof LIST)[number]['name']
export type KnownContentType = ContentType & { name: ContentTypeName }

export const CONTENT_TYPES: readonly KnownContentType[] = LIST

const BY_NAME: ReadonlyMap<string, KnownContentType> = new Map(CONTENT_TYPES.map((type) => [type.name, type]))

export function findContentType(name: ContentTypeName | 'unknown'): KnownContentType | null {
  return BY_NAME.get(name) ?? null
}

import type { ContentType } from './type.ts'
import { beginsWithZip, zipMimetype } from './zip.ts'

export const EPUB = {
  name: 'epub',
  mediaTypes: ['application/epub+zip'],
  signature: null,
  roots: {},
  isInZip: (zip) => zipMimetype(zip) === 'application/epub+zip',
  isValid: beginsWithZip,
  isPage: false,
  isHeavy: () => true,
  extract: (body, { url, contentType, readDocument }) => readDocument({ type: 'epub', url, contentType, body }),
} as const satisfies ContentType

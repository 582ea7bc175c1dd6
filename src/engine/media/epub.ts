import type { ContentType } from './type.ts'
import { beginsWithZip, zipMimetype, zipNames } from './zip.ts'

export const EPUB = {
  name: 'epub',
  mediaTypes: ['application/epub+zip'],
  signature: null,
  roots: {},
  // Some programs leave out the mimetype that the standard asks for.
  isInZip: (zip) => zipMimetype(zip) === 'application/epub+zip' || zipNames(zip, 'META-INF/container.xml'),
  isValid: beginsWithZip,
  isPage: false,
  isHeavy: () => true,
  extract: (body, { url, contentType, readDocument }) => readDocument({ type: 'epub', url, contentType, body }),
} as const satisfies ContentType

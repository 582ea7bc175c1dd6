import type { ContentType } from '../content-type.ts'
import { isZip, mentionsZipEntry, zipMimetype } from '../zip-signature.ts'

export const EPUB = {
  name: 'epub',
  mediaTypes: ['application/epub+zip'],
  signature: null,
  roots: {},
  // Some programs omit the mimetype file that the standard requires.
  isInZip: (zip) => zipMimetype(zip) === 'application/epub+zip' || mentionsZipEntry(zip, 'META-INF/container.xml'),
  isValid: isZip,
  isPage: false,
  isHeavy: () => true,
  extract: (body, { url, contentType, readDocument }) => readDocument({ type: 'epub', url, contentType, body }),
} as const satisfies ContentType

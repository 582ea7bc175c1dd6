import type { ContentType } from '../content-type.ts'
import { isZip, mentionsZipEntry } from '../zip-signature.ts'

export const DOCX = {
  name: 'docx',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  signature: null,
  roots: {},
  isInZip: (zip) => mentionsZipEntry(zip, 'word/document.xml'),
  isValid: isZip,
  isPage: false,
  isHeavy: () => true,
  extract: (body, { url, contentType, readDocument }) => readDocument({ type: 'docx', url, contentType, body }),
} as const satisfies ContentType

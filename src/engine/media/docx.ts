import type { ContentType } from './type.ts'
import { beginsWithZip, zipNames } from './zip.ts'

export const DOCX = {
  name: 'docx',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  signature: null,
  roots: {},
  isInZip: (zip) => zipNames(zip, 'word/document.xml'),
  isValid: beginsWithZip,
  isPage: false,
  isHeavy: () => true,
  extract: (body, { url, contentType, readDocument }) => readDocument({ type: 'docx', url, contentType, body }),
} as const satisfies ContentType

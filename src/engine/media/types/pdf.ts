import type { ContentType } from '../content-type.ts'

/** The start of every PDF, though up to MAX_JUNK_BYTES of anything may precede it. */
const PDF_MARK = '%PDF-'
const MAX_JUNK_BYTES = 1024

export const PDF = {
  name: 'pdf',
  mediaTypes: ['application/pdf', 'application/x-pdf'],
  signature: PDF_MARK,
  roots: {},
  isInZip: null,
  isValid: (body) => body.subarray(0, MAX_JUNK_BYTES).includes(PDF_MARK),
  isPage: false,
  isHeavy: () => true,
  extract: (body, { url, contentType, readDocument }) => readDocument({ type: 'pdf', url, contentType, body }),
} as const satisfies ContentType

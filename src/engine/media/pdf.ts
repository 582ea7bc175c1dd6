import { MAX_JUNK_BYTES, PDF_MARK } from './pdf/limits.ts'
import type { ContentType } from './type.ts'

export const PDF = {
  name: 'pdf',
  mediaTypes: ['application/pdf', 'application/x-pdf'],
  signature: PDF_MARK,
  roots: {},
  isValid: (body) => body.subarray(0, MAX_JUNK_BYTES).includes(PDF_MARK),
  isPage: false,
  extract: (body, { readPdf }) => readPdf(body),
} as const satisfies ContentType

// Reads one document, in a document reader thread.

import type { ExtractedContent } from '../content-type.ts'
import type { DocumentLimits, DocumentRequest } from '../document-types.ts'
import { readDocx } from './read-docx.ts'
import { readEpub } from './read-epub.ts'
import { readGzip } from './read-gzip.ts'
import { readOdt } from './read-odt.ts'
import { readPdf } from './read-pdf.ts'

export function readDocument(
  { type, url, body }: DocumentRequest,
  limits: DocumentLimits,
): ExtractedContent | Promise<ExtractedContent> {
  switch (type) {
    case 'pdf':
      return readPdf(body, limits)
    case 'epub':
      return readEpub(body, limits)
    case 'docx':
      return readDocx(body, limits)
    case 'odt':
      return readOdt(body, limits)
    case 'gzip':
      return readGzip(body, url, limits)
  }
}

// Reads one document, in a thread that is there for it.

import type { DocumentLimits, DocumentRequest } from '../heavy.ts'
import type { Extracted } from '../type.ts'
import { readDocx } from './docx.ts'
import { readEpub } from './epub.ts'
import { readGzip } from './gzip.ts'
import { readOdt } from './odt.ts'
import { readPdf } from './pdf.ts'

export function readDocument(
  { type, url, body }: DocumentRequest,
  limits: DocumentLimits,
): Extracted | Promise<Extracted> {
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

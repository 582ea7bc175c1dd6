// Reads one document, in a document reader thread. Crawl threads never load this file: it loads every reader.

import type { ExtractedContent } from '../content-type.ts'
import type { DocumentLimits, DocumentRequest } from '../document-types.ts'
import { readDocx } from './read-docx.ts'
import { readEpub } from './read-epub.ts'
import { readGzip } from './read-gzip.ts'
import { readOdt } from './read-odt.ts'
import { readPdf } from './read-pdf.ts'

/** The readers by the name of their content type. */
export const DOCUMENT_READERS = {
  pdf: readPdf,
  epub: readEpub,
  docx: readDocx,
  odt: readOdt,
  gzip: readGzip,
}

export function readDocument(
  { type, url, body }: DocumentRequest,
  limits: DocumentLimits,
): ExtractedContent | Promise<ExtractedContent> {
  return DOCUMENT_READERS[type](body, limits, url)
}

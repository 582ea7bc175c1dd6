// Reads one document, in a document reader thread. Crawl threads never load this file: it loads every reader.

import type { ExtractedContent } from '../content-type.ts'
import type { DocumentLimits, DocumentRequest, DocumentType } from '../document-types.ts'
import { readDocx } from './read-docx.ts'
import { readEpub } from './read-epub.ts'
import { readGzip } from './read-gzip.ts'
import { readOdt } from './read-odt.ts'
import { readPdf } from './read-pdf.ts'

type DocumentReader = (
  body: Buffer,
  limits: DocumentLimits,
  url: string,
) => ExtractedContent | Promise<ExtractedContent>

const READERS: Record<DocumentType, DocumentReader> = {
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
  return READERS[type](body, limits, url)
}

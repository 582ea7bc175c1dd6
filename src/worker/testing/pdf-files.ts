// Builds PDF files for tests from objects numbered from 1; the first is the catalog.

import { deflateSync } from 'node:zlib'
import type { ExtractedContent } from '../../engine/media/content-type.ts'
import { DOCUMENT_LIMITS, type DocumentLimits } from '../../engine/media/document-types.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { DocumentPool } from '../documents/document-pool.ts'

export function makePdf(objects: readonly string[], trailer = ''): Buffer {
  let file = '%PDF-1.7\n'
  const entries: string[] = []
  objects.forEach((object, index) => {
    entries.push(`${String(file.length).padStart(10, '0')} 00000 n \n`)
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + table + end, 'latin1')
}

export function pdfStream(content: string, filter = ''): string {
  return `<< /Length ${content.length} ${filter} >>\nstream\n${content}\nendstream`
}

export const CATALOG = '<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>'
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

/** One page with the given lines of text; annotations are dictionaries; `font` defines /F1. */
export function onePageObjects(
  lines: readonly string[],
  annotations: readonly string[] = [],
  font = HELVETICA,
): string[] {
  const shown = lines.map((line, index) => `1 0 0 1 72 ${700 - 20 * index} Tm ${line} Tj`).join(' ')
  const resources = '/Resources << /Font << /F1 5 0 R >> >>'
  return [
    CATALOG,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${resources} /Annots [${annotations.join(' ')}] >>`,
    pdfStream(`BT /F1 12 Tf ${shown} ET`),
    font,
  ]
}

export function linkAnnotation(uri: string): string {
  return `<< /Type /Annot /Subtype /Link /Rect [72 690 200 712] /A << /S /URI /URI (${uri}) >> >>`
}

/** Many pages that share one content stream. */
export function manyPagePdf(count: number, content: string): Buffer {
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 3 0 R /Resources << /Font << /F1 4 0 R >> >> >>'
  const kids = Array.from({ length: count }, (_, index) => `${index + 5} 0 R`)
  const pages = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${count} >>`
  return makePdf([CATALOG, pages, pdfStream(content), HELVETICA, ...kids.map(() => page)])
}

/** One page whose content is this many spaces, compressed about a thousand to one. */
export function pdfBomb(unpackedBytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(unpackedBytes, ' ')).toString('latin1')
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>'
  const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
  return makePdf([CATALOG, pages, page, pdfStream(packed, '/Filter /FlateDecode')])
}

export interface PdfReader {
  read(body: Buffer): Promise<ExtractedContent>
  close(): Promise<void>
}

export function newPdfReader(limits: Partial<DocumentLimits> = {}, clock: Clock = systemClock): PdfReader {
  const pool = new DocumentPool(1, { ...DOCUMENT_LIMITS, ...limits }, clock)
  const about = { type: 'pdf' as const, url: 'https://a.test/a.pdf', contentType: 'application/pdf' }
  return { read: (body) => pool.read({ ...about, body }), close: () => pool.close() }
}

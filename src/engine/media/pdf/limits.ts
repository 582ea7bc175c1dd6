/** How every PDF begins, though up to MAX_JUNK_BYTES of anything may come before it. */
export const PDF_MARK = '%PDF-'
export const MAX_JUNK_BYTES = 1024

export interface PdfLimits {
  /** For one file, in the thread. */
  timeMs: number
  /** Of the objects and buffers of the thread, which itself takes 20; one that grows fast is caught a little later. */
  memoryMb: number
  /** Pages read; their number is told all the same. */
  maxPages: number
  maxChars: number
  maxLinks: number
}

export const PDF_LIMITS: Readonly<PdfLimits> = {
  timeMs: 20_000,
  memoryMb: 256,
  maxPages: 500,
  maxChars: 1 << 20,
  maxLinks: 10_000,
}

export const PDF_PROBLEMS = [
  'pdf_encrypted',
  'pdf_broken',
  'pdf_timeout',
  'pdf_too_large_for_memory',
  'pdf_text_incomplete',
  'pdf_stopped',
  'cut',
] as const
export type PdfProblem = (typeof PDF_PROBLEMS)[number]

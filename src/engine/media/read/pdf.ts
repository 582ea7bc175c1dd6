// Reads one PDF, in the thread that is there for it. The library is loaded with the first file. It gets bytes and
// nothing else: no address to fetch from, no fonts, no WebAssembly; scripts in a PDF are only ever run by a viewer.

import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs'
import { collapseSpaces } from '../../parse/characters.ts'
import type { DocumentLimits, DocumentProblem } from '../heavy.ts'
import { type Extracted, type ExtractedLink, NOTHING } from '../type.ts'

const SETTINGS = {
  verbosity: 0,
  useSystemFonts: false,
  disableFontFace: true,
  useWasm: false,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
  // An image that no one looks at need not be decoded.
  maxImageSize: 0,
}

export async function readPdf(body: Buffer, limits: DocumentLimits): Promise<Extracted> {
  // The library takes the bytes away.
  const mentionsEncryption = body.includes('/Encrypt')
  const { getDocument } = await import('unpdf/pdfjs')
  const missing = new Set<string>()
  const data = new Uint8Array(body.buffer, body.byteOffset, body.length)
  const task = getDocument({ ...SETTINGS, data, BinaryDataFactory: refuseData(missing) })
  try {
    const extracted = await readDocument(await task.promise, limits)
    // Character maps of East Asian fonts that are not in the file.
    const lacksMaps = missing.has('cMapUrl')
    return lacksMaps ? { ...extracted, problem: extracted.problem ?? 'pdf_text_incomplete' } : extracted
  } catch (error) {
    return { ...NOTHING, problem: problemOf(error, mentionsEncryption) }
  } finally {
    await task.destroy()
  }
}

/** A kind of encryption that the library does not know looks to it like a broken file. */
function problemOf(error: unknown, mentionsEncryption: boolean): DocumentProblem {
  const needsPassword = error instanceof Error && error.name === 'PasswordException'
  return needsPassword || mentionsEncryption ? 'pdf_encrypted' : 'pdf_broken'
}

/** What the library asks for when a file does not hold it; it goes on without. */
function refuseData(missing: Set<string>) {
  return class {
    async fetch({ kind }: { kind: string }): Promise<never> {
      missing.add(kind)
      throw new Error(`There is no ${kind}.`)
    }
  }
}

async function readDocument(document: PDFDocumentProxy, limits: DocumentLimits): Promise<Extracted> {
  const described = await describe(document)
  const pages = document.numPages
  const links: ExtractedLink[] = []
  let text = ''
  let failed = 0
  let next = 1
  const last = Math.min(pages, limits.maxPages)
  for (; next <= last && text.length < limits.maxChars; next++) {
    try {
      const page = await document.getPage(next)
      text += await readText(page, limits.maxChars - text.length)
      if (links.length < limits.maxLinks) links.push(...(await readLinks(page, limits.maxLinks - links.length)))
      page.cleanup()
    } catch {
      // The others may be whole.
      failed++
    }
  }
  const isCut = next <= pages || text.length >= limits.maxChars || links.length >= limits.maxLinks
  const problem = failed > 0 && failed === next - 1 ? 'pdf_broken' : isCut ? 'cut' : null
  return { ...NOTHING, ...described, text: text.trimEnd(), links, pages, problem }
}

async function describe(document: PDFDocumentProxy): Promise<Partial<Extracted>> {
  const { info, metadata } = await document.getMetadata().catch(() => ({ info: {}, metadata: null }))
  const say = (name: string) => clean(Reflect.get(info, name))
  return {
    title: say('Title') || clean(metadata?.get('dc:title')),
    author: say('Author') || clean(metadata?.get('dc:creator')),
    description: say('Subject'),
    keywords: say('Keywords'),
    lang: say('Language'),
  }
}

const MAX_FIELD = 2048

function clean(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : value
  return typeof text === 'string' ? collapseSpaces(text.slice(0, MAX_FIELD).replaceAll('\0', '')) : ''
}

async function readText(page: PDFPageProxy, maxChars: number): Promise<string> {
  const reader = page.streamTextContent().getReader()
  let text = ''
  while (text.length < maxChars) {
    const { done, value } = await reader.read()
    if (done) break
    for (const item of value.items) text += item.hasEOL ? `${item.str}\n` : item.str
  }
  if (text.length >= maxChars) await reader.cancel(new Error('There is enough text.'))
  return text === '' || text.endsWith('\n') ? text.slice(0, maxChars) : `${text.slice(0, maxChars - 1)}\n`
}

async function readLinks(page: PDFPageProxy, maxLinks: number): Promise<ExtractedLink[]> {
  const links: ExtractedLink[] = []
  for (const { subtype, url, unsafeUrl, overlaidText } of await page.getAnnotations()) {
    // `url` is there for absolute ones only.
    const href = clean(url ?? unsafeUrl)
    if (subtype === 'Link' && href !== '' && links.length < maxLinks) {
      links.push({ href, rel: '', text: clean(overlaidText) })
    }
  }
  return links
}

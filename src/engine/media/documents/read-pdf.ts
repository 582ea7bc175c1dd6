// Reads one PDF, in a document reader thread. The library is loaded with the first file. It only gets bytes: no address
// to fetch from, no fonts, no WebAssembly; scripts in a PDF are only run by a viewer.

import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs'
import { collapseSpaces } from '../../parse/characters.ts'
import { type ExtractedContent, NO_CONTENT } from '../content-type.ts'
import type { DocumentLimits, DocumentProblem } from '../document-types.ts'

const SETTINGS = {
  verbosity: 0,
  useSystemFonts: false,
  disableFontFace: true,
  useWasm: false,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
  // Images are never shown, so they need not be decoded.
  maxImageSize: 0,
}

export async function readPdf(body: Buffer, limits: DocumentLimits): Promise<ExtractedContent> {
  // The library transfers the bytes.
  const mentionsEncryption = body.includes('/Encrypt')
  const { getDocument } = await import('unpdf/pdfjs')
  const missing = new Set<string>()
  const data = new Uint8Array(body.buffer, body.byteOffset, body.length)
  const task = getDocument({ ...SETTINGS, data, BinaryDataFactory: rejectDataRequests(missing) })
  try {
    const extractedContent = await readDocument(await task.promise, limits)
    // Character maps of East Asian fonts that are not in the file.
    const lacksMaps = missing.has('cMapUrl')
    return lacksMaps
      ? { ...extractedContent, problem: extractedContent.problem ?? 'pdf_text_incomplete' }
      : extractedContent
  } catch (error) {
    return { ...NO_CONTENT, problem: problemOf(error, mentionsEncryption) }
  } finally {
    await task.destroy()
  }
}

/** An unsupported kind of encryption looks like a broken file to the library. */
function problemOf(error: unknown, mentionsEncryption: boolean): DocumentProblem {
  const needsPassword = error instanceof Error && error.name === 'PasswordException'
  return needsPassword || mentionsEncryption ? 'pdf_encrypted' : 'pdf_broken'
}

/** Rejects requests of the library for data that a file lacks; it continues without. */
function rejectDataRequests(missing: Set<string>) {
  return class {
    async fetch({ kind }: { kind: string }): Promise<never> {
      missing.add(kind)
      throw new Error(`${kind} is not available.`)
    }
  }
}

async function readDocument(document: PDFDocumentProxy, limits: DocumentLimits): Promise<ExtractedContent> {
  const described = await readMetadata(document)
  const pages = document.numPages
  const last = Math.min(pages, limits.maxPages)
  const links = await readLinks(document, last)
  const found: PdfLink[] = []
  let hasMoreLinks = false
  let text = ''
  let failed = 0
  let next = 1
  for (; next <= last && text.length < limits.maxChars; next++) {
    try {
      const page = await document.getPage(next)
      const onPage = links.get(next - 1) ?? []
      text += await readText(page, onPage, limits.maxChars - text.length)
      found.push(...onPage.slice(0, limits.maxLinks - found.length))
      hasMoreLinks ||= onPage.length > 0 && found.length >= limits.maxLinks
      page.cleanup()
    } catch {
      // The other pages may be intact, so reading continues.
      failed++
    }
  }
  const isCut = next <= pages || text.length >= limits.maxChars || hasMoreLinks
  const problem = failed > 0 && failed === next - 1 ? 'pdf_broken' : isCut ? 'cut' : null
  const linked = found.map(({ href, words }) => ({ href, rel: '', text: cleanText(words.join(' ')) }))
  return { ...NO_CONTENT, ...described, text: text.trimEnd(), links: linked, pages, problem }
}

async function readMetadata(document: PDFDocumentProxy): Promise<Partial<ExtractedContent>> {
  const { info, metadata } = await document.getMetadata().catch(() => ({ info: {}, metadata: null }))
  const say = (name: string) => cleanText(Reflect.get(info, name))
  return {
    title: [say('Title'), cleanText(metadata?.get('dc:title'))].find(isTitle) ?? '',
    author: say('Author') || cleanText(metadata?.get('dc:creator')),
    description: say('Subject'),
    keywords: say('Keywords'),
    lang: say('Language'),
  }
}

/** Ghostscript calls a document without a title "Untitled". */
function isTitle(title: string): boolean {
  return title !== '' && title.toLowerCase() !== 'untitled'
}

const MAX_FIELD = 2048
const MAX_WORDS = 100
/** Maximum number of links per page whose text is searched. */
const MAX_LABELLED = 500

function cleanText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : value
  return typeof text === 'string' ? collapseSpaces(text.slice(0, MAX_FIELD).replaceAll('\0', '')) : ''
}

async function readText(page: PDFPageProxy, links: readonly PdfLink[], maxChars: number): Promise<string> {
  const reader = page.streamTextContent().getReader()
  const labelled = links.slice(0, MAX_LABELLED)
  let text = ''
  while (text.length < maxChars) {
    const { done, value } = await reader.read()
    if (done) break
    for (const item of value.items as TextItem[]) {
      text += item.hasEOL ? `${item.str}\n` : item.str
      for (const link of labelled) addWords(link, item)
    }
  }
  if (text.length >= maxChars) await reader.cancel(new Error('The text limit is reached.'))
  return text === '' || text.endsWith('\n') ? text.slice(0, maxChars) : `${text.slice(0, maxChars - 1)}\n`
}

interface TextItem {
  str: string
  hasEOL: boolean
  /** The last two are the position of its first character. */
  transform: number[]
  width: number
}

interface PdfLink {
  href: string
  rect: readonly [left: number, bottom: number, right: number, top: number]
  /** Words inside its rectangle. */
  words: string[]
}

const LINK = 2
/** The library reads them one by one; no legitimate file has this many. */
const MAX_PAGES_LEFT_OUT = 100_000

/**
 * Links by page index. Annotations are requested by type: the library then skips the text of each link, for which it
 * would read every page with links a second time. That was 45% of the CPU time of a manual (2026-11).
 */
async function readLinks(document: PDFDocumentProxy, lastPage: number): Promise<Map<number, PdfLink[]>> {
  const links = new Map<number, PdfLink[]>()
  const pagesLeftOut = document.numPages - lastPage
  if (pagesLeftOut > MAX_PAGES_LEFT_OUT) return links
  const leftOut = new Set(Array.from({ length: pagesLeftOut }, (_, i) => lastPage + i))
  // A broken page costs the file its links, but not its text.
  const annotations = await document.getAnnotationsByType(new Set([LINK]), leftOut).catch(() => null)
  for (const { pageIndex, rect, url, unsafeUrl } of (annotations ?? []) as LinkAnnotation[]) {
    // `url` is only set for absolute ones.
    const target = cleanText(url ?? unsafeUrl)
    if (target === '') continue
    const href = EMAIL_ADDRESS.test(target) ? `mailto:${target}` : target
    const onPage = links.get(pageIndex) ?? []
    if (onPage.push({ href, rect, words: [] }) === 1) links.set(pageIndex, onPage)
  }
  return links
}

/** Writers of PDF files often leave out the scheme. A file can have an at sign in its name, such as `logo@2x.png`. */
const EMAIL_ADDRESS =
  /^[^\s@/?#:]+@[^\s@/?#:]+\.(?!(?:png|jpe?g|gif|svg|webp|pdf|x?html?|php|txt|xml|json|docx?|xlsx?|pptx?)$)\p{L}[^\s@/?#:.]+$/iu

interface LinkAnnotation {
  pageIndex: number
  rect: PdfLink['rect']
  url?: string
  unsafeUrl?: string
}

/** A word belongs to a link if its middle is inside; characters are assumed to be equally wide. */
function addWords({ rect, words }: PdfLink, { str, transform, width }: TextItem): void {
  const [left, bottom, right, top] = rect
  const [x = 0, y = 0] = transform.slice(-2)
  if (y < bottom || y > top || x > right || x + width < left || words.length >= MAX_WORDS) return
  for (const { 0: word, index } of str.matchAll(/\S+/g)) {
    const middle = x + ((index + word.length / 2) / str.length) * width
    if (middle >= left && middle <= right) words.push(word)
  }
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { isDocumentFailure } from '../../engine/media/document-types.ts'
import {
  CATALOG,
  linkAnnotation,
  makePdf,
  manyPagePdf,
  newPdfReader,
  onePageObjects,
  pdfBomb,
  pdfStream,
} from '../testing/pdf-files.ts'

const SMALL = { memoryMb: 64, maxPages: 20, maxChars: 1000, maxLinks: 5 }
const isKnown = (problem: string | null) =>
  problem === null || problem === 'cut' || problem === 'pdf_text_incomplete' || isDocumentFailure(problem)
const HELLO = makePdf(onePageObjects(['(Hello)']))

describe('a hostile PDF', () => {
  const reader = newPdfReader(SMALL)
  after(() => reader.close())

  const readsOn = async () => assert.equal((await reader.read(HELLO)).text, 'Hello')

  it('is given up if it decompresses to more than the memory limit', async () => {
    assert.equal((await reader.read(pdfBomb(300_000_000))).problem, 'pdf_too_large_for_memory')
    await readsOn()
  })

  it('is given up if its objects exceed the memory limit', async () => {
    const many = makePdf(onePageObjects([`[${'[1] '.repeat(3_000_000)}]`]))
    assert.equal((await reader.read(many)).problem, 'pdf_too_large_for_memory')
    await readsOn()
  })

  it('is read up to the page limit', async () => {
    const { text, pages, problem } = await reader.read(manyPagePdf(400, 'BT /F1 1 Tf (one) Tj ET'))
    assert.deepEqual([text.split('\n').length, pages, problem], [20, 400, 'cut'])
  })

  it('is read up to the limits of text and links', async () => {
    const links = Array.from({ length: 9 }, (_, index) => linkAnnotation(`https://a.test/${index}`))
    const {
      text,
      links: kept,
      problem,
    } = await reader.read(makePdf(onePageObjects([`(${'word '.repeat(2000)})`], links)))
    assert.deepEqual([text.length <= 1000, kept.length, problem], [true, 5, 'cut'])
  })

  it('is given up if it takes too long: the library is quadratic in saved states', async (t) => {
    const hasty = newPdfReader({ cpuMs: 200 })
    t.after(() => hasty.close())
    const file = makePdf(onePageObjects([`(a) Tj ${'q '.repeat(50_000)} (b)`]))
    assert.equal((await hasty.read(file)).problem, 'pdf_timeout')
  })

  const NESTED = {
    arrays: [CATALOG, `<< /Type /Pages /Kids ${'['.repeat(50_000)} >>`],
    dictionaries: [CATALOG, `<< /Type /Pages /Kids ${'<</A'.repeat(50_000)} >>`],
    'operators in a page': onePageObjects([`${'['.repeat(50_000)}`]),
    'pages inside themselves': [CATALOG, '<< /Type /Pages /Kids [2 0 R] /Count 9 >>'],
    'a stream that is its own length': [CATALOG.replace('2 0', '3 0'), '<< /Length 2 0 R >>\nstream\nendstream'],
    'a form that draws itself': [
      ...onePageObjects(['(a) Tj /X Do']).map((part) => part.replace('/Font', '/XObject << /X 6 0 R >> /Font')),
      pdfStream('/X Do', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>'),
    ],
    'more pages than it has': onePageObjects(['(a)']).map((part) => part.replace('/Count 1', '/Count 2000000000')),
  }

  for (const [what, objects] of Object.entries(NESTED)) {
    it(`ends with a result: ${what}`, async () => {
      const { problem } = await reader.read(makePdf(objects))
      assert.ok(isKnown(problem), String(problem))
      await readsOn()
    })
  }

  it('ends with a result, whatever its bytes', { timeout: 60_000 }, async () => {
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes]))
    const at = fc.tuple(fc.nat(HELLO.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    const damaged = fc.array(at, { minLength: 1, maxLength: 6 }).map((changes) => {
      const file = Buffer.from(HELLO)
      for (const [offset, bytes] of changes) file.set(bytes.subarray(0, file.length - offset), offset)
      return file
    })
    const cut = fc.nat(HELLO.length).map((length) => HELLO.subarray(0, length))
    await fc.assert(
      fc.asyncProperty(fc.oneof(noise, damaged, cut), async (file) => {
        const { problem } = await reader.read(file)
        assert.ok(isKnown(problem), String(problem))
      }),
      { numRuns: 150 },
    )
    await readsOn()
  })

  it('finds no code generation in the library', () => {
    const library = readFileSync(fileURLToPath(import.meta.resolve('unpdf/pdfjs')), 'utf8')
    assert.doesNotMatch(library, /new Function\(|[^.\w]eval\(/)
  })
})

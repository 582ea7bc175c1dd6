import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { NO_CONTENT } from '../../engine/media/content-type.ts'
import { linkAnnotation, makePdf, manyPagePdf, newPdfReader, onePageObjects } from '../testing/pdf-files.ts'

const INFO = '<< /Title (A  title) /Author (Ann) /Subject (What it is) /Keywords (a, b) >>'
const HELLO = makePdf(onePageObjects(['(Hello)']))

describe('a PDF', () => {
  const reader = newPdfReader()
  after(() => reader.close())

  it('has a title, author, text, links and a number of pages', async () => {
    const page = onePageObjects(
      ['(Hello world)', '(second line)'],
      [linkAnnotation('https://a.test/b'), linkAnnotation('c/d.html'), linkAnnotation('ann@a.test')],
    )
    assert.deepEqual(await reader.read(makePdf([...page, INFO], '/Info 6 0 R')), {
      title: 'A title',
      description: 'What it is',
      keywords: 'a, b',
      author: 'Ann',
      lang: 'en-GB',
      text: 'Hello world\nsecond line',
      links: [
        { href: 'https://a.test/b', rel: '', text: 'Hello world' },
        { href: 'c/d.html', rel: '', text: 'Hello world' },
        { href: 'mailto:ann@a.test', rel: '', text: 'Hello world' },
      ],
      pages: 1,
      problem: null,
    })
  })

  it('links to e-mail addresses without a scheme, and to files with an at sign', async () => {
    const targets = ['a@b.test', 'A.b@c.d.example', 'logo@2x.png', 'report@v2', 'plan@v2.PDF', 'a@v1.2']
    const [page, annotations] = [['(Hello)'], targets.map(linkAnnotation)]
    const { links } = await reader.read(makePdf(onePageObjects(page, annotations)))
    assert.deepEqual(
      links.map(({ href }) => href),
      targets.map((target) => (/test|example/.test(target) ? `mailto:${target}` : target)),
    )
  })

  it('whose title is "Untitled" has none', async () => {
    const file = makePdf([...onePageObjects(['(Hello)']), '<< /Title (Untitled) >>'], '/Info 6 0 R')
    assert.equal((await reader.read(file)).title, '')
  })

  it('is read even if there is junk before it', async () => {
    assert.equal((await reader.read(Buffer.concat([Buffer.from('junk\r\n'), HELLO]))).text, 'Hello')
  })

  it('is read even if its cross-reference table is not where it says', async () => {
    const lost = HELLO.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7')
    const { text, problem } = await reader.read(Buffer.from(lost, 'latin1'))
    assert.deepEqual([text, problem], ['Hello', null])
  })

  it('its scripts are neither run nor taken for links', async () => {
    const script =
      '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /JavaScript /JS (app.launchURL\\(1\\)) >> >>'
    assert.deepEqual((await reader.read(makePdf(onePageObjects(['(a)'], [script])))).links, [])
  })

  it('has a line of text per page', async () => {
    const { text, pages } = await reader.read(manyPagePdf(3, 'BT /F1 1 Tf (one) Tj ET'))
    assert.deepEqual([text, pages], ['one\none\none', 3])
  })

  it('that needs a password or has an unknown encryption is encrypted', async () => {
    const standard = `<< /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >>`
    for (const encryption of [standard, '<< /Filter /Unheard /V 9 >>']) {
      const file = makePdf([...onePageObjects(['(a)']), encryption], '/Encrypt 6 0 R /ID [<00> <00>]')
      assert.deepEqual(await reader.read(file), { ...NO_CONTENT, problem: 'pdf_encrypted' })
    }
  })

  it('that is not a PDF is broken', async () => {
    for (const content of ['', '%PDF-1.7\n', '<html>not here</html>', HELLO.subarray(0, 40)]) {
      assert.deepEqual(await reader.read(Buffer.from(content)), { ...NO_CONTENT, problem: 'pdf_broken' })
    }
  })

  it('with text in a font without a character map has incomplete text', async () => {
    const descendant = '/DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /F /CIDSystemInfo 6 0 R >>]'
    const font = `<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /UniJIS-UCS2-H ${descendant} >>`
    const system = '<< /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>'
    const { problem, pages } = await reader.read(makePdf([...onePageObjects(['<65E5672C>'], [], font), system]))
    assert.deepEqual([problem, pages], ['pdf_text_incomplete', 1])
  })
})

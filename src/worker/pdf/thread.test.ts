import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PDF_LIMITS } from '../../engine/media/pdf/limits.ts'
import { NOTHING } from '../../engine/media/type.ts'
import { ManualClock } from '../../lib/manual-clock.ts'
import { linkTo, makePdf, manyPages, newThread, onePage } from './fixture.ts'
import { PdfThread } from './thread.ts'

const INFO = '<< /Title (A  title) /Author (Ann) /Subject (What it is) /Keywords (a, b) >>'
const HELLO = makePdf(onePage(['(Hello)']))

describe('a PDF', () => {
  const thread = newThread()
  after(() => thread.close())

  it('gives its title, author, text, links and number of pages', async () => {
    const page = onePage(['(Hello world)', '(second line)'], [linkTo('https://a.test/b'), linkTo('c/d.html')])
    assert.deepEqual(await thread.read(makePdf([...page, INFO], '/Info 6 0 R')), {
      title: 'A title',
      description: 'What it is',
      keywords: 'a, b',
      author: 'Ann',
      lang: 'en-GB',
      text: 'Hello world\nsecond line',
      links: [
        { href: 'https://a.test/b', rel: '', text: 'Hello world' },
        { href: 'c/d.html', rel: '', text: 'Hello world' },
      ],
      pages: 1,
      problem: null,
    })
  })

  it('is read though there is junk before it', async () => {
    assert.equal((await thread.read(Buffer.concat([Buffer.from('junk\r\n'), HELLO]))).text, 'Hello')
  })

  it('is read though its table of objects is not where it says', async () => {
    const lost = HELLO.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7')
    const { text, problem } = await thread.read(Buffer.from(lost, 'latin1'))
    assert.deepEqual([text, problem], ['Hello', null])
  })

  it('has its scripts neither run nor taken for links', async () => {
    const script =
      '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /JavaScript /JS (app.launchURL\\(1\\)) >> >>'
    assert.deepEqual((await thread.read(makePdf(onePage(['(a)'], [script])))).links, [])
  })

  it('has a line for each of its pages', async () => {
    const { text, pages } = await thread.read(manyPages(3, 'BT /F1 1 Tf (one) Tj ET'))
    assert.deepEqual([text, pages], ['one\none\none', 3])
  })

  it('that needs a password, or a kind of encryption nobody knows, is encrypted', async () => {
    const standard = `<< /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >>`
    for (const encryption of [standard, '<< /Filter /Unheard /V 9 >>']) {
      const file = makePdf([...onePage(['(a)']), encryption], '/Encrypt 6 0 R /ID [<00> <00>]')
      assert.deepEqual(await thread.read(file), { ...NOTHING, problem: 'pdf_encrypted' })
    }
  })

  it('that is no PDF is broken', async () => {
    for (const content of ['', '%PDF-1.7\n', '<html>not here</html>', HELLO.subarray(0, 40)]) {
      assert.deepEqual(await thread.read(Buffer.from(content)), { ...NOTHING, problem: 'pdf_broken' })
    }
  })

  it('with text in a font whose map of characters it does not hold is told to be incomplete', async () => {
    const descendant = '/DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /F /CIDSystemInfo 6 0 R >>]'
    const font = `<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /UniJIS-UCS2-H ${descendant} >>`
    const system = '<< /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>'
    const { problem, pages } = await thread.read(makePdf([...onePage(['<65E5672C>'], [], font), system]))
    assert.deepEqual([problem, pages], ['pdf_text_incomplete', 1])
  })
})

describe('a thread for PDFs', () => {
  it('answers all it was asked, in order', async (t) => {
    const thread = newThread()
    t.after(() => thread.close())
    const words = ['one', 'two', 'three', 'four']
    const answers = words.map((word) => thread.read(makePdf(onePage([`(${word})`]))))
    assert.equal(thread.waiting, 3)
    assert.deepEqual(
      (await Promise.all(answers)).map(({ text }) => text),
      words,
    )
  })

  it('gives a file up when its time is over, and reads the next', async (t) => {
    const clock = new ManualClock()
    const thread = new PdfThread(PDF_LIMITS, clock)
    t.after(() => thread.close())
    const slow = thread.read(HELLO)
    const next = thread.read(HELLO)
    clock.advance(PDF_LIMITS.timeMs)
    assert.deepEqual(await slow, { ...NOTHING, problem: 'pdf_timeout' })
    assert.equal((await next).text, 'Hello')
  })

  it('answers what is left when it is closed, and all that comes later', async () => {
    const thread = newThread()
    const answers = [thread.read(HELLO), thread.read(HELLO)]
    await thread.close()
    answers.push(thread.read(HELLO))
    for (const answer of await Promise.all(answers)) assert.equal(answer.problem, 'pdf_stopped')
    await thread.close()
  })
})

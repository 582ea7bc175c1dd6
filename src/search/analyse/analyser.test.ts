import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NO_CONTENT } from '../../engine/media/content-type.ts'
import type { FeedPage } from '../../ports/index-feed.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { FIELDS, type IndexDocument, TERM_PATTERN } from '../../ports/search.ts'
import { Analyser, type PageSource } from './analyser.ts'
import { loadLanguageDetector } from './language-identifier.ts'

const detectLanguage = await loadLanguageDetector()

function pageAt(url: string, changes: Partial<PageVersion> = {}): FeedPage {
  const version = { id: 1, crawlId: 'c', url, version: 1, visitedAt: 5, expiresAt: null, lang: null, title: null }
  const facts = { contentType: 'text/html', httpStatus: 200, contentLength: 9, wireBytes: 10, fingerprint: null }
  return {
    version: { ...version, ...facts, ...changes } as PageVersion,
    urlId: 3,
    depth: 2,
    changedAt: 4,
    anchors: [],
    linkRank: 0.5,
    inlinks: 6,
    previous: null,
    hasUnreadLinks: true,
  }
}

function analyse(
  source: PageSource | string,
  analyser = new Analyser({ detect: detectLanguage, findEntities: null }),
  url = 'http://a.test/x',
) {
  return analyser.analyse(pageAt(url), typeof source === 'string' ? { html: source } : source)
}

const PAGE = `<html lang="en-US"><head><title>The Gardens</title><meta name="description" content="All about roses"></head>
<body><header><a href="/">Start here</a></header><nav><ul><li><a href="/about">About us</a><li><a href="/help">Helping hand</a></ul></nav>
<main><header><h1>Growing roses</h1></header><p>Roses were growing in the garden &amp; beyond. <a href="/thorns#x">Sharp thorns</a></p>
<aside>Sponsored hammer</aside><div><a href="/one">Ladder one</a> <a href="/two">Ladder two</a></div></main>
<footer>Copyright nobody</footer></body></html>`

describe('a page as a document', () => {
  it('has each part in its own field', () => {
    const { document } = analyse(PAGE)
    assert.deepEqual([document.title, document.lang, document.host], ['The Gardens', 'en', 'a.test'])
    assert.equal(document.terms.title, 'the garden')
    assert.equal(document.terms.headings, 'grow rose')
    assert.equal(document.terms.description, 'all about rose')
    assert.equal(document.terms.body, 'rose were grow in the garden beyond sharp thorn')
    assert.equal(document.terms.url, 'a test x')
    assert.equal(
      document.terms.boilerplate,
      'start here about us help hand ¶ sponsor hammer ¶ ladder on ladder two ¶ copyright nobodi',
    )
  })

  it('has boilerplate at the end of its text', () => {
    const [main = '', boilerplate = ''] = analyse(PAGE).document.text.split('\f')
    assert.deepEqual(main.split('\n').slice(0, 2), [
      'Growing roses',
      'Roses were growing in the garden & beyond. Sharp thorns',
    ])
    assert.equal(boilerplate.split('\n').at(-1), 'Copyright nobody')
  })

  it('provides anchor texts for the pages it links to, each once', () => {
    const analyser = new Analyser({ detect: detectLanguage, findEntities: null })
    const { anchors } = analyse(PAGE, analyser)
    assert.deepEqual(anchors.slice(0, 2), [
      { url: 'http://a.test/', text: 'Start here' },
      { url: 'http://a.test/about', text: 'About us' },
    ])
    assert.deepEqual(anchors.find(({ text }) => text === 'Sharp thorns')?.url, 'http://a.test/thorns')
    assert.deepEqual(analyse(PAGE, analyser, 'http://a.test/y').anchors, [])
    assert.equal(analyse('<a href="http://a.test/x">self</a><a href="#top">top</a>', analyser).anchors.length, 0)
    const elsewhere = analyse('<base href="/docs/"><a href="#top">The docs</a>', analyser)
    assert.deepEqual(elsewhere.anchors, [{ url: 'http://a.test/docs/', text: 'The docs' }])
  })

  it('includes the anchor texts of links to it', () => {
    const page = { ...pageAt('http://a.test/'), anchors: ['The best roses', 'Rose garden'] }
    const { document } = new Analyser({ detect: detectLanguage, findEntities: null }).analyse(page, {
      html: '<html lang=en><p>x',
    })
    assert.equal(document.terms.anchors, 'the best rose ¶ rose garden')
    assert.deepEqual([document.linkRank, document.inlinks, document.depth, document.urlId], [0.5, 6, 2, 3])
  })

  it('treats lines that many pages of a host share as boilerplate', () => {
    const analyser = new Analyser({ detect: detectLanguage, findEntities: null })
    const html = (n: number) => `<p>Subscribe to our letter today</p><p>Story number ${n} is told here at length</p>`
    const documents = Array.from({ length: 8 }, (_, n) => analyse(html(n), analyser, `http://a.test/${n}`).document)
    assert.match(documents[0]?.terms.body ?? '', /subscrib/)
    assert.equal(documents[7]?.terms.boilerplate.startsWith('subscrib'), true)
    assert.match(documents[7]?.terms.body ?? '', /stori number 7/)
    assert.match(analyse(html(1), analyser, 'http://b.test/').document.terms.body, /subscrib/)
  })

  it('is all body if a tag is unclosed', () => {
    assert.equal(analyse('<html lang=en><nav>One two three four').document.terms.body, 'on two three four')
  })

  it('has a menu as boilerplate, however long the menu and however short the text', () => {
    const menu = Array.from({ length: 200 }, (_, n) => `<li><label>Part ${n}</label> <a href="/${n}">Chapter ${n}</a>`)
    const { terms } = analyse(
      `<html lang=en><nav><ul>${menu.join('')}</ul></nav><main><p>Still to be written</main>`,
    ).document
    assert.equal(terms.body, 'still to be written')
    assert.match(terms.boilerplate, /^part 0 chapter 0/)
  })

  it('has text as text even if its tag is one of boilerplate', () => {
    const text = 'Everyone who rents a boat pays ten francs and gets a map of the lake. '.repeat(12)
    for (const [open, close] of [
      ['<header>', '</header>'],
      ['<aside>', '</aside>'],
      ['<nav>', ''],
    ]) {
      const { terms } = analyse(`<html lang=en>${open}<p>${text}</p>${close}<p>Loading please wait</p>`).document
      assert.match(terms.body, /^everyon who/, open)
    }
  })

  it('has no body if it is a list of links, but a target of links is not one', () => {
    const list = (attribute: string) => `<ul><li><a ${attribute}=x1>Red apples</a><li><a ${attribute}=x2>Pears</a></ul>`
    const links = analyse(list('href')).document.terms
    assert.deepEqual([links.body, links.boilerplate], ['', 'red apples ¶ pears'])
    assert.equal(analyse(list('name')).document.terms.body, 'red apples ¶ pears')
  })

  it('is in the language it is written in, whatever it declares', () => {
    const german =
      'Der Garten hinter dem Haus ist im Herbst besonders schön, wenn die Äpfel reif sind und die Blätter fallen.'
    assert.equal(analyse(`<html lang="en"><p>${german}`).document.lang, 'de')
    assert.equal(analyse(`<html lang="de-AT"><p>${german}`).document.lang, 'de')
    assert.equal(analyse(`<html lang="fr"><p>Ok`).document.lang, 'fr')
    assert.equal(analyse('<p>1 2 3').document.lang, null)
  })

  it('is in the language of its prose, however long its code is', () => {
    const code = `<pre>${'for (const line of lines) print the name of the line and the next value;\n'.repeat(60)}</pre>`
    const langOf = (lang: string, text: string) => analyse(`<html lang="${lang}"><main>${text}</main>`).document.lang
    for (const declared of ['ja', 'en']) {
      assert.equal(langOf(declared, `<p>ファイルを一行ずつ読み込むには、次のようにします。</p>${code}`), 'ja')
      assert.equal(langOf(declared, `<p>按行读取文件的方法如下，请注意文件的编码。</p>${code}`), 'zh')
    }
    const message = 'Der Garten hinter dem Haus ist im Herbst besonders schön, wenn die Äpfel reif sind. '.repeat(3)
    assert.equal(langOf('en', `<p>Messages sorted by date and by author</p><pre>${message}</pre>`), 'de')
    assert.equal(langOf('ja', code), 'en')
    const prose = 'The harbour was rebuilt after the storm, and the fishermen paid for it over many years. '.repeat(20)
    assert.equal(langOf('zh', `<p>返回 目录</p><pre>${prose}</pre>`), 'en')
    assert.equal(langOf('ru', `<p>Вернуться к оглавлению</p><pre>${prose}</pre>`), 'en')
  })

  it('is the same after many pages as after none', () => {
    const words = Array.from({ length: 50_000 }, (_, i) => `w${i.toString(36)}x`)
    const html = `<html lang="en"><title>Orchids</title><p>${words.join(' ')}<h2>Chrysanthemums</h2><p>And asters`
    const analyser = new Analyser({ detect: detectLanguage, findEntities: null })
    for (let n = 0; n < 3; n++) analyse(`<p>${words.map((word) => `${word}${n}`).join(' ')}`, analyser)
    const [fresh, used] = [analyse(html).document, analyse(html, analyser).document]
    assert.deepEqual(used.lines, fresh.lines)
    assert.deepEqual(used.terms, fresh.terms)
  })

  it('has the same boilerplate when it is reindexed, and counts once', () => {
    const analyser = new Analyser({ detect: detectLanguage, findEntities: null })
    const html = (n: number) => `<p>Subscribe to our letter today</p><p>Story number ${n} is told here at length</p>`
    const pages = Array.from({ length: 6 }, (_, n) => pageAt(`http://a.test/${n}`, { id: n + 1 }))
    const first = pages.map((page, n) => analyser.analyse(page, { html: html(n) }).document)
    assert.deepEqual(
      first.map(({ repeated }) => repeated.length),
      [0, 0, 0, 0, 1, 1],
    )
    const again = pages.map((page, n) => {
      const { pageId, version, lines, repeated, lang: ownLang } = first[n] ?? assert.fail('not analysed')
      const previous = { pageId, version, ownLang, lines, repeated }
      return analyser.analyse({ ...page, previous }, { html: html(n) }).document
    })
    const kept = (documents: IndexDocument[]) => documents.map((document) => ({ ...document, keywords: [], words: [] }))
    assert.deepEqual(kept(again), kept(first))
  })

  it('has distinctive keywords, and words for suggestions', () => {
    const analyser = new Analyser({ detect: detectLanguage, findEntities: null })
    const html = (word: string) =>
      `<html lang=en><title>${word}</title><p>The pages about this ${word} have words. ${word} again.`
    for (const word of ['oak', 'elm', 'fir', 'yew']) analyse(html(word), analyser)
    const { document } = analyse(html('maple'), analyser)
    assert.equal(document.keywords[0], 'maple')
    assert.ok(!document.keywords.includes('the'))
    assert.equal(document.words[0], 'maple')
    assert.ok(['the', 'pages'].every((word) => document.words.includes(word)))
  })

  it('is what an indexer reported about it, and the rest from its HTML', () => {
    const html = '<html lang=en><title>Old</title><meta name=description content=Yarn><p>Looms <a href=/y>Wheels</a>'
    const reported = { ...NO_CONTENT, title: 'New', text: 'Spindles turn.', isReported: true as const }
    const { document, anchors } = analyse({ html, reported })
    assert.deepEqual([document.title, document.text], ['New', 'Spindles turn.'])
    assert.deepEqual([document.terms.body, document.terms.description], ['spindl turn', 'yarn'])
    assert.deepEqual(anchors, [{ url: 'http://a.test/y', text: 'Wheels' }])
    const titled = analyse({ html, reported: { ...reported, text: '' } }).document
    assert.deepEqual([titled.title, titled.terms.body], ['New', 'loom wheel'])
  })

  it('may be a file other than HTML', () => {
    const extracted = { ...NO_CONTENT, title: 'A report', text: 'First line\nSecond lines', lang: 'en' }
    const { document, anchors } = analyse({ extracted })
    assert.deepEqual([document.title, document.terms.body, anchors], ['A report', 'first line ¶ second line', []])
    assert.equal(document.text, 'First line\nSecond lines')
  })

  it('never fails, and has only valid terms in its fields', () => {
    const analyser = new Analyser({ detect: detectLanguage, findEntities: null })
    const pieces = [
      '<p>',
      '</p>',
      '<nav>',
      '</nav>',
      '<h1>',
      '<a href="/x">',
      '</a>',
      '<main>',
      '</footer>',
      '&amp;',
      '<svg>',
      'words here',
      'été',
      '苹果',
      'ไทย',
      '😀',
      "l'a",
      '\0',
      '<td>',
      '<title>',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (list) => {
        const { document } = analyse(list.join(' '), analyser)
        for (const field of FIELDS)
          for (const term of document.terms[field].split(' ')) if (term !== '') assert.match(term, TERM_PATTERN)
        assert.ok(FIELDS.every((field) => !document.terms[field].includes('  ')))
      }),
      { numRuns: 500 },
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { copyCodes } from '../../engine/parse/utf16-codes.ts'
import { TERM_PATTERN } from '../../ports/search.ts'
import { toIndexTerm } from './index-terms.ts'
import { splitWords, urlToText } from './split-words.ts'
import { Tokeniser } from './tokeniser.ts'
import { WordTable } from './word-table.ts'

describe('words of a text', () => {
  it('are split at punctuation and lower-cased, and may contain digits', () => {
    assert.deepEqual(splitWords('The HTML5 spec, v2.1 (Straße & ÉTÉ)'), [
      'the',
      'html5',
      'spec',
      'v2',
      '1',
      'straße',
      'été',
    ])
    assert.deepEqual(splitWords('٣ ３'), ['3', '3'])
  })

  it('keep an inner apostrophe, and are split where it joins two words', () => {
    assert.deepEqual(splitWords("don't John’s l'été dell'arte o'neil ''"), [
      'dont',
      'johns',
      'l',
      'été',
      'dell',
      'arte',
      'o',
      'neil',
    ])
  })

  it('are pairs of ideographs, with the last one alone', () => {
    assert.deepEqual(splitWords('苹果树 a水b'), ['苹果', '果树', '树', 'a', '水', 'b'])
    assert.deepEqual(splitWords('서울'), ['서울', '울'])
    assert.deepEqual(splitWords('カナ。カ'), ['カナ', 'ナ', 'カ'])
  })

  it('in scripts without spaces come from a dictionary', () => {
    assert.deepEqual(splitWords('ภาษาไทย abc'), ['ภาษา', 'ไทย', 'abc'])
  })

  it('count as their NFKC form', () => {
    assert.deepEqual(splitWords('ＡＢＣ１２ ﬁle ﬂoẞ x² H₂O Ⅳ ℓ'), ['abc12', 'file', 'floß', 'x2', 'h2o', 'iv', 'l'])
    assert.deepEqual(splitWords('ﾃﾞｰﾀ パ ㍿ ㎏'), [...splitWords('データ'), 'パ', ...splitWords('株式会社'), 'kg'])
    assert.deepEqual(splitWords('cafe\u0301 a\u0308pfel'), ['café', 'äpfel'])
    assert.deepEqual(splitWords('\u1112\u1161\u11ab\u1100\u1173\u11af'), splitWords('한글'))
    assert.deepEqual(splitWords('𝐀𝐁 𠮷野家 a😀b Foo™'), ['ab', '𠮷野', '野家', '家', 'a', 'b', 'foo'])
    assert.deepEqual(splitWords('\ud83d a \ude00 b'), ['a', 'b'])
  })

  it('of ideographs follow the pairs of their run, with a mark, if asked for', () => {
    const table = new WordTable(100)
    const tokens = new Tokeniser(table, { marksWords: true })
    const text = '東京都の茶 サーバー 서울'
    tokens.add(copyCodes(text), 0, text.length)
    tokens.flush()
    assert.deepEqual(
      Array.from(tokens.ids.subarray(0, tokens.count), (id) => table.wordOf(id)),
      ['東京', '京都', '都の', 'の茶', '茶', '東京·', '都·', '茶·', 'サー', 'ーバ', 'バー', 'ー', '서울', '울'],
    )
  })

  it('include names with signs after the same name without them', () => {
    assert.deepEqual(splitWords('C++ and C#, g++17; a+b i++ +1 c#x x## issue# F#'), [
      ...['c', 'c＋＋', 'and', 'c', 'c＃', 'g', '17', 'a', 'b', 'i', 'i＋＋', '1', 'c', 'x', 'x', 'issue', 'f', 'f＃'],
    ])
    for (const lang of ['en', 'de', 'fr', 'ru', 'tr', null]) assert.equal(toIndexTerm('c＋＋', lang), 'c＋＋')
  })

  it('include names with a leading dot before the same name without it', () => {
    assert.deepEqual(splitWords('.NET Core, ASP.NET (.htaccess) /.env *.js x ..a ...b 1 .5 end. f().g'), [
      ...['．net', 'net', 'core', 'asp', 'net', '．htaccess', 'htaccess', '．env', 'env', '．js', 'js', 'x', 'a', 'b'],
      ...['1', '5', 'end', 'f', 'g'],
    ])
    for (const lang of ['en', 'de', null]) assert.equal(toIndexTerm('．files', lang), '．files')
  })

  it('are truncated if too long, without affecting other words', () => {
    assert.deepEqual(splitWords(`${'a'.repeat(100)} b`), ['a'.repeat(40), 'b'])
  })

  it('are the same however the text is chunked', () => {
    const letters = fc.constantFrom(...Array.from("aZé9 -+#'’苹果ไท서.\n\0😀𠮷ﬁ\u0301ﾃﾞ"), '\ud83d', '\ude00')
    const texts = fc.tuple(fc.string({ unit: letters, maxLength: 40 }), fc.nat(40))
    fc.assert(
      fc.property(texts, ([text, at]) => {
        const table = new WordTable(1000)
        const tokens = new Tokeniser(table, { marksWords: false })
        const codes = copyCodes(text)
        const cut = Math.min(at, text.length)
        tokens.add(codes, 0, cut)
        tokens.add(codes, cut, text.length)
        tokens.flush()
        assert.deepEqual(
          Array.from(tokens.ids.subarray(0, tokens.count), (id) => table.wordOf(id)),
          splitWords(text),
        )
      }),
    )
  })

  it('become valid index terms', () => {
    for (let code = 0; code < 0x10000; code++) {
      for (const word of splitWords(String.fromCharCode(code))) assert.match(toIndexTerm(word, null), TERM_PATTERN)
    }
    const languages = [null, 'en', 'de', 'fr', 'ru', 'ar', 'tr', 'hi', 'fi', 'hu', 'el', 'xx']
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom(...languages), (text, lang) => {
        for (const word of splitWords(text)) assert.match(toIndexTerm(word, lang), TERM_PATTERN)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a word table', () => {
  it('gives a word one number, and reports when it is full', () => {
    const table = new WordTable(2)
    const idOf = (word: string) => table.idOf(copyCodes(word), word.length)
    assert.deepEqual([idOf('a'), idOf('b'), idOf('a'), idOf('c'), idOf('b')], [0, 1, 0, -1, 1])
    assert.deepEqual([table.wordOf(1), table.size], ['b', 2])
  })

  it('distinguishes many words', () => {
    const table = new WordTable(5000)
    const ids = Array.from({ length: 5000 }, (_, i) => table.idOf(copyCodes(`w${i}`), `w${i}`.length))
    assert.equal(new Set(ids).size, 5000)
    assert.equal(table.wordOf(ids[4321] ?? 0), 'w4321')
  })
})

describe('terms', () => {
  it('are stems without accents; numbers stay', () => {
    assert.equal(toIndexTerm('running', 'en'), toIndexTerm('runs', 'en'))
    assert.equal(toIndexTerm('häuser', 'de'), toIndexTerm('häusern', 'de'))
    assert.equal(toIndexTerm('naïve', 'en'), toIndexTerm('naive', 'en'))
    assert.equal(toIndexTerm('running', null), 'running')
    assert.equal(toIndexTerm('mp3s', 'en'), 'mp3s')
    assert.equal(toIndexTerm('straße', null), 'strasse')
  })

  it('of a URL are its host and path', () => {
    assert.deepEqual(splitWords(urlToText('https://www.example.com/Some-Page/caf%C3%A9_%FF?x=1')), [
      'example',
      'com',
      ...splitWords('/Some-Page/caf  _ '),
    ])
    assert.deepEqual(splitWords(urlToText('http://a.test/caf%C3%A9')), ['a', 'test', 'café'])
  })
})

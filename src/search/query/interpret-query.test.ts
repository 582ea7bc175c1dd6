import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NO_FILTER, type QueryNode, TERM_PATTERN } from '../../ports/search.ts'
import { toFtsMatch } from '../sqlite/read/fts-match.ts'
import { interpretQuery } from './interpret-query.ts'
import { parseSynonyms } from './synonyms.ts'
import { NO_FORMS } from './word-forms.ts'

const NOW = Date.UTC(2026, 10, 15)
const DAY_MS = 86_400_000
const SYNONYMS = parseSynonyms('# cars\ncar, automobile, motor vehicle\n')

const read = (text: string, languages: string[] = ['en']) =>
  interpretQuery(text, { languages, synonyms: SYNONYMS, forms: NO_FORMS, now: NOW })
/** The query in FTS5 syntax, which is short to write down. */
const match = (text: string, languages?: string[]) => {
  const node = read(text, languages).text
  return node === null ? null : toFtsMatch(node)
}
const filterOf = (text: string) => {
  const { filter } = read(text)
  return Object.fromEntries(
    Object.entries(filter).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(NO_FILTER[name as never]),
    ),
  )
}

describe('a query', () => {
  it('of prose is not taken for syntax', () => {
    for (const [text, expected] of [
      ['accommodation (in a restaurant)', '("accommod" AND "restaur")'],
      ['I have a dream', '"dream"'],
      ['what is "information science"?', '"inform" + "scienc"'],
      ['to be ?', '("to" AND "be")'],
      ['e.g. apple - pear', '("appl" AND "pear")'],
      ['apple, (pear); [plum]! -- ...', '("appl" AND "pear" AND "plum")'],
      ['printf() of (?) main(argc, argv)', '("printf" AND "main" AND "argc" AND "argv")'],
      ['git rebase -i', '("git" AND "rebas")'],
      ['-h of tar -x, -1', '("h" AND "tar" AND "x" AND "1")'],
      ['5.25" floppy disk', '("5" + "25" AND "floppi" AND "disk")'],
      ['"floppy disk', '("floppi" AND "disk")'],
      ['"windows 95" disk', '("window" + "95" AND "disk")'],
      ['multi-targeted compilers; TCOLL', '(("multi" + "target" OR "multitarget") AND "compil" AND "tcoll")'],
    ] as const) {
      assert.deepEqual([match(text), read(text).warning], [expected, null], text)
    }
  })

  it('finds a hyphenated word in sequence or written together', () => {
    assert.equal(match('wi-fi'), '("wi" + "fi" OR "wifi")')
    assert.equal(match('node.js'), '("node" + "js" OR "nodej")')
    assert.equal(match('snake_case'), '("snake" + "case" OR "snakecas")')
    assert.equal(match('3.5'), '"3" + "5"')
    assert.equal(match('compiler -C++'), '("compil" NOT "c＋＋")')
    assert.equal(match('compiler NOT c'), '("compil" NOT "c")')
    assert.equal(match('apple -wi-fi'), '("appl" NOT ("wi" + "fi" OR "wifi"))')
  })

  it('finds C++ and C# by their own terms', () => {
    assert.equal(match('C++ compiler'), '("c＋＋" AND "compil")')
    assert.equal(match('c#'), '"c＃"')
    assert.equal(match('.NET framework'), '("．net" AND "framework")')
    assert.equal(match('".NET framework"'), '"．net" + "net" + "framework"')
    assert.equal(match('"C++ compiler"'), '"c" + "c＋＋" + "compil"')
  })

  it('of words only may match any of them', () => {
    for (const [text, expected] of [
      ['red apples', '("red" OR "appl")'],
      ['the accommodation (in a restaurant)', '("accommod" OR "restaur")'],
      ['apple site:a.test pear', '("appl" OR "pear")'],
      ['time-sharing', '("time" OR "share" OR "timeshar")'],
      ['state-of-the-art wi-fi', '("state" OR "art" OR "stateoftheart" OR "wi" OR "fi" OR "wifi")'],
      ['apple U.S.A. 10:30', '("appl" OR ("u" + "s" + "a" OR "usa") OR "10" + "30")'],
      ['appl* pear', '("appl" * OR "pear")'],
      ['v1.2.3', '(("v1" + "2" + "3" OR "v123") OR "1" + "2" + "3")'],
    ] as const) {
      const { anyWordText, isOnlyWords } = read(text)
      assert.deepEqual([anyWordText === null ? null : toFtsMatch(anyWordText), isOnlyWords], [expected, true], text)
    }
    for (const text of ['apple', 'the apple', 'site:a.test', '10:30']) assert.equal(read(text).anyWordText, null, text)
  })

  it('keeps what was typed with an operator when any word may match', () => {
    for (const [text, expected] of [
      ['"red apple" pear plum', '("red" + "appl" AND ("red" + "appl" OR "pear" OR "plum"))'],
      [
        'pears about plums cherries quinces figs dates "red apple"',
        '("pear" OR "plum" OR "cherri" OR "quinc" OR "fig" OR "date" OR "red" + "appl" OR "red" OR "appl")',
      ],
      ['title:apple pear', '(title : ("appl") AND (title : ("appl") OR "pear"))'],
      ['apple pear -plum', '(("appl" OR "pear") NOT "plum")'],
    ] as const) {
      const { anyWordText, isOnlyWords } = read(text)
      assert.deepEqual([anyWordText === null ? null : toFtsMatch(anyWordText), isOnlyWords], [expected, false], text)
    }
    for (const text of [
      'apple AND pear',
      'apple OR pear plum',
      '(apple OR pear) plum',
      'apple NEAR pear plum',
      '"apple"',
    ]) {
      assert.equal(read(text).anyWordText, null, text)
    }
  })

  it('has the stop words of its language, which need not be the most common one', () => {
    assert.equal(match('die hard', ['en', 'de']), '("die" AND "hard")')
    assert.equal(match('wo ist der Hund', ['en', 'de']), '"hund"')
    assert.equal(match('comment plier avec un fer', ['en', 'es', 'fr']), '(("plier" OR "pli") AND "fer")')
    // Languages without stop words take no place among the most common ones.
    assert.equal(match('wo ist der Hund', ['en', 'ja', 'zh', 'ko', 'th', 'he', 'de']), '"hund"')
  })

  it('has elided articles as words of their own', () => {
    assert.equal(match("MINE D'OR", ['fr']), match("mine d'or", ['fr']))
    assert.equal(match("l'arbre d’hiver", ['fr']), '("arbre" AND "hiv")')
    assert.equal(match("qu'est-ce qu'un arbre ?", ['en', 'fr']), '("arbr" OR "arbre")')
    assert.equal(match("un'altra parte dell'albero", ['it']), match('altra parte albero', ['it']))
    assert.equal(match("o'reilly"), '("o" + "reilli" OR "oreilli")')
  })

  it('requires all of its words, stemmed, without stop words', () => {
    assert.equal(match('running gardens'), '("run" AND "garden")')
    assert.equal(match('the gardens of Babylon'), '("garden" AND "babylon")')
    assert.equal(match('to be or not to be')?.includes('"be"'), true)
    assert.equal(match('Garden'), '"garden"')
  })

  it('supports phrases, prefixes and NEAR', () => {
    assert.equal(match('"the lord of rings"'), '"the" + "lord" + "of" + "ring"')
    assert.equal(match('gard*'), '"gard" *')
    assert.equal(match('apple*'), '("apple" * OR "appl")')
    assert.equal(match('ga*'), '"ga"')
    assert.equal(match('aaaa* bbbb* cccc* dddd* eeee*')?.split(' *').length, 5)
    assert.match(read('aaaa* bbbb* cccc* dddd* eeee*').warning ?? '', /only the first 4 prefixes/i)
    assert.equal(match('山 OR 川 OR 田 OR 木 OR 水 OR 火')?.split(' *').length, 5)
    assert.equal(match('apple NEAR pear'), 'NEAR("appl" "pear", 10)')
    assert.equal(match('apple NEAR/3 pear NEAR/2 plum'), 'NEAR("appl" "pear" "plum", 3)')
    assert.equal(match('“smart quotes”'), '"smart" + "quot"')
  })

  it('without a positive word asks for one', () => {
    for (const text of ['-pear', '-pear -plum', 'site:a.test -pear', '-(pear OR plum) NOT apple']) {
      assert.equal(read(text).text, null, text)
      assert.match(read(text).warning ?? '', /needs at least one word that is not excluded/, text)
    }
    assert.equal(read('apple -pear').warning, null)
  })

  it('supports AND, OR, NOT and parentheses', () => {
    assert.equal(match('red OR green blue'), '("red" OR ("green" AND "blue"))')
    assert.equal(match('(red OR green) AND blue'), '(("red" OR "green") AND "blue")')
    assert.equal(match('apple -pear NOT plum'), '("appl" NOT ("pear" OR "plum"))')
    assert.equal(match('apple NOT (pear OR plum)'), '("appl" NOT ("pear" OR "plum"))')
    assert.equal(match('cats and dogs'), '("cat" AND "dog")')
    assert.equal(match('-pear'), null)
  })

  it('searches a single field on request', () => {
    assert.equal(match('title:Apples pie'), '(title : ("appl") AND "pie")')
    assert.equal(match('title:"apple pie"'), 'title : ("appl" + "pie")')
    assert.equal(match('url:blog*'), 'url : ("blog" *)')
  })

  it('finds a word by its stem in any language of the index', () => {
    assert.equal(match('running', ['en', 'de']), '("run" OR "running")')
    assert.equal(match('running lang:de', ['en', 'de']), '"running"')
    assert.equal(match('"running dogs"', ['en', 'de']), '("run" + "dog" OR "running" + "dog")')
    assert.equal(match('running', []), '"running"')
  })

  it('finds a word in a language of its script, however many others are more common', () => {
    const six = ['en', 'de', 'fr', 'es', 'it', 'ru']
    assert.equal(match('яблоко', six), '("яблок" OR "яблоко")')
    assert.equal(match('lang:ru яблоко', six), '"яблок"')
    assert.equal(match('"яблоки домами"', six), '("яблок" + "дом" OR "яблоки" + "домами")')
    assert.equal(match('"iphones яблоко"', ['en', 'ru']), '("iphon" + "яблоко" OR "iphones" + "яблок")')
    assert.equal(match('iphones', ['ru', 'en']), '("iphon" OR "iphones")')
    assert.equal(match('автобуси', ['bg']), '"автобух"')
  })

  it('matches words of ideographs, and phrases of them in pairs', () => {
    assert.equal(match('苹果公司的新手机'), '("苹果·" AND "公司·" AND "新·" AND "手机·")')
    assert.equal(match('天安门'), '"天安" + "安门"')
    assert.equal(match('"苹果树"'), '"苹果" + "果树"')
    assert.equal(match('周杰伦的歌'), '("周杰" + "杰伦" AND "歌·")')
    assert.equal(match('すし'), '"すし"')
    assert.equal(match('水'), '"水" *')
    assert.equal(match('서울에서'), '"서울" + "울에" + "에서"')
    assert.equal(match('iPhone手机'), '("iphon" AND "手机·")')
    assert.equal(match('（苹果 OR 手机） －公司'), '(("苹果·" OR "手机·") NOT "公司·")')
  })

  it('without spaces may match any of its words', () => {
    const { anyWordText, words } = read('京都の歴史')
    assert.deepEqual(words, ['京都', '歴史'])
    assert.equal(anyWordText && toFtsMatch(anyWordText), '("京都·" OR "歴史·")')
    assert.equal(match('ภาษาไทย'), '("ภาษา" AND "ไทย")')
  })

  it('finds synonyms', () => {
    assert.equal(match('car'), '(("car" OR "automobil") OR "motor" + "vehicl")')
    assert.equal(match('"car"'), '"car"')
  })

  it('filters by page metadata', () => {
    assert.deepEqual(filterOf('site:Example.COM'), { hosts: ['.example.com'] })
    assert.deepEqual(filterOf('host:https://docs.example.com/x -site:b.test'), {
      hosts: ['docs.example.com'],
      notHosts: ['.b.test'],
    })
    assert.deepEqual(filterOf('person:"Ada Lovelace" org:NASA place:London'), {
      names: [
        { kind: 'person', text: 'Ada Lovelace' },
        { kind: 'organisation', text: 'NASA' },
        { kind: 'place', text: 'London' },
      ],
    })
    assert.deepEqual(filterOf('site:bücher.test'), { hosts: ['.xn--bcher-kva.test'] })
    assert.deepEqual(filterOf('path:docs lang:DE type:pdf status:200'), {
      path: '/docs',
      lang: 'de',
      type: 'application/pdf',
      httpStatus: 200,
    })
    assert.deepEqual(filterOf('depth:<3 size:>10k inlinks:2..5'), {
      depth: { min: null, max: 2 },
      size: { min: 10_241, max: null },
      inlinks: { min: 2, max: 5 },
    })
    assert.deepEqual(filterOf('after:2026-01 before:2026-02-01'), {
      visited: { min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 1, 1) - 1 },
    })
    assert.deepEqual(filterOf('changed:<7d crawl:01ab near-duplicate-of:12'), {
      changed: { min: NOW - 7 * DAY_MS, max: null },
      crawlIds: ['01ab'],
      nearDuplicateOf: 12,
    })
    assert.equal(read('site:a.test').text, null)
  })

  it('that cannot be parsed is searched as plain words, with a warning', () => {
    for (const [text, note] of [
      ['(apple pear', 'Searched as plain words: missing closing parenthesis.'],
      ['apple) pear', 'Searched as plain words: unmatched closing parenthesis.'],
      ['OR apple pear', 'Searched as plain words: OR needs a word on both sides.'],
      ['apple pear AND', 'Searched as plain words: AND needs a word on both sides.'],
      ['apple pear NEAR', 'Searched as plain words: NEAR works only between words.'],
      ['title:apple AND (pear', 'Searched as plain words: missing closing parenthesis.'],
      ['heading:"apple" OR OR url:pear', 'Searched as plain words: OR needs a word on both sides.'],
      [`${'('.repeat(12)}apple pear${')'.repeat(12)}`, 'Searched as plain words: parentheses are nested too deeply.'],
    ] as const) {
      assert.deepEqual([match(text), read(text).warning], ['("appl" AND "pear")', note], text)
    }
  })

  it('ignores a field with an invalid value and says what it expects', () => {
    const { filter, warning, text } = read('apple status:abc before:2026-13-01 -lang:de')
    assert.deepEqual(filter, { ...NO_FILTER, hosts: [], notHosts: [] })
    assert.match(warning ?? '', /Ignored status:abc \(expected a status, such as status:200\);/)
    assert.match(warning ?? '', /ignored before:2026-13-01 \(expected a date/)
    assert.match(warning ?? '', /only site: and host: can be excluded/)
    assert.equal(text?.kind, 'term')
  })

  it('treats an unknown field as words', () => {
    assert.equal(match('http://www.example.com/a'), '"http" + "www" + "exampl" + "com" + "a"')
    assert.equal(match('10:30'), '"10" + "30"')
    assert.equal(match('foo:bar'), '("foo" + "bar" OR "foobar")')
  })

  it('warns about an unknown field and suggests a known one', () => {
    const foo = 'Unknown field foo:, searched as words.'
    for (const text of ['foo:bar', 'apple -foo:"bar pie"', 'FOO:bar foo:pie', 'foo:/docs']) {
      assert.equal(read(text).warning, foo, text)
    }
    assert.equal(read('titel:apple').warning, 'Unknown field titel:, searched as words (did you mean title:?).')
    assert.match(read('dept:3').warning ?? '', /did you mean depth:/)
    assert.match(read('foo:bar titel:apple').warning ?? '', /unknown field foo:.*; unknown field titel:/i)
  })

  it('does not warn about a colon that is not a field separator', () => {
    for (const text of [
      'http://a.test/b:c',
      'https://a.test',
      '12:30',
      'C:\\x',
      'c:/x',
      'std::map',
      'localhost:8080/x',
      'a.test:80',
      'foo: bar',
      '"foo:bar"',
      'title:foo:bar',
      'foo:-',
      ':smile:',
      '12:30 foo:',
      'title:apple host:a.test:80',
    ]) {
      assert.equal(read(text).warning, null, text)
    }
  })

  it('is cut if it is too long', () => {
    const long = read(Array.from({ length: 100 }, (_, i) => `w${i}`).join(' '))
    assert.equal(long.warning, 'Only the first 64 words were used.')
    assert.equal(long.text?.kind === 'and' && long.text.parts.length, 64)
    assert.match(read('a'.repeat(2000)).warning ?? '', /first 1000 characters/)
    assert.deepEqual(read(`${'a'.repeat(990)} apple ${'b'.repeat(900)}`).words.at(-1), 'apple')
  })

  it('counts only the words it searches for, and each of them', () => {
    const words = Array.from({ length: 64 }, (_, i) => `w${i}`)
    const spread = read(words.map((word) => `is a ${word}`).join(' '))
    assert.deepEqual([spread.warning, spread.words], [null, words])
    assert.equal(match('spam spam eggs spam'), '("spam" AND "spam" AND "egg" AND "spam")')
  })

  it('has a canonical form that parses to the same query', () => {
    for (const text of [
      'red OR green blue',
      'a NEAR/3 b',
      '-xx title:"y z" site:a.test',
      'NOT (a b)',
      'cat NOT x',
      '(a OR b) cat*',
    ]) {
      assert.deepEqual(read(read(text).canonicalQuery).text, read(text).text, text)
    }
  })
})

function termsIn(node: QueryNode): string[] {
  if ('parts' in node) return node.parts.flatMap(termsIn)
  return 'part' in node ? termsIn(node.part) : node.terms
}

function depthOf(node: QueryNode): number {
  if ('parts' in node) return 1 + Math.max(...node.parts.map(depthOf))
  return 'part' in node ? 1 + depthOf(node.part) : 1
}

describe('any query', () => {
  const fragments = [
    'apple',
    '"',
    '(',
    ')',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'NEAR/3',
    '-',
    '*',
    ':',
    'title:',
    'site:',
    'before:2026',
    '苹果',
    "'",
    ';',
    '--',
    '{body}',
    '^',
    '+',
    '\\',
    '\0',
    'é',
    '😀',
    ' ',
    '%',
    'lang:en',
    'depth:<',
    '..',
    '>',
  ]
  const mixed = fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((list) => list.join(''))
  const spaced = fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((list) => list.join(' '))
  const anything = fc.oneof(mixed, spaced, fc.string({ unit: 'binary', maxLength: 300 }))

  it('is interpreted without errors, within bounds, and yields valid terms only', () => {
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom<string[]>([], ['en'], ['en', 'de', 'fr', 'ru', 'zh']),
        (text, languages) => {
          const interpretedQuery = read(text, languages)
          if (interpretedQuery.text === null) return
          const terms = termsIn(interpretedQuery.text)
          assert.ok(terms.length <= 64 * 40 * 10, String(terms.length))
          for (const term of terms) assert.match(term, TERM_PATTERN)
          assert.ok(depthOf(interpretedQuery.text) < 40)
        },
      ),
      { numRuns: 3000 },
    )
  })
})

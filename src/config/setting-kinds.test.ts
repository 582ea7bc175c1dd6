import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { s3Url, storePlace, storeUrl } from './address-kinds.ts'
import {
  byteSize,
  headerLine,
  headerValue,
  InvalidValue,
  listOf,
  oneOf,
  onOff,
  orKeyword,
  patterns,
  type SettingKind,
  selectorOrTime,
  sizeCaps,
  text,
  wholeNumber,
} from './setting-kinds.ts'
import { timeSpan } from './time-kinds.ts'

const NOTHINGS = [undefined, null, {}, [], Number.NaN, () => 1]

function accepts<T>(settingKind: SettingKind<T>, cases: [unknown, T][]): void {
  for (const [raw, value] of cases) assert.deepEqual(settingKind.parse(raw), value, JSON.stringify(raw))
}

function refuses<T>(settingKind: SettingKind<T>, raws: unknown[], expected: RegExp): void {
  for (const raw of raws) {
    const value = settingKind.parse(raw)
    assert.ok(value instanceof InvalidValue, `${JSON.stringify(raw)} became ${String(value)}`)
    assert.match(value.expected, expected)
  }
}

describe('a whole number', () => {
  const settingKind = wholeNumber(-2, 1000)

  it('comes from text or from a number', () => {
    accepts(settingKind, [
      ['0', 0],
      [' 12 ', 12],
      ['-2', -2],
      ['007', 7],
      [1000, 1000],
      ['1000', 1000],
    ])
  })

  it('is whole, in range and written in digits', () => {
    const wrong = ['', ' ', '-3', '1001', '1.5', 1.5, '1e2', '0x10', '٣', '1,000', true, [5], 2 ** 60, Infinity]
    refuses(settingKind, [...wrong, ...NOTHINGS], /^a whole number from -2 to 1000$/)
  })
})

describe('a store URL', () => {
  const settingKind = storeUrl()

  it('names a Postgres database', () => {
    const urls = ['postgres://a/b', 'postgresql://u:p%40@[::1]:5433/db?sslmode=require', 'postgres:///db?host=/run/pg']
    accepts(
      settingKind,
      urls.map((url) => [url, url]),
    )
  })

  it('is rejected if it names anything else, and shown without the password', () => {
    const wrong = ['', 'postgres', 'mysql://u:secret@h/db', 'postgres://u:secret@h', 'postgres://u:se@cret@h:x/db', 7]
    refuses(settingKind, [...wrong, ...NOTHINGS], /^a URL such as postgres:/)
    for (const raw of wrong) assert.doesNotMatch(String((settingKind.parse(raw) as InvalidValue).given), /sec|cret/)
  })
})

describe('a store location', () => {
  const settingKind = storePlace()

  it('is a directory or a Postgres database', () => {
    const places = ['./data', '/srv/a:b', 'postgres://a/b']
    accepts(
      settingKind,
      places.map((place) => [place, place]),
    )
  })

  it('is rejected if it is another kind of URL, and shown without the password', () => {
    refuses(
      settingKind,
      ['', 'mysql://u:secret@h/db', 'postgres://u:secret@h', 7, ...NOTHINGS],
      /^a directory, or a URL such/,
    )
    assert.doesNotMatch(String((settingKind.parse('mysql://u:secret@h/db') as InvalidValue).given), /secret/)
  })
})

describe('a size in bytes', () => {
  const settingKind = byteSize(1, 1024 ** 3)

  it('may have a unit, of 1024', () => {
    accepts(settingKind, [
      ['10m', 10 * 1024 ** 2],
      ['10M', 10 * 1024 ** 2],
      ['10 MiB', 10 * 1024 ** 2],
      ['500k', 512_000],
    ])
    accepts(settingKind, [
      ['1g', 1024 ** 3],
      ['1.5k', 1536],
      ['77', 77],
      [77, 77],
      ['77b', 77],
      ['2KB', 2048],
    ])
  })

  it('is in range, and nothing else', () => {
    refuses(
      settingKind,
      ['0', '2g', '-1', '', 'k', '10t', '1k k', '1.5.1k', true, ['10m'], ...NOTHINGS],
      /^a size from 1 to /,
    )
  })
})

describe('sizes by type', () => {
  const settingKind = sizeCaps(0, 1024 ** 3)

  it('are for everything, or for a type', () => {
    accepts(settingKind, [
      [
        ['5m', 'Application/PDF=20m'],
        [
          { type: null, bytes: 5 * 1024 ** 2 },
          { type: 'application/pdf', bytes: 20 * 1024 ** 2 },
        ],
      ],
      ['image/* = 1k', [{ type: 'image/*', bytes: 1024 }]],
      [100, [{ type: null, bytes: 100 }]],
    ])
  })

  it('need a valid type and size', () => {
    refuses(
      settingKind,
      [['pdf=1m'], ['=1m'], ['image/png='], ['*/*=1m'], ['5x']],
      /^a size such as 5m, or a size for a type/,
    )
  })
})

describe('a number or a word', () => {
  const settingKind = orKeyword(wholeNumber(0, 9, 'MS'), 'auto')

  it('accepts either, and says so', () => {
    accepts<number | string>(settingKind, [
      ['auto', 'auto'],
      ['3', 3],
      [3, 3],
    ])
    refuses(settingKind, ['AUTO', 'auto ', '10', '', ...NOTHINGS], /^a whole number from 0 to 9, or "auto"$/)
    assert.equal(settingKind.placeholder, 'MS|auto')
  })
})

describe('a choice', () => {
  it('is exactly one of its words', () => {
    const settingKind = oneOf(['host', 'any'])
    accepts(settingKind, [
      ['host', 'host'],
      ['any', 'any'],
    ])
    refuses(settingKind, ['Host', 'host ', '', 0, ['host'], ...NOTHINGS], /^one of host, any$/)
  })
})

describe('text', () => {
  it('is not blank', () => {
    accepts(text('DIR'), [
      ['./data', './data'],
      [' x', ' x'],
    ])
    refuses(text('DIR'), ['', '  ', '\n', 5, true, ...NOTHINGS], /^text$/)
  })
})

describe('patterns', () => {
  it('compile', () => {
    accepts(patterns(), [['^/a(b|c)$\n\\.pdf$', ['^/a(b|c)$', '\\.pdf$']]])
    refuses(patterns(), ['(', '[a', '*'], /in JavaScript syntax/)
    refuses(patterns(), [[''], [5]], /^a regular expression$/)
    refuses(patterns(), [{ a: 1 }, null, 5], /^a list$/)
  })

  it('that no engine matches in linear time are rejected, with an alternative', () => {
    refuses(
      patterns(),
      ['a(?!b)', 'a(?=b)'],
      /^a regular expression without look-ahead such as \(\?[!=]\.\.\.\): use a separate exclude pattern/,
    )
    refuses(patterns(), ['(?<!b)a', '(?<=b)a'], /without look-behind such as \(\?<[!=]/)
    refuses(patterns(), ['(a)\\1', '(?<n>a)\\k<n>'], /without back-references such as \\\w: repeat the group instead/)
    const given = patterns().parse(['fine', 'a(?!b)'])
    assert.equal(given instanceof InvalidValue && given.given, 'a(?!b)')
  })

  it('are limited in size and number', () => {
    refuses(patterns(), ['a'.repeat(2_001)], /at most 2000 characters/)
    refuses(patterns(), ['(a{1000}){1000}', 'a{1001}', '((a{50}){50}){50}'], /at most 1000 repetitions/)
    refuses(patterns(), ['a{1000}'.repeat(6)], /at most 5000 characters with its repetitions/)
    refuses(patterns(), [Array(6).fill('[ab]{1000}')], /at most 5000 characters together/)
    refuses(patterns(), [Array(501).fill('a')], /at most 500 patterns/)
    refuses(patterns(), ['('.repeat(900) + ')'.repeat(900)], /nested at most 100 deep/)
  })
})

describe('a span of time', () => {
  it('is a number with its unit', () => {
    accepts(timeSpan(), [
      ['90m', 5_400_000],
      ['12h', 43_200_000],
      ['30d', 2_592_000_000],
      ['2W', 1_209_600_000],
      ['1y', 31_536_000_000],
    ])
    refuses(timeSpan(), ['', '30', 'd', '0d', '-1d', '1.5d', '30 days', '101y', 30, ...NOTHINGS], /^a time such as/)
  })
})

describe('a header', () => {
  it('has a name, a colon and perhaps a value', () => {
    accepts(headerLine(), [
      ['A: b', 'A: b'],
      ['X-Y:', 'X-Y:'],
      ['A:b:c', 'A:b:c'],
      ['X: é\t', 'X: é\t'],
      ['https://a.test:8443 A: b', 'https://a.test:8443 A: b'],
      ['* A: b', '* A: b'],
    ])
  })

  it('has no other shape, and no character that cannot be sent', () => {
    const wrong = ['', 'A', ': b', 'A b: c', 'Ä: b', 'A : b', 'A: b\r\nC: d', 'A: b\n', 'A: \0', 'A: 日本', 5]
    const targets = ['http://a.test/x A: b', 'http://u:p@a.test A: b', 'http:// A: b', 'http://a.test', 'a.test A: b']
    refuses(headerLine(), [...wrong, ...targets, ...NOTHINGS], /^a header such as/)
  })

  it('is none of those the client must decide itself', () => {
    const wrong = ['Transfer-Encoding: chunked', 'CONNECTION: close', 'Content-Length:0', 'Expect: 100-continue']
    refuses(headerLine(), wrong, /other than those that control the connection/)
  })

  it('has a value on one line', () => {
    accepts(headerValue('S'), [['Bot/1.0 (+https://example.com; é)', 'Bot/1.0 (+https://example.com; é)']])
    refuses(headerValue('S'), ['', ' ', 'a\nb', 'a\r\nX: y', '日本', 5, ...NOTHINGS], /one line/)
  })
})

describe('a list', () => {
  const settingKind = listOf(wholeNumber(0, 9))

  it('is an array, or text with one part a line', () => {
    accepts(settingKind, [
      [
        ['1', 2],
        [1, 2],
      ],
      ['1\n2\n', [1, 2]],
      ['3', [3]],
      [[], []],
      ['', []],
    ])
  })

  it('is wrong if one part is', () => {
    refuses(settingKind, ['1\n10', [1, 'x'], [[1]], '\n \n'], /^a whole number/)
  })

  it('is not made of anything else', () => {
    refuses(settingKind, [5, true, null, undefined, {}], /^a list$/)
  })
})

describe('a switch', () => {
  it('is on or off', () => {
    accepts(onOff(), [
      [true, true],
      ['true', true],
      ['1', true],
      [false, false],
      ['false', false],
      ['0', false],
    ])
    refuses(onOff(), ['yes', '', 'TRUE', 1, 0, ...NOTHINGS], /^true or false$/)
  })
})

describe('a selector or a time', () => {
  const kind = selectorOrTime(1000)

  it('is text either way', () => {
    accepts(kind, [
      ['500', '500'],
      [500, '500'],
      ['#list > li.item', '#list > li.item'],
    ])
  })

  it('is no other text, and no longer time', () => {
    refuses(
      kind,
      ['1001', 1001, -1, '5s', 'a >> b', '', ...NOTHINGS],
      /CSS selector, or a time in milliseconds up to 1000/,
    )
  })
})

describe('the URL of a bucket', () => {
  it('names a bucket, with parameters', () => {
    const urls = ['s3://pages', 's3://pages/a/b?endpoint=http://127.0.0.1:9000&region=eu-west-1&style=path']
    accepts(
      s3Url(),
      urls.map((url) => [url, url]),
    )
  })

  it('is rejected if it names anything else, and shown without credentials', () => {
    const wrong = ['', 'pages', 'https://pages', 's3://key:secret@pages/', 's3://pages?endpoint=http://k:secret@h', 7]
    refuses(s3Url(), [...wrong, ...NOTHINGS], /^a URL such as s3:/)
    for (const raw of wrong) assert.doesNotMatch(String((s3Url().parse(raw) as InvalidValue).given), /secret/)
  })
})

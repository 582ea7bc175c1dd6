import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readHtml } from '../html-reader.ts'
import { decodeHtml, findEncoding } from './decode-html.ts'

const seed = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)

// A title in every encoding of https://encoding.spec.whatwg.org/#names-and-labels, with one of its other labels.
const TITLES: readonly [charset: string, label: string, hex: string, title: string][] = [
  ['utf-8', 'unicode-1-1-utf-8', '4772c3bcc39f6520f09f9880', 'Grüße 😀'],
  ['ibm866', 'cp866', '8fe0a8a2a5e2', 'Привет'],
  ['iso-8859-2', 'latin2', 'ae6c75bb6f75e86bfd', 'Žluťoučký'],
  ['iso-8859-3', 'l3', 'd8697320fe616ef86f', 'Ĝis ŝanĝo'],
  ['iso-8859-4', 'iso_8859-4:1988', 'a1be756f6c6173', 'Ąžuolas'],
  ['iso-8859-5', 'cyrillic', 'bfe0d8d2d5e2', 'Привет'],
  ['iso-8859-6', 'asmo-708', 'e5d1cdc8c7', 'مرحبا'],
  ['iso-8859-7', 'sun_eu_greek', 'cae1ebe7ecddf1e1', 'Καλημέρα'],
  ['iso-8859-8', 'visual', 'f9ece5ed', 'שלום'],
  ['iso-8859-8-i', 'logical', 'f9ece5ed', 'שלום'],
  ['iso-8859-10', 'l6', 'aab6be6e6973', 'Šķūnis'],
  ['iso-8859-13', 'iso885913', 'c0fe756f6c6173', 'Ąžuolas'],
  ['iso-8859-14', 'iso885914', 'd0796e656220fe', 'Ŵyneb ŷ'],
  ['iso-8859-15', 'l9', 'bc7576726520a4', 'Œuvre €'],
  ['iso-8859-16', 'iso-8859-16', 'de6172e320a4', 'Țară €'],
  ['koi8-r', 'koi', 'f0d2c9d7c5d4', 'Привет'],
  ['koi8-u', 'koi8-ru', 'b7d6c1cb', 'Їжак'],
  ['macintosh', 'x-mac-roman', '43728f6d6520d26669d3', 'Crème “fi”'],
  ['windows-874', 'tis-620', 'cac7d1cab4d5', 'สวัสดี'],
  ['windows-1250', 'x-cp1250', '8e6c759d6f75e86bfd', 'Žluťoučký'],
  ['windows-1251', 'cp1251', 'cff0e8e2e5f2', 'Привет'],
  ['windows-1252', 'iso-8859-1', '4372e86d6520938094', 'Crème “€”'],
  ['windows-1253', 'cp1253', 'cae1ebe7ecddf1e1', 'Καλημέρα'],
  ['windows-1254', 'latin5', '47fc6e617964fd6e20fe', 'Günaydın ş'],
  ['windows-1255', 'cp1255', 'f9ece5ed', 'שלום'],
  ['windows-1256', 'cp1256', 'e3d1cdc8c7', 'مرحبا'],
  ['windows-1257', 'cp1257', 'c0fe756f6c6173', 'Ąžuolas'],
  ['windows-1258', 'cp1258', '4368e06f', 'Chào'],
  ['x-mac-cyrillic', 'x-mac-ukrainian', '8ff0e8e2e5f2', 'Привет'],
  ['gbk', 'gb2312', 'c4e3bac3cac0bde7', '你好世界'],
  ['gb18030', 'GB18030', 'c4e3bac39439fc36', '你好😀'],
  ['big5', 'big5-hkscs', 'a741a66ea540acc9', '你好世界'],
  ['euc-jp', 'x-euc-jp', 'a4b3a4f3a4cba4c1a4cf', 'こんにちは'],
  ['iso-2022-jp', 'csiso2022jp', '1b244224332473244b2441244f1b2842', 'こんにちは'],
  ['shift_jis', 'windows-31j', '82b182f182c982bf82cd8740', 'こんにちは①'],
  ['euc-kr', 'ks_c_5601-1987', 'bec8b3e7c7cfbcbcbfe4208c63', '안녕하세요 똠'],
  ['x-user-defined', 'x-user-defined', '4180ff', 'A\uf780\uf7ff'],
]

function page(hex: string, head = ''): Buffer {
  return Buffer.concat([Buffer.from(`<html>${head}<title>`), Buffer.from(hex, 'hex'), Buffer.from('</title><p>x')])
}

function titleOf(bytes: Buffer, contentType: string): [charset: string, title: string] {
  const { text, charset } = decodeHtml(bytes, contentType)
  return [charset, readHtml(text, false).title]
}

for (const [charset, label, hex, title] of TITLES) {
  test(`a title in ${charset} is read exactly, by name and as ${label}`, () => {
    assert.deepEqual(titleOf(page(hex), `text/html; charset=${charset}`), [charset, title])
    assert.deepEqual(titleOf(page(hex), `text/html;Charset="${label.toUpperCase()}"`), [charset, title])
    if (charset !== 'x-user-defined') {
      assert.deepEqual(titleOf(page(hex, `<meta charset=${label}>`), 'text/html'), [charset, title])
    }
  })
}

test('utf-16 is read by its byte order mark and by its header', () => {
  const little = Buffer.from('<title>Grüße 😀</title>', 'utf16le')
  const big = Buffer.from(little).swap16()
  assert.deepEqual(titleOf(Buffer.concat([Buffer.of(0xff, 0xfe), little]), ''), ['utf-16le', 'Grüße 😀'])
  assert.deepEqual(titleOf(Buffer.concat([Buffer.of(0xfe, 0xff), big]), ''), ['utf-16be', 'Grüße 😀'])
  assert.deepEqual(titleOf(little, 'text/html; charset=utf-16'), ['utf-16le', 'Grüße 😀'])
  assert.deepEqual(titleOf(big, 'text/html; charset=utf-16be'), ['utf-16be', 'Grüße 😀'])
})

test('a byte order mark beats the header, and is not part of the text', () => {
  const bytes = Buffer.from('\ufeff<title>é</title>')
  assert.deepEqual(decodeHtml(bytes, 'text/html; charset=windows-1251'), { text: '<title>é</title>', charset: 'utf-8' })
})

test('only the first byte order mark is dropped', () => {
  assert.equal(decodeHtml(Buffer.from('\ufeff\ufeffx'), '').text, '\ufeffx')
})

test('the header beats the meta element', () => {
  const bytes = page('cff0e8e2e5f2', '<meta charset=koi8-r>')
  assert.deepEqual(titleOf(bytes, 'text/html; charset=windows-1251'), ['windows-1251', 'Привет'])
})

test('an unknown label in the header is ignored', () => {
  const bytes = page('cff0e8e2e5f2', '<meta charset=windows-1251>')
  for (const label of ['nonsense', '', 'utf-7', '"']) {
    assert.deepEqual(titleOf(bytes, `text/html; charset=${label}`), ['windows-1251', 'Привет'], label)
  }
})

test('the charset is found among other parameters', () => {
  const charsetOf = (type: string) => decodeHtml(Buffer.from('é'), type).charset
  assert.equal(charsetOf('text/html; a="b;charset=koi8-r"; charset=big5'), 'big5')
  assert.equal(charsetOf('text/html; a; charset=big5; charset=koi8-r'), 'big5')
  assert.equal(charsetOf('text/html; charset=" big5 "'), 'big5')
  assert.equal(charsetOf('text/html; charset="bi\\g5"'), 'big5')
  assert.equal(charsetOf('text/html; xcharset=big5'), 'utf-8')
})

test('without a declaration valid utf-8 is utf-8 and everything else is windows-1252', () => {
  assert.deepEqual(titleOf(page('c3a9'), ''), ['utf-8', 'é'])
  assert.deepEqual(titleOf(page('e993'), ''), ['windows-1252', 'é“'])
  assert.deepEqual(decodeHtml(Buffer.alloc(0), ''), { text: '', charset: 'utf-8' })
})

test('utf-8 that is truncated inside a character is still utf-8', () => {
  const whole = Buffer.from('é漢😀')
  for (let length = 2; length <= whole.length; length++) {
    assert.equal(decodeHtml(whole.subarray(0, length), '').charset, 'utf-8', String(length))
  }
})

test('encodings that browsers reject yield one replacement character', () => {
  for (const label of ['iso-2022-kr', 'hz-gb-2312', 'ISO-2022-CN', 'replacement']) {
    assert.deepEqual(decodeHtml(Buffer.from('abc'), `text/html; charset=${label}`), {
      text: '\ufffd',
      charset: 'replacement',
    })
  }
  assert.equal(decodeHtml(Buffer.alloc(0), 'text/html; charset=replacement').text, '')
})

test('labels are matched ignoring case and surrounding space', () => {
  assert.equal(findEncoding(' UTF8\n'), 'utf-8')
  assert.equal(findEncoding('Latin1'), 'windows-1252')
  assert.equal(findEncoding('no such thing'), null)
})

test('escape sequences of iso-2022-jp are not taken for ASCII', () => {
  assert.equal(decodeHtml(Buffer.from('1b244224331b284241', 'hex'), 'text/html; charset=iso-2022-jp').text, 'こA')
})

test('NUL bytes stay in the text', () => {
  assert.equal(decodeHtml(Buffer.from('a\0b'), '').text, 'a\0b')
  assert.equal(decodeHtml(Buffer.from('a\0é'), '').text, 'a\0é')
})

test('every pair of bytes in euc-kr yields a character or a replacement', () => {
  const decode = (hex: string) => decodeHtml(Buffer.from(hex, 'hex'), 'text/html; charset=euc-kr').text
  assert.equal(decode('8141c652'), '갂힣')
  assert.equal(decode('b0a1c8fe'), '가힝')
  assert.equal(decode('a2e6a2e7'), '€®')
  assert.equal(decode('c9a1'), '\ufffd')
  assert.equal(decode('814061'), '\ufffd@a')
  assert.equal(decode('c65361'), '\ufffdSa')
  assert.equal(decode('8061ff61'), '\ufffda\ufffda')
  assert.equal(decode('b0'), '\ufffd')
})

test(`invalid utf-8 is replaced as TextDecoder does it (seed ${seed})`, () => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4),
  )
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 40 }), (list) => {
      const bytes = Buffer.from([0x3c, ...list])
      assert.equal(decodeHtml(bytes, 'text/html; charset=utf-8').text, decoder.decode(bytes))
    }),
    { seed, numRuns: 500 },
  )
})

test(`no bytes and no header make it throw (seed ${seed})`, () => {
  const label = fc.constantFrom(...TITLES.map(([charset]) => charset), 'utf-16le', 'utf-16be', 'x', 'replacement')
  const header = fc.oneof(
    label.map((name) => `text/html; charset=${name}`),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), header, (bytes, contentType) => {
      assert.equal(typeof decodeHtml(Buffer.from(bytes), contentType).text, 'string')
    }),
    { seed, numRuns: 500 },
  )
})

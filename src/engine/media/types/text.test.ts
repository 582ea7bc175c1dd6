import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { MAX_TEXT, NO_CONTENT } from '../content-type.ts'
import { TEXT } from './text.ts'

const read = (body: Buffer | string, contentType = 'text/plain') =>
  TEXT.extract(Buffer.from(body), { url: 'https://a.test/', contentType, readDocument: async () => NO_CONTENT })

const hrefs = (text: string) => read(text).links.map(({ href }) => href)

it('the whole file is text, including its markup', () => {
  assert.deepEqual(read('<b>a</b> &amp;\n b'), { ...NO_CONTENT, text: '<b>a</b> &amp;\n b' })
})

it('the character set comes from the byte order mark, the header, or a guess', () => {
  const latin = Buffer.from('caf\xe9', 'latin1')
  assert.equal(read(Buffer.from('\ufeffcafé', 'utf16le')).text, 'café')
  assert.equal(read('\ufeffcafé', 'text/plain; charset=latin1').text, 'café')
  assert.equal(read(latin, 'text/plain; charset=iso-8859-1').text, 'café')
  assert.equal(read(Buffer.from([0xcf, 0xf0]), 'text/plain;charset="windows-1251"').text, 'Пр')
  assert.equal(read('café').text, 'café')
  assert.equal(read(latin).text, 'café')
  assert.equal(read(Buffer.from('café é').subarray(0, -1)).text, 'café \ufffd')
  assert.equal(read(Buffer.from('日本語').subarray(0, -1)).text, '日本\ufffd')
  assert.equal(read('<meta charset=koi8-r>é').text, '<meta charset=koi8-r>é')
})

it('only complete URLs are links', () => {
  assert.deepEqual(hrefs('See http://a.test/b?c=d#e and HTTPS://b.test.'), ['http://a.test/b?c=d#e', 'HTTPS://b.test'])
  assert.deepEqual(hrefs('www.a.test a.test/b ftp://a.test mailto:a@b.test //a.test xhttp://no'), [])
})

it('the sentence around a URL is not part of it', () => {
  assert.deepEqual(hrefs('(http://a.test/b). <http://a.test/c>, "http://a.test/d": [x](http://a.test/e)'), [
    'http://a.test/b',
    'http://a.test/c',
    'http://a.test/d',
    'http://a.test/e',
  ])
  assert.deepEqual(hrefs('https://a.test/Web_(spider)'), ['https://a.test/Web_(spider)'])
})

it('a text that is too long is truncated, with a problem', () => {
  const { text, problem } = read('a'.repeat(MAX_TEXT + 1))
  assert.deepEqual([text.length, problem], [MAX_TEXT, 'cut'])
})

it('a URL of a million dots takes next to no time', () => {
  assert.deepEqual(hrefs(`http://a${'.'.repeat(1_000_000)}`), ['http://a'])
})

it('is the example in the documentation, word for word', () => {
  const source = readFileSync(new URL('./text.ts', import.meta.url), 'utf8')
  const documentation = readFileSync(new URL('../../../../docs/reference/content-types.md', import.meta.url), 'utf8')
  assert.ok(documentation.includes(`\`\`\`ts\n${source}\`\`\`\n`))
  assert.ok(source.split('\n').length < 60)
})

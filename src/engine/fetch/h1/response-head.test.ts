import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseResponseHead } from './response-head.ts'

const head = (...lines: string[]) => parseResponseHead(`${lines.join('\r\n')}\r\n\r\n`)

describe('a response head', () => {
  it('has a status, a reason and headers as written', () => {
    const response = head('HTTP/1.1 404 Not Found', 'Content-Type: text/html', 'X-Empty:', 'x-a:1', 'X-A:\t 2 ')
    assert.deepEqual([response?.status, response?.statusText, response?.isBeforeHttp11], [404, 'Not Found', false])
    assert.deepEqual(response?.headers, ['Content-Type', 'text/html', 'X-Empty', '', 'x-a', '1', 'X-A', '2'])
  })

  it('may lack a reason, use bare line feeds, or fold lines', () => {
    assert.equal(head('HTTP/1.0 200')?.isBeforeHttp11, true)
    assert.equal(head('HTTP/2.0 200')?.isBeforeHttp11, false)
    assert.equal(head('HTTP/1.1 200 ')?.statusText, '')
    assert.deepEqual(parseResponseHead('HTTP/1.1 200 OK\nA: 1\nB: 2\n\n')?.headers, ['A', '1', 'B', '2'])
    assert.deepEqual(head('HTTP/1.1 200 OK', 'A: 1', ' 2', '\t3')?.headers, ['A', '1 2 3'])
  })

  it('keeps every byte of a value', () => {
    // The last byte of "à" in UTF-8 is a space in Latin-1.
    const value = Buffer.from('/voil\u00e0').toString('latin1')
    assert.deepEqual(head('HTTP/1.1 301 Moved', `Location: ${value}`)?.headers, ['Location', value])
  })

  const broken = {
    'another protocol': 'ICY 200 OK',
    'unknown version': 'HTTP/1.2 200 OK',
    'too few digits': 'HTTP/1.1 20',
    'too many digits': 'HTTP/1.1 2000 OK',
    'a status below 100': 'HTTP/1.1 099 Low',
    'a header without a colon': 'HTTP/1.1 200 OK\r\nabc',
    'a header without a name': 'HTTP/1.1 200 OK\r\n: x',
    'a space within a name': 'HTTP/1.1 200 OK\r\nA b: x',
    'a space behind a name': 'HTTP/1.1 200 OK\r\nA : x',
    'a folded line without a header': 'HTTP/1.1 200 OK\r\n x: y',
    'a zero byte': 'HTTP/1.1 200 OK\r\nA: x\0y',
    'a carriage return within a value': 'HTTP/1.1 200 OK\r\nA: x\ry',
    'a colon on the next line only': 'HTTP/1.1 200 OK\r\nabc\r\nd: e',
  }
  for (const [name, text] of Object.entries(broken)) {
    it(`rejects ${name}`, () => assert.equal(parseResponseHead(`${text}\r\n\r\n`), null))
  }
})

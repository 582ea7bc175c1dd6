import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sampleRow } from '../../engine/export/testing/sample-rows.ts'
import { urlJson } from './row-json.ts'

it('a URL has its name and type in capitals besides its canonical form', () => {
  const pairOf = (url: string) => {
    const { name, http_type } = urlJson(sampleRow({ url }))
    return [name, http_type]
  }
  assert.deepEqual(pairOf('https://example.com/path'), ['EXAMPLE.COM/PATH', 'HTTPS://'])
  assert.deepEqual(pairOf('http://example.com/'), ['EXAMPLE.COM', 'HTTP://'])
  assert.deepEqual(pairOf('https://example.com:8443/a//?q=Ab'), ['EXAMPLE.COM:8443/A//?Q=AB', 'HTTPS://'])
})

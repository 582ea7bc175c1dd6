import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { carriesUrlOf } from './query-variations.ts'

const PAGE = 'https://shop.test/list?color=dark%20blue&f%5B0%5D=m&page=1'
const PATH = '/list?color=dark%20blue&f%5B0%5D=m&page=1'

describe('a link carries the address of its page', () => {
  const carrying = {
    'escaped as a whole': `/login?next=${encodeURIComponent(PATH)}`,
    'with its host': `/login?next=${encodeURIComponent(PAGE)}`,
    'before another parameter': `/login?next=${encodeURIComponent(PATH)}&lang=en`,
    'as it stands': `/login?next=${PATH}`,
    decoded: `/login?next=/list?color=dark blue&f[0]=m&page=1`,
  }
  for (const [name, link] of Object.entries(carrying)) {
    it(name, () => assert.ok(carriesUrlOf(PAGE)(`https://shop.test${link}`)))
  }
})

describe('a link does not carry the address of its page', () => {
  const other = {
    'without a query': '/login',
    'with the address of another page': `/login?next=${encodeURIComponent(PATH)}0`,
    'as a path': PATH,
    'with a broken escape': '/login?next=%',
  }
  for (const [name, link] of Object.entries(other)) {
    it(name, () => assert.ok(!carriesUrlOf(PAGE)(`https://shop.test${link}`)))
  }
})

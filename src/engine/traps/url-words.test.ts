import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addUrlWords } from './url-words.ts'
import { WordScanner } from './word-scanner.ts'

function wordsOf(text: string): Set<number> {
  const hashes = new Set<number>()
  for (const scanner = new WordScanner(text); scanner.next(); ) hashes.add(scanner.hash)
  return hashes
}

const CASES: [url: string, words: string][] = [
  ['http://my-cool-site-of-mine.test/', ''],
  ['http://my-cool-site-of-mine.test/?q=red+shoes', 'red shoes'],
  ['http://a.test/docs/page.html', 'docs page html'],
  ['http://a.test/docs/folder/', 'docs folder'],
  ['http://a.test/blog/how-to-bake-bread', 'blog'],
  ['http://a.test/blog/how%20to%20bake%20bread', 'blog'],
  ['http://a.test/shop?colour=red&size=large&sale', 'shop red large sale'],
  ['http://a.test/caf%C3%A9/x?q=%E9', 'café x e9'],
  ['http://a.test/x?a=1?b=2&=3', 'x 1 b 2 3'],
]

for (const [url, words] of CASES) {
  it(`the words of ${url} are: ${words}`, () => {
    const found = new Set<number>()
    addUrlWords(url, found)
    assert.deepEqual([...found].sort(), [...wordsOf(words)].sort())
  })
}

it('an empty range has no words', () => {
  assert.equal(new WordScanner('abc', 2, 1).next(), false)
})

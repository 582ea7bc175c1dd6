import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPathEcho, addQueryEcho, withoutPath } from './echo.ts'
import { MAX_NEW, measureNovelty } from './novelty.ts'
import { ShingleSet } from './shingle-set.ts'

const NO_ECHO = new Set<number>()

/** What the second text has that the first has not. */
function news(first: string, second: string, echo: ReadonlySet<number> = NO_ECHO) {
  const seen = new ShingleSet(1 << 12)
  measureNovelty(first, seen, NO_ECHO)
  return measureNovelty(second, seen, echo)
}

const FRESH: readonly [fact: string, first: string, second: string, fresh: number][] = [
  ['the same text has nothing new', 'one two three four', 'one two three four', 0],
  ['letter case and punctuation make no difference', 'One, two: three.', 'one two THREE', 0],
  ['the order of lines makes no difference', 'one two\nthree four five six', 'three four five six\none two', 0],
  ['a short line is new as a whole', 'red', 'red\nblue', 1],
  ['three words are one run', 'red', 'one two three', 1],
  ['a changed word makes three runs and a line new', 'a b c d e', 'a b x d e', 4],
  ['known runs in a new order make a new line', 'a b c d\nb c d a\nc d a b\nd a b c', 'a b c d a b', 1],
  ['numbers are the same', 'room 17 of 20, 4.50', 'room 3 of 9, 12', 0],
  ['words with digits are numbers', 'IMG0017 by me', 'x9f31 by me', 0],
  ['rows of numbers of any length are the same', 'days 1 2 3', 'days 1 2 3 4 5', 0],
  ['lines of numbers say nothing', 'x', '1\n2\n3 4', 0],
  ['months and weekdays are numbers', 'Monday, 2 March 2026', 'Freitag, 3. Dezember 2027', 0],
  ['characters of scripts without spaces are words', '東京都庁', '東京都民', 2],
  ['accents count', 'the old cafe', 'the old café', 1],
]

for (const [fact, first, second, fresh] of FRESH) {
  test(fact, () => assert.equal(news(first, second).fresh, fresh))
}

test('a page of known lines in a new choice is a new page, the same choice is not', () => {
  assert.equal(news('red\nblue\ngreen', 'red\ngreen').isNewPage, true)
  assert.equal(news('red\nblue\ngreen', 'red\nblue\ngreen').isNewPage, false)
})

test('a page that differs in numbers is the same page with other numbers', () => {
  const { isNewPage, isNewWithNumbers } = news('photo 1 of 3', 'photo 2 of 3')
  assert.deepEqual([isNewPage, isNewWithNumbers], [false, true])
  assert.equal(news('photo 1 of 3', 'photo 1 of 3').isNewWithNumbers, false)
})

test('a page adds no more than its share to the memory of its host', () => {
  const words = Array.from({ length: 5000 }, (_, i) =>
    String.fromCharCode(97 + (i % 26), 97 + ((i / 26) % 26), 97 + i / 676),
  )
  const { fresh } = measureNovelty(words.join(' '), new ShingleSet(1 << 15), NO_ECHO)
  assert.ok(fresh <= MAX_NEW + 1, `${fresh}`)
})

test('values of the query say nothing', () => {
  const echo = new Set<number>()
  addQueryEcho('https://a.example/s?q=red+shoes&size=caf%C3%A9', echo)
  assert.equal(news('results for 1', 'results for red shoes café', echo).fresh, 0)
})

test('words of the path say nothing, but for a title', () => {
  const echo = new Set<number>()
  addPathEcho('https://a.example/maze/kqj/old-roses-in-winter', echo)
  assert.equal(news('you are in 1', 'you are in maze > kqj', echo).fresh, 0)
  assert.equal(news('x', 'old roses in winter', echo).fresh, 3)
})

test('an escape that is no UTF-8 does no harm', () => {
  const echo = new Set<number>()
  addPathEcho('https://a.example/caf%E9/red', echo)
  assert.equal(news('1', 'red', echo).fresh, 0)
})

test('a path that is told back is taken out', () => {
  const text = 'nothing at /old/page-17 any more, page-17 is gone'
  assert.equal(withoutPath(text, 'https://a.example/old/page-17'), 'nothing at   any more,   is gone')
  assert.equal(withoutPath('roses and more', 'https://a.example/garden/roses'), 'roses and more')
})

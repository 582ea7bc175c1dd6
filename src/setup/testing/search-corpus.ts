// A generated corpus of documents about invented topics, and queries for it. Identical in every run.

import { CRAWL, DAY_MS, makeDocument, NOW } from '../../ports/contracts/testing/test-index.ts'
import type { IndexDocument, QueryNode } from '../../ports/search.ts'

export interface RandomNumbers {
  /** A whole number in [0, count). */
  below(count: number): number
}

/** A linear congruential generator. */
export function randomNumbers(seed: number): RandomNumbers {
  let state = seed >>> 0
  return {
    below(count) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * count)
    },
  }
}

const TOPICS = 40
const WORDS_PER_TOPIC = 30
const COMMON_WORDS = 300

/** Squares a uniform number, so that a few words are much more frequent than the rest. */
function commonWord({ below }: RandomNumbers): string {
  const at = below(1000) / 1000
  return `c${Math.floor(at * at * COMMON_WORDS)}`
}

function topicWord({ below }: RandomNumbers, topic: number): string {
  const at = below(1000) / 1000
  return `t${topic}x${Math.floor(at * at * WORDS_PER_TOPIC)}`
}

function prose(random: RandomNumbers, topic: number, length: number): string {
  return Array.from({ length }, () => (random.below(3) === 0 ? topicWord(random, topic) : commonWord(random))).join(' ')
}

export function makeCorpus(pages: number): IndexDocument[] {
  const random = randomNumbers(7)
  return Array.from({ length: pages }, (_, i) => {
    const topic = random.below(TOPICS)
    const host = `h${random.below(25)}.test`
    const changedAt = NOW - random.below(600) * DAY_MS
    return makeDocument(i + 1, {
      host,
      crawlId: CRAWL,
      changedAt,
      linkRank: random.below(10) === 0 ? random.below(100) / 100 : 0,
      terms: {
        title: prose(random, topic, 3 + random.below(6)),
        headings: prose(random, topic, random.below(15)),
        anchors: random.below(3) === 0 ? prose(random, topic, 4) : '',
        url: random.below(2) === 0 ? topicWord(random, topic) : '',
        description: random.below(2) === 0 ? prose(random, topic, 12) : '',
        body: prose(random, topic, 30 + random.below(400)),
        boilerplate: prose(random, random.below(TOPICS), 20),
      },
    })
  })
}

/** Cycles through all kinds of queries, each about one topic. */
export function makeQueries(count: number, corpus: IndexDocument[]): QueryNode[] {
  const random = randomNumbers(11)
  return Array.from({ length: count }, (_, i) => {
    const topic = random.below(TOPICS)
    const term = (text: string): QueryNode => ({ kind: 'term', terms: [text], isPrefix: false, field: null })
    const [a, b, c] = [topicWord(random, topic), topicWord(random, topic), commonWord(random)]
    const body = corpus[random.below(corpus.length)]?.terms.body.split(' ') ?? []
    const at = random.below(body.length - 2)
    const [frequent, mostFrequent] = [`c${1 + random.below(3)}`, 'c0']
    const kinds: QueryNode[] = [
      term(a),
      { kind: 'and', parts: [term(a), term(c)] },
      { kind: 'or', parts: [term(a), term(b), term(c)] },
      { kind: 'phrase', terms: body.slice(at, at + 2), field: null },
      { kind: 'term', terms: [a, b], isPrefix: false, field: null },
      { kind: 'term', terms: [`t${topic}x1`], isPrefix: true, field: null },
      { kind: 'and', parts: [term(a), { kind: 'not', part: term(c) }] },
      { kind: 'near', terms: [a, mostFrequent], distance: 8 },
      { kind: 'phrase', terms: [mostFrequent, frequent], field: null },
      { kind: 'term', terms: [a], isPrefix: false, field: 'title' },
      { kind: 'and', parts: [{ kind: 'phrase', terms: [frequent, mostFrequent], field: null }, term(a)] },
    ]
    return kinds[i % kinds.length] ?? term(a)
  })
}

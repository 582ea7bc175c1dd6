// A web of made-up pages about made-up topics, as documents, and queries about it: the same at every run.

import { CRAWL, DAY_MS, makeDocument, NOW } from '../../ports/contracts/testing/test-index.ts'
import type { IndexDocument, QueryNode } from '../../ports/search.ts'

export interface RandomNumbers {
  /** From 0 up to, not with, the number. */
  below(count: number): number
}

/** Numbers that only look random. */
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
const WORDS_OF_A_TOPIC = 30
const COMMON = 300

/** Few words are common: the square of a uniform number. */
function commonWord({ below }: RandomNumbers): string {
  const at = below(1000) / 1000
  return `c${Math.floor(at * at * COMMON)}`
}

function topicWord({ below }: RandomNumbers, topic: number): string {
  const at = below(1000) / 1000
  return `t${topic}x${Math.floor(at * at * WORDS_OF_A_TOPIC)}`
}

function prose(luck: RandomNumbers, topic: number, length: number): string {
  return Array.from({ length }, () => (luck.below(3) === 0 ? topicWord(luck, topic) : commonWord(luck))).join(' ')
}

export function makeCorpus(pages: number): IndexDocument[] {
  const luck = randomNumbers(7)
  return Array.from({ length: pages }, (_, i) => {
    const topic = luck.below(TOPICS)
    const host = `h${luck.below(25)}.test`
    const changedAt = NOW - luck.below(600) * DAY_MS
    return makeDocument(i + 1, {
      host,
      crawlId: CRAWL,
      changedAt,
      linkRank: luck.below(10) === 0 ? luck.below(100) / 100 : 0,
      terms: {
        title: prose(luck, topic, 3 + luck.below(6)),
        headings: prose(luck, topic, luck.below(15)),
        anchors: luck.below(3) === 0 ? prose(luck, topic, 4) : '',
        url: luck.below(2) === 0 ? topicWord(luck, topic) : '',
        description: luck.below(2) === 0 ? prose(luck, topic, 12) : '',
        body: prose(luck, topic, 30 + luck.below(400)),
        boilerplate: prose(luck, luck.below(TOPICS), 20),
      },
    })
  })
}

/** Of every kind, about one topic each. */
export function makeQueries(count: number, corpus: IndexDocument[]): QueryNode[] {
  const luck = randomNumbers(11)
  return Array.from({ length: count }, (_, i) => {
    const topic = luck.below(TOPICS)
    const term = (text: string): QueryNode => ({ kind: 'term', terms: [text], isPrefix: false, field: null })
    const [a, b, c] = [topicWord(luck, topic), topicWord(luck, topic), commonWord(luck)]
    const body = corpus[luck.below(corpus.length)]?.terms.body.split(' ') ?? []
    const at = luck.below(body.length - 2)
    const [often, oftener] = [`c${1 + luck.below(3)}`, 'c0']
    const kinds: QueryNode[] = [
      term(a),
      { kind: 'and', parts: [term(a), term(c)] },
      { kind: 'or', parts: [term(a), term(b), term(c)] },
      { kind: 'phrase', terms: body.slice(at, at + 2), field: null },
      { kind: 'term', terms: [a, b], isPrefix: false, field: null },
      { kind: 'term', terms: [`t${topic}x1`], isPrefix: true, field: null },
      { kind: 'and', parts: [term(a), { kind: 'not', part: term(c) }] },
      { kind: 'near', terms: [a, oftener], distance: 8 },
      { kind: 'phrase', terms: [oftener, often], field: null },
      { kind: 'term', terms: [a], isPrefix: false, field: 'title' },
      { kind: 'and', parts: [{ kind: 'phrase', terms: [often, oftener], field: null }, term(a)] },
    ]
    return kinds[i % kinds.length] ?? term(a)
  })
}

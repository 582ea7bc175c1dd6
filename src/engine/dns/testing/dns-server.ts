// A DNS server on loopback for tests: it knows only the configured names, follows aliases like a recursive one, and
// counts queries.

import { createSocket, type RemoteInfo } from 'node:dgram'
import type { TestContext } from 'node:test'
import { type Answer, decode, encode, type Packet, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet'

export type QuestionType = 'A' | 'AAAA' | 'CNAME'

export interface TestRecords {
  a?: string[]
  aaaa?: string[]
  cname?: string
  ttl?: number
}

const RCODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const
type Rcode = keyof typeof RCODES

export interface DnsServer {
  /** Address and port, as a resolver expects it. */
  address: string
  set(name: string, testRecords: TestRecords): void
  fail(name: string, rcode: Rcode): void
  /** Queries of this kind are counted, and not answered until the returned function is called. */
  hold(name: string, type: QuestionType): () => void
  /** Number of queries, of all types if none is given. A retransmitted query counts once. */
  asked(name: string, type?: QuestionType): number
  /** Resolves with the next query of this kind. */
  nextQuestion(name: string, type: QuestionType): Promise<void>
}

const MAX_ALIASES = 12

export async function openDnsServer(t: TestContext): Promise<DnsServer> {
  const zone = new Map<string, TestRecords | Rcode>()
  const asked = new Map<string, number>()
  const lastId = new Map<string, number | undefined>()
  const held = new Map<string, (() => void)[]>()
  const watchers = new Map<string, () => void>()
  const socket = createSocket('udp4')

  const answer = (query: Packet, name: string, type: QuestionType, to: RemoteInfo) => {
    const known = zone.get(name) ?? 'NXDOMAIN'
    const rcode = typeof known === 'string' ? RCODES[known] : 0
    const flags = RECURSION_DESIRED | RECURSION_AVAILABLE | rcode
    const answers = typeof known === 'string' ? [] : answersFor(zone, name, type)
    const reply = encode({ type: 'response', id: query.id ?? 0, flags, questions: query.questions ?? [], answers })
    socket.send(reply, to.port, to.address)
  }

  socket.on('message', (message, from) => {
    const query = decode(message)
    const question = query.questions?.[0]
    if (question === undefined) return
    const type = question.type as QuestionType
    const name = question.name.toLowerCase()
    const key = `${type} ${name}`
    if (lastId.get(key) !== query.id) asked.set(key, (asked.get(key) ?? 0) + 1)
    lastId.set(key, query.id)
    const waiting = held.get(key)
    if (waiting === undefined) answer(query, name, type, from)
    else waiting.push(() => answer(query, name, type, from))
    watchers.get(key)?.()
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>((resolve) => socket.close(resolve)))

  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, testRecords) => zone.set(name, testRecords),
    fail: (name, rcode) => zone.set(name, rcode),
    hold(name, type) {
      const waiting: (() => void)[] = []
      held.set(`${type} ${name}`, waiting)
      return () => {
        held.delete(`${type} ${name}`)
        for (const release of waiting) release()
      }
    },
    asked(name, type) {
      const types: QuestionType[] = type === undefined ? ['A', 'AAAA', 'CNAME'] : [type]
      return types.reduce((sum, each) => sum + (asked.get(`${each} ${name}`) ?? 0), 0)
    },
    nextQuestion: (name, type) => new Promise((resolve) => watchers.set(`${type} ${name}`, resolve)),
  }
}

function answersFor(zone: Map<string, TestRecords | Rcode>, start: string, type: QuestionType): Answer[] {
  const answers: Answer[] = []
  for (let name = start; answers.length < MAX_ALIASES; ) {
    const records = zone.get(name)
    if (records === undefined || typeof records === 'string') return answers
    const { a = [], aaaa = [], cname, ttl = 300 } = records
    if (cname === undefined) {
      if (type === 'A') for (const data of a) answers.push({ type, name, data, ttl })
      if (type === 'AAAA') for (const data of aaaa) answers.push({ type, name, data, ttl })
      return answers
    }
    answers.push({ type: 'CNAME', name, data: cname, ttl })
    if (type === 'CNAME') return answers
    name = cname
  }
  return answers
}

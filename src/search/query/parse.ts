// From pieces to a tree: OR binds least, then AND, which may be left out, then NOT.

import type { Field } from '../../ports/search.ts'
import { splitPrefix, type Token } from './lexer.ts'

/** What stands in the query, before words become terms. */
export type RawNode =
  | { kind: 'word'; text: string; isPrefix: boolean; field: Field | null }
  | { kind: 'phrase'; text: string; field: Field | null }
  | { kind: 'near'; texts: string[]; distance: number }
  | { kind: 'condition'; name: string; value: string }
  | { kind: 'and' | 'or'; parts: RawNode[] }
  | { kind: 'not'; part: RawNode }

export type Parsed = { node: RawNode | null } | { problem: string }

const MAX_DEPTH = 10
/** Fields of the text; all others are conditions. */
export const TEXT_FIELDS: Readonly<Record<string, Field>> = { title: 'title', url: 'url', heading: 'headings' }

class Problem extends Error {}

export function parseTokens(tokens: readonly Token[]): Parsed {
  const parser = new Parser(tokens)
  try {
    const node = parser.either(0)
    if (!parser.isAtEnd) throw new Problem('a parenthesis closes nothing')
    return { node }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  either(depth: number): RawNode | null {
    const parts = [this.#all(depth)]
    while (this.#takes('or')) parts.push(this.#all(depth))
    if (parts.length > 1 && parts.includes(null)) throw new Problem('OR has nothing on one side')
    return join(
      'or',
      parts.filter((part) => part !== null),
    )
  }

  #all(depth: number): RawNode | null {
    const parts: RawNode[] = []
    for (;;) {
      const isJoined = this.#takes('and')
      const part = this.#one(depth)
      if (part === null) {
        if (isJoined) throw new Problem('AND has nothing on one side')
        return join('and', parts)
      }
      if (isJoined && parts.length === 0) throw new Problem('AND has nothing on one side')
      parts.push(part)
    }
  }

  #one(depth: number): RawNode | null {
    if (this.#takes('not')) {
      const part = this.#one(depth)
      if (part === null) throw new Problem('NOT has nothing after it')
      return part.kind === 'not' ? part.part : { kind: 'not', part }
    }
    const first = this.#atom(depth)
    return first === null ? null : this.#near(first, depth)
  }

  #near(first: RawNode, depth: number): RawNode {
    const texts = [textOf(first)]
    let distance = 0
    for (let next = this.#tokens[this.#at]; next?.kind === 'near'; next = this.#tokens[this.#at]) {
      this.#at += 1
      distance = Math.max(distance, next.distance)
      const other = this.#atom(depth)
      texts.push(other === null ? null : textOf(other))
    }
    if (texts.length === 1) return first
    const words = texts.filter((text) => text !== null)
    if (words.length < texts.length) throw new Problem('NEAR stands between words only')
    return { kind: 'near', texts: words, distance }
  }

  #atom(depth: number): RawNode | null {
    const token = this.#tokens[this.#at]
    switch (token?.kind) {
      case 'word':
        this.#at += 1
        return { ...token, field: null }
      case 'phrase':
        this.#at += 1
        return { ...token, field: null }
      case 'field':
        this.#at += 1
        return ofField(token)
      case 'open':
        return this.#inside(depth)
      case 'near':
        throw new Problem('NEAR has nothing on one side')
      default:
        return null
    }
  }

  #inside(depth: number): RawNode {
    if (depth === MAX_DEPTH) throw new Problem('there are too many parentheses in each other')
    this.#at += 1
    const node = this.either(depth + 1)
    if (!this.#takes('close')) throw new Problem('a parenthesis is not closed')
    if (node === null) throw new Problem('there is nothing in a parenthesis')
    return node
  }

  #takes(kind: Token['kind']): boolean {
    if (this.#tokens[this.#at]?.kind !== kind) return false
    this.#at += 1
    return true
  }
}

function ofField({ name, value, isPhrase }: Extract<Token, { kind: 'field' }>): RawNode {
  const field = TEXT_FIELDS[name]
  if (field === undefined) return { kind: 'condition', name, value }
  if (isPhrase) return { kind: 'phrase', text: value, field }
  return { kind: 'word', ...splitPrefix(value), field }
}

function textOf(node: RawNode): string | null {
  return node.kind === 'word' && !node.isPrefix ? node.text : null
}

function join(kind: 'and' | 'or', parts: RawNode[]): RawNode | null {
  return parts.length > 1 ? { kind, parts } : (parts[0] ?? null)
}

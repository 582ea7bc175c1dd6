// Parses tokens into a tree: OR binds loosest, then AND, which may be omitted, then NOT. Words in parentheses without an
// operator count as if the parentheses were not there.

import type { Field } from '../../ports/search.ts'
import { splitPrefix, type Token } from './lexer.ts'

/** A node of the query as typed, before words become terms. */
export type SyntaxNode =
  | { kind: 'word'; text: string; isPrefix: boolean; field: Field | null }
  | { kind: 'phrase'; text: string; field: Field | null }
  | { kind: 'near'; texts: string[]; distance: number }
  | { kind: 'condition'; name: string; value: string }
  | { kind: 'and'; parts: SyntaxNode[]; isExplicit: boolean }
  | { kind: 'or'; parts: SyntaxNode[] }
  | { kind: 'not'; part: SyntaxNode }

export type ParseResult = { node: SyntaxNode | null } | { problem: string }

const MAX_DEPTH = 10
/** Text fields; all other fields are conditions. */
export const TEXT_FIELDS: Readonly<Record<string, Field>> = { title: 'title', url: 'url', heading: 'headings' }

class SyntaxProblem extends Error {}

export function parseTokens(tokens: readonly Token[]): ParseResult {
  const parser = new Parser(tokens)
  try {
    const node = parser.parseOr(0)
    if (!parser.isAtEnd) throw new SyntaxProblem('unmatched closing parenthesis')
    return { node }
  } catch (error) {
    if (error instanceof SyntaxProblem) return { problem: error.message }
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

  parseOr(depth: number): SyntaxNode | null {
    const parts = [this.#parseAnd(depth)]
    while (this.#accept('or')) parts.push(this.#parseAnd(depth))
    if (parts.length > 1 && parts.includes(null)) throw new SyntaxProblem('OR needs a word on both sides')
    const [only, ...others] = parts.filter((part) => part !== null)
    return only === undefined || others.length === 0 ? (only ?? null) : { kind: 'or', parts: [only, ...others] }
  }

  #parseAnd(depth: number): SyntaxNode | null {
    const parts: SyntaxNode[] = []
    let isExplicit = false
    for (;;) {
      const isJoined = this.#accept('and')
      isExplicit ||= isJoined
      const part = this.#parseUnary(depth)
      if (part === null) {
        if (isJoined) throw new SyntaxProblem('AND needs a word on both sides')
        return joinWithAnd(parts, isExplicit)
      }
      if (isJoined && parts.length === 0) throw new SyntaxProblem('AND needs a word on both sides')
      parts.push(part)
    }
  }

  #parseUnary(depth: number): SyntaxNode | null {
    if (this.#accept('not')) {
      const part = this.#parseUnary(depth)
      if (part === null) throw new SyntaxProblem('NOT needs a word after it')
      return part.kind === 'not' ? part.part : { kind: 'not', part }
    }
    const first = this.#parseAtom(depth)
    return first === null ? null : this.#parseNear(first, depth)
  }

  #parseNear(first: SyntaxNode, depth: number): SyntaxNode {
    const texts = [textOf(first)]
    let distance = 0
    for (let next = this.#tokens[this.#at]; next?.kind === 'near'; next = this.#tokens[this.#at]) {
      this.#at += 1
      distance = Math.max(distance, next.distance)
      const other = this.#parseAtom(depth)
      texts.push(other === null ? null : textOf(other))
    }
    if (texts.length === 1) return first
    const words = texts.filter((text) => text !== null)
    if (words.length < texts.length) throw new SyntaxProblem('NEAR works only between words')
    return { kind: 'near', texts: words, distance }
  }

  #parseAtom(depth: number): SyntaxNode | null {
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
        return toFieldNode(token)
      case 'open':
        return this.#parseGroup(depth)
      case 'near':
        throw new SyntaxProblem('NEAR needs a word on both sides')
      default:
        return null
    }
  }

  #parseGroup(depth: number): SyntaxNode {
    if (depth === MAX_DEPTH) throw new SyntaxProblem('parentheses are nested too deeply')
    this.#at += 1
    const node = this.parseOr(depth + 1)
    if (!this.#accept('close')) throw new SyntaxProblem('missing closing parenthesis')
    if (node === null) throw new SyntaxProblem('empty parentheses')
    return node
  }

  #accept(kind: Token['kind']): boolean {
    if (this.#tokens[this.#at]?.kind !== kind) return false
    this.#at += 1
    return true
  }
}

function toFieldNode({ name, value, isPhrase }: Extract<Token, { kind: 'field' }>): SyntaxNode {
  const field = TEXT_FIELDS[name]
  if (field === undefined) return { kind: 'condition', name, value }
  if (isPhrase) return { kind: 'phrase', text: value, field }
  return { kind: 'word', ...splitPrefix(value), field }
}

function textOf(node: SyntaxNode): string | null {
  return node.kind === 'word' && !node.isPrefix ? node.text : null
}

export function joinWithAnd(parts: readonly SyntaxNode[], isExplicit: boolean): SyntaxNode | null {
  const [first, ...others] = parts
  if (first === undefined || others.length === 0) return first ?? null
  const flat = parts.flatMap((part) => (part.kind === 'and' ? part.parts : [part]))
  return {
    kind: 'and',
    parts: flat,
    isExplicit: isExplicit || parts.some((part) => part.kind === 'and' && part.isExplicit),
  }
}

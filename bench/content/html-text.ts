// The text of HTML as words: the same rule for references and for the output of every extractor.

import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'

type Node = DefaultTreeAdapterMap['node']

const WITHOUT_TEXT = new Set(['script', 'style', 'template', 'noscript', 'svg'])
/** Tags that do not end a word. */
const INLINE = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)

export function textOfHtml(html: string): string {
  return textOf(parseFragment(html))
}

export function textOf(node: Node): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value
  if (!('childNodes' in node) || WITHOUT_TEXT.has(node.nodeName)) return ''
  const inner = node.childNodes.map(textOf).join('')
  return INLINE.has(node.nodeName) ? inner : ` ${inner} `
}

export interface Overlap {
  precision: number
  recall: number
  f1: number
}

/** Compares the words of both texts, each counted as often as it occurs. */
export function compareWords(found: string, reference: string): Overlap {
  const left = new Map<string, number>()
  for (const word of wordsOf(reference)) left.set(word, (left.get(word) ?? 0) + 1)
  const words = wordsOf(found)
  const total = wordsOf(reference).length
  let common = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    common += 1
  }
  const precision = words.length === 0 ? 0 : common / words.length
  const recall = total === 0 ? 0 : common / total
  return { precision, recall, f1: common === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

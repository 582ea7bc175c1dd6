// RDFa Lite 1.1 (https://www.w3.org/TR/rdfa-lite/): the items of a page, which are its elements with `typeof`.
// Properties of the page itself are Open Graph in practice and read elsewhere.

import type { StructuredItem } from '../../../ports/pages.ts'
import { attributeOf, isElement, type TreeElement, type TreeParent } from '../../content/tree-nodes.ts'
import { addTo, emptyLists, propertyValue, resolve, wordsOf } from './element-values.ts'
import type { ReadContext } from './read-microdata.ts'

const MAX_ITEMS = 500
const MAX_DEPTH = 16

/** The prefixes of https://www.w3.org/2011/rdfa-context/rdfa-1.1 that pages use. */
const PREFIXES: Readonly<Record<string, string>> = {
  schema: 'http://schema.org/',
  og: 'http://ogp.me/ns#',
  dc: 'http://purl.org/dc/terms/',
  dcterms: 'http://purl.org/dc/terms/',
  dc11: 'http://purl.org/dc/elements/1.1/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  gr: 'http://purl.org/goodrelations/v1#',
  v: 'http://rdf.data-vocabulary.org/#',
}

/** Definitions that apply inside an element. */
interface Scope {
  vocab: string
  prefixes: Readonly<Record<string, string>>
  /** The innermost item; null outside of items. */
  item: StructuredItem | null
  depth: number
}

export function readRdfa(document: TreeParent, context: ReadContext): StructuredItem[] {
  const items: StructuredItem[] = []
  readInside(document, { vocab: '', prefixes: PREFIXES, item: null, depth: 0 }, context, items)
  return items
}

function readInside(root: TreeParent, scope: Scope, context: ReadContext, items: StructuredItem[]): void {
  for (const child of root.childNodes) {
    if (!isElement(child)) continue
    if (!context.budget.step()) return
    readInside(child, readElement(child, scope, context, items), context, items)
  }
}

/** Returns what holds inside the element. */
function readElement(element: TreeElement, around: Scope, context: ReadContext, items: StructuredItem[]): Scope {
  const scope = {
    ...around,
    vocab: attributeOf(element, 'vocab')?.trim() ?? around.vocab,
    prefixes: withPrefixes(around.prefixes, attributeOf(element, 'prefix')),
  }
  const names = wordsOf(element, 'property')
  const types = wordsOf(element, 'typeof')
  const isItem = types.length > 0 && scope.depth < MAX_DEPTH && items.length < MAX_ITEMS
  const item = isItem ? openItem(element, types, scope, context) : null
  if (names.length > 0 && around.item !== null) {
    const value = item ?? readValue(element, context)
    for (const name of names) addValue(around.item, expand(name, scope), value, context)
  } else if (item !== null) items.push(item)
  return item === null ? scope : { ...scope, item, depth: scope.depth + 1 }
}

function openItem(
  element: TreeElement,
  types: string[],
  scope: Scope,
  { baseUrl, budget }: ReadContext,
): StructuredItem {
  const id = attributeOf(element, 'resource') ?? attributeOf(element, 'about')
  const type = types.map((name) => expand(name, scope)).filter((name) => budget.take(name.length))
  const kept = id === null ? null : budget.value(resolve(id, baseUrl))
  return { type, ...(kept === null ? {} : { id: kept }), properties: emptyLists() }
}

function addValue(
  { properties }: StructuredItem,
  name: string,
  value: StructuredItem | string,
  { budget }: ReadContext,
): void {
  const kept = typeof value === 'string' ? budget.value(value) : value
  if (kept !== null && budget.take(name.length)) addTo(properties, name, kept)
}

function readValue(element: TreeElement, { baseUrl, budget }: ReadContext): string {
  const content = attributeOf(element, 'content')
  if (content !== null) return content.trim()
  const resource = attributeOf(element, 'resource')
  return resource === null ? propertyValue(element, baseUrl, budget) : resolve(resource, baseUrl)
}

/** A name as an IRI: of its prefix, or of the vocabulary; as written if there is neither. */
function expand(name: string, { vocab, prefixes }: Scope): string {
  const colon = name.indexOf(':')
  if (colon === -1) return vocab + name
  const prefix = prefixes[name.slice(0, colon).toLowerCase()]
  return prefix === undefined || name.startsWith('//', colon + 1) ? name : prefix + name.slice(colon + 1)
}

const MAX_PREFIXES = 50
const MAX_PREFIX_LENGTH = 10_000

/** `prefix="a: http://a.example/ b: http://b.example/"`. */
function withPrefixes(known: Scope['prefixes'], declared: string | null): Scope['prefixes'] {
  if (declared === null) return known
  const words = declared.slice(0, MAX_PREFIX_LENGTH).trim().split(/\s+/)
  const added = words.flatMap((name, i): [string, string][] => {
    const iri = words[i + 1]
    return /^[^:]+:$/.test(name) && iri !== undefined ? [[name.slice(0, -1).toLowerCase(), iri]] : []
  })
  return Object.assign(
    Object.create(null) as Record<string, string>,
    known,
    Object.fromEntries(added.slice(0, MAX_PREFIXES)),
  )
}

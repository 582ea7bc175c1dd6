// The language of a code block, as highlighters name it in the classes of the block or of elements around it.

import { attributeOf, childElements, classesOf, type TreeElement } from '../tree-nodes.ts'

/** Classes such as language-python, lang-js, highlight-python3 (Sphinx), highlight-source-js (GitHub). */
const CLASS = /^(?:language|lang|highlight(?:-source|-text)?|brush:?|code|src|syntax)-([a-z0-9+#.-]{1,20})$/i
/**
 * A highlighter's own class, followed by the language: `sourceCode python` (Pandoc), `programlisting c`; on a figure
 * `highlight js` (Hexo).
 */
const MARKERS: ReadonlySet<string> = new Set(['sourcecode', 'programlisting', 'brush:', 'prettyprint', 'src', 'hljs'])
const NO_LANGUAGE: ReadonlySet<string> = new Set([
  ...['default', 'none', 'text', 'plain', 'plaintext', 'notranslate', 'linenums', 'numbersource', 'literal-block'],
  ...[
    'output',
    'block',
    'example',
    'listing',
    'copybutton',
    'numberlines',
    'highlight',
    'code',
    'pre',
    'prettyprinted',
  ],
])
/** Elements around the code that may name its language. The language of text has such classes, too. */
const MAX_NAMING = 3
/** Enough for a table with line numbers between them. */
const MAX_ANCESTORS = 8
const TABLE_PARTS: ReadonlySet<string> = new Set(['table', 'tbody', 'tr', 'td'])

/** Empty if unknown. */
export function codeLanguage(pre: TreeElement): string {
  const inner = childElements(pre).find(({ tagName }) => tagName === 'code')
  const candidates = inner === undefined ? [pre] : [inner, pre]
  for (const element of [...candidates, ...elementsAround(pre)]) {
    const language = languageOf(element)
    if (language !== '') return language
  }
  return ''
}

function elementsAround(pre: TreeElement): TreeElement[] {
  const elements: TreeElement[] = []
  let around = pre.parentNode
  for (let i = 0; i < MAX_ANCESTORS && around !== null && 'tagName' in around; i++) {
    if (around.tagName === 'div' || around.tagName === 'figure') elements.push(around)
    else if (!TABLE_PARTS.has(around.tagName)) break
    if (elements.length === MAX_NAMING) break
    around = around.parentNode
  }
  return elements
}

/** A block of code with more parts is not searched for each of them. */
const MAX_PARTS = 32

/** VitePress shows the language above the code. */
export function isLanguageLabel(element: TreeElement): boolean {
  const { parentNode } = element
  if (parentNode === null || !('tagName' in parentNode) || !classesOf(element).includes('lang')) return false
  if (parentNode.childNodes.length > MAX_PARTS) return false
  if (!classesOf(parentNode).some((name) => name.startsWith('language-'))) return false
  return childElements(parentNode).some(({ tagName }) => tagName === 'pre')
}

function languageOf(element: TreeElement): string {
  const named = attributeOf(element, 'data-lang') ?? attributeOf(element, 'data-language')
  if (named !== null && /^[a-z0-9+#.-]{1,20}$/i.test(named)) return toLanguage(named)
  const classes = classesOf(element)
  for (const [i, name] of classes.entries()) {
    const found = CLASS.exec(name)?.[1]
    const isMarker = MARKERS.has(name.toLowerCase()) || (name === 'highlight' && element.tagName === 'figure')
    const language = toLanguage(found ?? (isMarker ? (classes[i + 1] ?? '') : ''))
    if (language !== '') return language
  }
  return ''
}

function toLanguage(name: string): string {
  const language = name.toLowerCase()
  return NO_LANGUAGE.has(language) || !/^[a-z0-9+#.-]+$/.test(language) ? '' : language
}

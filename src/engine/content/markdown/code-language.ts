// The language of a code block, as highlighters name it in the classes of the block or of elements around it.

import { attributeOf, childElements, classesOf, type TreeElement } from '../tree-nodes.ts'

/** Classes such as language-python, lang-js, highlight-python3 (Sphinx), highlight-source-js (GitHub). */
const CLASS = /^(?:language|lang|highlight(?:-source|-text)?|brush:?|code|src|syntax)-([a-z0-9+#.-]{1,20})$/i
/** A highlighter's own class, followed by the language: `sourceCode python` (Pandoc), `programlisting c`; on a figure `highlight js` (Hexo). */
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
/** Enough for a table with line numbers, in two elements that may name the language. */
const MAX_ANCESTORS = 8
const TABLE_PARTS: ReadonlySet<string> = new Set(['table', 'tbody', 'tr', 'td'])

/** Empty if unknown. */
export function codeLanguage(pre: TreeElement): string {
  const inner = childElements(pre).find(({ tagName }) => tagName === 'code')
  const candidates = inner === undefined ? [pre] : [inner, pre]
  let around = pre.parentNode
  for (let i = 0; i < MAX_ANCESTORS && around !== null && 'tagName' in around; i++) {
    if (around.tagName === 'div' || around.tagName === 'figure') candidates.push(around)
    else if (!TABLE_PARTS.has(around.tagName)) break
    around = around.parentNode
  }
  for (const element of candidates) {
    const language = languageOf(element)
    if (language !== '') return language
  }
  return ''
}

/** VitePress shows the language above the code. */
export function isLanguageLabel(element: TreeElement): boolean {
  const { parentNode } = element
  if (parentNode === null || !('tagName' in parentNode) || !classesOf(element).includes('lang')) return false
  return classesOf(parentNode).some((name) => name.startsWith('language-'))
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

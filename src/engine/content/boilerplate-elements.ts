// Whether the markup of an element says that it is hidden, or not part of the content of its page.

import { BOILERPLATE_TAGS, DOUBTFUL_TAGS } from '../parse/boilerplate-tags.ts'
import { formulaOf } from './formula.ts'
import { attributeOf, childElements, type TreeElement } from './tree-nodes.ts'

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

const INVISIBLE_TAGS = names(
  'head script style template noscript svg iframe frame frameset object embed audio video canvas map area input select ' +
    'textarea datalist dialog link meta base param source track noframes noembed ' +
    'annotation annotation-xml',
)

export function isInvisible(element: TreeElement): boolean {
  if (INVISIBLE_TAGS.has(element.tagName)) return formulaOf(element) === null
  for (const { name, value } of element.attrs) {
    // A panel is hidden until its tab is selected.
    if (name === 'hidden' && attributeOf(element, 'role') !== 'tabpanel') return true
    if (name === 'aria-hidden' && value === 'true') return true
    if (name === 'class' && FORMULA_PREVIEW.test(value)) return true
    if (name === 'style' && HIDDEN.test(value)) return !isFormulaBesideImage(element)
  }
  return false
}

/** MathJax 2 shows it until it has read the source, which is beside it. */
const FORMULA_PREVIEW = /(?:^|\s)MathJax_Preview(?:\s|$)/
const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** MediaWiki shows an image instead, which is hidden from screen readers. */
function isFormulaBesideImage(element: TreeElement): boolean {
  const [only, ...others] = childElements(element)
  return only?.tagName === 'math' && others.length === 0 && formulaOf(only) !== null
}

const BOILERPLATE_ROLES = names(
  'navigation banner contentinfo search menu menubar toolbar dialog alertdialog tablist button',
)
const DOUBTFUL_ROLES = names('complementary')

/**
 * Words of class names and ids. A name is split at hyphens, underscores and changes of case; words such as `navbar`
 * also count if they are part of a longer word, as in `sphinxsidebar` and `navheader`.
 */
const BOILERPLATE_WORDS = names(
  'nav navi menu footer breadcrumb breadcrumbs crumbs pagination pager related relbar searchbox search skip skiplink ' +
    'cookie cookies consent share sharing social advert ads promo newsletter subscribe login signup masthead topbar ' +
    'toolbar tooltip popup modal feedback headerlink permalink anchorjs editlink prevnext',
)
const BOILERPLATE_PARTS =
  /sidebar|navbar|navigat|^nav(?:header|footer|path|row|links?|tree|buttons?)|breadcrumb|footer$|copyright/

/** `named`: only its name says so. `doubtful`: an aside or header, which may be content. */
export type BoilerplateKind = 'boilerplate' | 'named' | 'doubtful'

export function boilerplateKind(element: TreeElement): BoilerplateKind | null {
  const role = attributeOf(element, 'role')
  if (BOILERPLATE_TAGS.includes(element.tagName)) return 'boilerplate'
  if (role !== null && BOILERPLATE_ROLES.has(role)) return 'boilerplate'
  if (hasBoilerplateName(element)) return 'named'
  const isDoubtful = DOUBTFUL_TAGS.includes(element.tagName) || (role !== null && DOUBTFUL_ROLES.has(role))
  return isDoubtful ? 'doubtful' : null
}

/** Elements whose names do not describe their role: a section is named after its heading, a cell after its column. */
const UNNAMED_TAGS = names('html body main article section h1 h2 h3 h4 h5 h6 p pre code td th tr tbody a span dt dd')

function hasBoilerplateName(element: TreeElement): boolean {
  if (UNNAMED_TAGS.has(element.tagName)) return false
  for (const { name, value } of element.attrs) {
    if (name !== 'class' && name !== 'id') continue
    for (const word of wordsOf(value)) if (BOILERPLATE_WORDS.has(word) || BOILERPLATE_PARTS.test(word)) return true
  }
  return false
}

/** Longer lists of classes are not read. */
const MAX_NAME_LENGTH = 500

function wordsOf(names: string): string[] {
  return names
    .slice(0, MAX_NAME_LENGTH)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean)
}

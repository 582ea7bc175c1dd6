// CSS selectors for an element that was clicked in an archived page, the best first: short, and without details that a
// new version of the site would change. The server decides which of them match only this element, since rules are
// applied to its tree of the page.

export interface PickedElement {
  tag: string
  id: string
  classes: string[]
  /** Position among siblings with the same tag, starting at 1. */
  position: number
}

export interface Pick {
  /** The element, then its ancestors. */
  path: PickedElement[]
  text: string
}

const TAG = /^[a-z][a-z0-9-]*$/i
const MAX_CANDIDATES = 100
const MAX_ANCESTORS = 6

/**
 * Tags that a page usually has once, and tags that describe their content. Others are only used below a named element.
 */
const SINGLE_TAGS = ['h1', 'main', 'article', 'time', 'address']
const LANDMARKS = [...SINGLE_TAGS, 'header', 'footer', 'nav', 'aside', 'figure', 'table', 'dl']

export function selectorsFor([element, ...ancestors]: readonly PickedElement[]): string[] {
  if (element === undefined) return []
  const { tag } = element
  const own = [...namesOf(element), ...(SINGLE_TAGS.includes(tag) ? [tag] : [])]
  const parts = [...own.filter((name) => !name.startsWith('#')), ...(TAG.test(tag) ? [tag] : [])]
  const below = ancestors.slice(0, MAX_ANCESTORS).flatMap((ancestor) => {
    const anchors = [...namesOf(ancestor), ...(LANDMARKS.includes(ancestor.tag) ? [ancestor.tag] : [])]
    return anchors.flatMap((anchor) => parts.map((part) => `${anchor} ${part}`))
  })
  const selectors = [...new Set([...own, ...below])].slice(0, MAX_CANDIDATES - 1)
  const last = positionPath([element, ...ancestors])
  return last === null ? selectors : [...selectors, last]
}

function namesOf({ tag, id, classes }: PickedElement): string[] {
  if (!TAG.test(tag) || tag === 'html' || tag === 'body') return []
  const stable = classes.filter(isStable)
  return [
    ...(isStable(id) ? [`#${id}`] : []),
    ...stable.map((name) => `.${name}`),
    ...stable.map((name) => `${tag}.${name}`),
  ]
}

/** Names with numbers or hashes in them, as build tools and databases make them, differ from page to page. */
function isStable(name: string): boolean {
  return (
    /^[a-z][a-z0-9_-]{0,40}$/i.test(name) && !/\d{2}|[a-z]\d[a-z]|\d[a-z]\d/i.test(name) && !/^(css|sc|jss)-/.test(name)
  )
}

/** The last resort: positions, from the nearest ancestor with an id. */
function positionPath(path: readonly PickedElement[]): string | null {
  const steps: string[] = []
  for (const { tag, id, position } of path) {
    if (tag === 'html') break
    if (!TAG.test(tag)) return null
    if (steps.length > 0 && isStable(id)) return [`#${id}`, ...steps].join(' > ')
    steps.unshift(tag === 'body' ? tag : `${tag}:nth-of-type(${position})`)
  }
  return steps.join(' > ')
}

/** A message of the frame; null if it is none. Its parts end up in requests and on the screen as text. */
export function readPick(data: unknown): Pick | null {
  const { kind, path, text } = (data ?? {}) as Record<string, unknown>
  if (kind !== 'orbweaver-pick' || typeof text !== 'string' || !Array.isArray(path) || path.length > 64) return null
  return path.every(isElement) ? { path, text } : null
}

function isElement(value: unknown): value is PickedElement {
  const { tag, id, classes, position } = (value ?? {}) as Record<string, unknown>
  const areNames = Array.isArray(classes) && classes.every((name) => typeof name === 'string')
  return typeof tag === 'string' && typeof id === 'string' && areNames && Number.isSafeInteger(position)
}

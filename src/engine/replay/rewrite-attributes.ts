// Rewrites the attributes of an element of an archived page for replay.

import type { Token } from 'parse5'
import { escapeHtml } from '../../lib/escape-html.ts'
import { rewriteCssUrls } from '../parse/css-urls.ts'
import { rewriteSrcset } from '../parse/srcset.ts'
import { isHashRoute } from '../url/normalise-url.ts'
import type { ReplayLinks } from './replay-links.ts'

type Attribute = Token.Attribute

/** Attributes that act, or that would keep a rewritten part from loading. */
const DROPPED: ReadonlySet<string> = new Set([
  'action',
  'archive',
  'attributionsrc',
  'autofocus',
  'classid',
  'code',
  'codebase',
  'crossorigin',
  'download',
  'formaction',
  'integrity',
  'manifest',
  'nonce',
  'ping',
  'referrerpolicy',
  'sandbox',
  'srcdoc',
  'target',
])

const PART_ATTRIBUTES: ReadonlySet<string> = new Set(['background', 'dynsrc', 'lowsrc', 'poster', 'src'])
const SRCSETS: ReadonlySet<string> = new Set(['imagesrcset', 'srcset'])
const FRAMES: ReadonlySet<string> = new Set(['frame', 'iframe'])
/** Elements of SVG whose `href` is an image, or a part of a file. */
const SVG_PARTS: ReadonlySet<string> = new Set(['feimage', 'image', 'use'])

/** Attributes with a space before each; null if the element must be left out. */
export function rewriteAttributes(element: string, attributes: Attribute[], links: ReplayLinks): string | null {
  if (element === 'meta' && attributes.some(({ name }) => name === 'http-equiv' || name === 'charset')) return null
  if (element === 'link' && !isStyleSheet(attributes)) return null
  let text = ''
  for (const { name, value } of attributes) {
    if (DROPPED.has(name) || name.startsWith('on')) continue
    const rewritten = rewriteValue(element, name, value, links)
    if (rewritten !== null) text += ` ${name}="${escapeHtml(rewritten)}"`
  }
  return text
}

function isStyleSheet(attributes: Attribute[]): boolean {
  const rel = attributes.find(({ name }) => name === 'rel')?.value.toLowerCase() ?? ''
  return rel.split(/\s+/).includes('stylesheet')
}

/** Null if the attribute must be left out. */
function rewriteValue(element: string, name: string, value: string, links: ReplayLinks): string | null {
  if (name === 'style') return rewriteCssUrls(value, (url) => links.toPart(url))
  if (name === 'href' || name === 'xlink:href') return rewriteHref(element, value, links)
  if (name === 'src' && FRAMES.has(element)) return links.toPage(value)
  if (PART_ATTRIBUTES.has(name)) return links.toPart(value)
  if (SRCSETS.has(name)) return rewriteSrcset(value, (url) => links.toPart(url))
  return value
}

function rewriteHref(element: string, value: string, links: ReplayLinks): string | null {
  // A target within the page, such as a gradient or an anchor, unless it is a route.
  if (value.startsWith('#') && !isHashRoute(value)) return value
  if (element === 'link' || SVG_PARTS.has(element)) return links.toPart(value)
  return links.toPage(value)
}

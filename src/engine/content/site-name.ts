// Some sites mark up their name as the heading of every page.

import { normaliseUrl } from '../url/normalise-url.ts'
import { collapseText } from './markdown/collapse-text.ts'
import { plainText } from './markdown/write-inline.ts'
import { attributeOf, findElement, type TreeElement, type TreeParent } from './tree-nodes.ts'

interface HeadedPage {
  document: TreeParent
  /** Its main content, without the heading. */
  root: TreeElement
  baseUrl: string
  url: string
}

/** Whether the only h1 of a page is the name of its site, and not the title of the page. */
export function isSiteName(heading: TreeElement, page: HeadedPage): boolean {
  return isLinkToStart(heading, page) || hasOtherTitle(heading, page)
}

const INDEX = /(?<=\/)index\.html?$/

/** Whether the heading is only a link to the index of the site, or of a folder above the page. */
function isLinkToStart(heading: TreeElement, { baseUrl, url }: HeadedPage): boolean {
  const link = findElement(heading, ({ tagName }) => tagName === 'a')
  const href = link === null ? null : attributeOf(link, 'href')
  if (link === null || href === null || textOf(link) !== textOf(heading)) return false
  const target = normaliseUrl(href, baseUrl)
  if (!('url' in target)) return false
  const folder = target.url.replace(INDEX, '')
  return folder.endsWith('/') && url.startsWith(folder) && url.replace(INDEX, '') !== folder
}

/** Whether the content begins with the title of the page, as mdBook writes it. */
function hasOtherTitle(heading: TreeElement, { document, root }: HeadedPage): boolean {
  const first = findElement(root, ({ tagName }) => /^h[1-6]$/.test(tagName))
  const title = findElement(document, ({ tagName }) => tagName === 'title')
  if (first === null || title === null) return false
  const text = textOf(first)
  return text !== '' && text !== textOf(heading) && textOf(title).startsWith(text)
}

const NONE: ReadonlySet<TreeElement> = new Set()

function textOf(element: TreeElement): string {
  return collapseText(plainText(element, NONE))
}

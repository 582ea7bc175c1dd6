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
  const name = textOf(heading)
  const title = findElement(page.document, ({ tagName }) => tagName === 'title')
  const pageTitle = title === null ? '' : textOf(title)
  const isInTitle = name !== '' && pageTitle.startsWith(name)
  return isLinkToStart(heading, name, isInTitle, page) || hasOtherTitle(page.root, pageTitle, isInTitle ? name : '')
}

const INDEX = /(?<=\/)index\.html?$/

/**
 * Whether the heading is only a link to the index of the site, or of a folder above the page. Such a folder may be the
 * page itself, of which this is the version for printers, or its second page of comments.
 */
function isLinkToStart(heading: TreeElement, name: string, isInTitle: boolean, { baseUrl, url }: HeadedPage): boolean {
  const link = findElement(heading, ({ tagName }) => tagName === 'a')
  const href = link === null ? null : attributeOf(link, 'href')
  if (link === null || href === null || textOf(link) !== name) return false
  const target = normaliseUrl(href, baseUrl)
  if (!('url' in target)) return false
  const folder = target.url.replace(INDEX, '')
  const isAbove = folder.endsWith('/') && url.startsWith(folder) && withoutQuery(url).replace(INDEX, '') !== folder
  return isAbove && (!isInTitle || new URL(folder).pathname === '/')
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '')
}

/** Whether the content begins with the title of the page, as mdBook writes it, and with more of it than the heading. */
function hasOtherTitle(root: TreeElement, pageTitle: string, inHeading: string): boolean {
  const first = findElement(root, ({ tagName }) => /^h[1-6]$/.test(tagName))
  const text = first === null ? '' : textOf(first)
  return text.length > inHeading.length && pageTitle.startsWith(text)
}

const NONE: ReadonlySet<TreeElement> = new Set()

function textOf(element: TreeElement): string {
  return collapseText(plainText(element, NONE))
}

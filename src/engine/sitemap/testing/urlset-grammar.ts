// Writes urlsets in many equivalent forms.

import fc from 'fast-check'
import type { SitemapEntry } from '../sitemap-entry.ts'

export type UrlsetEntry = SitemapEntry

/** The source of all random choices, used in turn. */
export const noise = fc.array(fc.nat({ max: 999 }), { minLength: 1, maxLength: 100 })

type Choose = (count: number) => number

const BETWEEN = [
  '',
  '',
  '\n  ',
  '<!-- <url><loc>/comment</loc></url> -->',
  '<?pi <loc>/instruction</loc> ?>',
  ' text & more ',
  '<![CDATA[<url><loc>/cdata</loc></url>]]>',
  '<!---->\r\n',
]
const IN_PAGE = [
  '',
  '',
  '<image:image><image:loc>/image</image:loc></image:image>',
  '<xhtml:link rel="alternate" href="/de"/>',
  '<video:video><loc>/video</loc></video:video>',
  '<other><other><loc>/other</loc></other></other>',
  '<news:news/>',
  '<image:loc>/image</image:loc>',
]
const ATTRIBUTES = ['', '', ' ', '\n id="1"', ` a='"' b="/>" `, ' xml:lang="en" ']
const PREFIXES = ['', '', 'sm:', 'S:']
const STARTS = [
  '',
  '\uFEFF',
  '\n ',
  '<?xml version="1.0" encoding="UTF-8"?>\n',
  '<!DOCTYPE urlset [<!ENTITY a "<urlset>"> <!-- ]> --> ]>',
]

export function writeUrlset(pages: readonly UrlsetEntry[], choices: readonly number[]): string {
  let turn = 0
  const choose: Choose = (count) => (choices[turn++ % choices.length] ?? 0) % count
  const prefix = pick(PREFIXES, choose)
  const body = pages.map((page) => pick(BETWEEN, choose) + writePage(page, prefix, choose))
  return pick(STARTS, choose) + element(`${prefix}urlset`, body.join('') + pick(BETWEEN, choose), choose)
}

function writePage(page: UrlsetEntry, prefix: string, choose: Choose): string {
  const fields = [element(`${prefix}loc`, writeText(page.loc, choose), choose)]
  if (page.lastmod !== null) fields.push(element(`${prefix}lastmod`, new Date(page.lastmod).toISOString(), choose))
  if (page.changefreq !== null) fields.push(element(`${prefix}changefreq`, page.changefreq, choose))
  if (page.priority !== null)
    fields.push(element(`${prefix}priority`, writeText(page.priority.toString(), choose), choose))
  if (choose(2) === 1) fields.reverse()
  const content = fields.map((field) => pick(BETWEEN, choose) + pick(IN_PAGE, choose) + field)
  return element(`${prefix}url`, content.join('') + pick(IN_PAGE, choose), choose)
}

function element(name: string, content: string, choose: Choose): string {
  const [start, end] = [choose(4), choose(4)].map((choice) => (choice === 0 ? name.toUpperCase() : name))
  return `<${start}${pick(ATTRIBUTES, choose)}>${content}</${end}${pick(['', ' ', '\n'], choose)}>`
}

function writeText(text: string, choose: Choose): string {
  const blank = pick(['', '', ' ', '\r\n\t'], choose)
  if (choose(4) === 0) return `${blank}<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>${blank}`
  return blank + [...text].map((character) => writeCharacter(character, choose)).join('') + blank
}

function writeCharacter(character: string, choose: Choose): string {
  const code = character.codePointAt(0) ?? 0
  switch (choose(12)) {
    case 0:
      return `&#${code};`
    case 1:
      return `&#x${code.toString(16)};`
    case 2:
      return `<![CDATA[${character}]]>`
    case 3:
      return `<!-- & -->${escapeCharacter(character)}`
    default:
      return escapeCharacter(character)
  }
}

function escapeCharacter(character: string): string {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
  return named[character] ?? character
}

function pick(list: readonly string[], choose: Choose): string {
  return list[choose(list.length)] ?? ''
}

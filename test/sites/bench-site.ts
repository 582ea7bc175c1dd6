// The site of the benchmarks: a tree that makes every page reachable, random links on top, and the markup of an
// ordinary magazine. Everything follows from the numbers in `BenchSite`.

import { type SeededRandom, seededRandom } from '../../src/lib/seeded-random.ts'

export interface BenchSite {
  hosts: number
  pagesPerHost: number
  linksPerPage: number
  /** Pages are filled with text up to about this size. */
  pageBytes: number
}

export const ONE_HOST: BenchSite = { hosts: 1, pagesPerHost: 20_000, linksPerPage: 30, pageBytes: 10_000 }
export const MANY_HOSTS: BenchSite = { hosts: 200, pagesPerHost: 100, linksPerPage: 30, pageBytes: 10_000 }
export const LARGE_PAGES: BenchSite = { hosts: 1, pagesPerHost: 5_000, linksPerPage: 100, pageBytes: 60_000 }
export const SMALL_PAGES: BenchSite = { hosts: 1, pagesPerHost: 5_000, linksPerPage: 20, pageBytes: 1_000 }

/** Children of a page in the tree; its other links are random. */
const BRANCHES = 8

export function countPages(benchSite: BenchSite): number {
  return benchSite.hosts * benchSite.pagesPerHost
}

/** Host 0 is 127.0.0.1, so that one host works on every system; the others need the whole 127/8 of Linux. */
export function hostAddress(host: number): string {
  if (host > 62_500) throw new RangeError(`There is no address for host ${host}.`)
  return host === 0 ? '127.0.0.1' : `127.0.${1 + Math.floor((host - 1) / 250)}.${1 + ((host - 1) % 250)}`
}

/** The inverse of hostAddress. */
export function hostOfAddress(address: string): number {
  const [, , third = 0, fourth = 0] = address.split('.').map(Number)
  return third === 0 ? 0 : (third - 1) * 250 + fourth
}

export function seedsOf(benchSite: BenchSite, port: number): string[] {
  return Array.from({ length: benchSite.hosts }, (_, host) => `http://${hostAddress(host)}:${port}/`)
}

export function pathOf(page: number): string {
  return page === 0 ? '/' : `/articles/${page}.html`
}

export function makePage(benchSite: BenchSite, host: number, page: number): string {
  const random = seededRandom(host * 1_000_003 + page)
  const links = linksOf(benchSite, page, random)
  const nav = links.slice(0, 4).map((to) => `<li><a href="${pathOf(to)}">${SUBJECTS[to % SUBJECTS.length]}</a></li>`)
  const title = titleOf(page)
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="description" content="${SENTENCES[page % SENTENCES.length]}">
<link rel="stylesheet" href="/style.css">
</head>
<body class="article">
<header><nav><ul>
${nav.join('\n')}
</ul></nav></header>
<main>
<h1>${title}</h1>
`
  const foot = '</main>\n<footer><p>Printed on recycled bytes.</p></footer>\n</body>\n</html>\n'
  return head + makeParagraphs(links.slice(4), benchSite.pageBytes - head.length - foot.length, random) + foot
}

/** The tree first: page p links to 8p+1 ... 8p+8, so that all pages are connected. */
function linksOf({ pagesPerHost, linksPerPage }: BenchSite, page: number, seededRandom: SeededRandom): number[] {
  const links: number[] = []
  for (let child = page * BRANCHES + 1; child <= page * BRANCHES + BRANCHES && child < pagesPerHost; child++) {
    links.push(child)
  }
  while (links.length < linksPerPage) links.push(seededRandom.below(pagesPerHost))
  return links
}

function makeParagraphs(links: number[], bytes: number, seededRandom: SeededRandom): string {
  const paragraphs: string[] = []
  const share = bytes / Math.max(1, links.length)
  let written = 0
  for (const [i, to] of links.entries()) {
    let text = `<p>See <a href="${pathOf(to)}">${titleOf(to)}</a>.`
    while (written + text.length + 60 < share * (i + 1)) text += ` ${SENTENCES[seededRandom.below(SENTENCES.length)]}`
    text += '</p>\n'
    written += text.length
    paragraphs.push(text)
  }
  return paragraphs.join('')
}

const SUBJECTS = ['Garden', 'Kitchen', 'Workshop', 'Outdoors', 'Reading', 'Weather', 'Music', 'Letters']
const QUALITIES = ['quiet', 'early', 'old', 'small', 'patient', 'northern', 'plain', 'late', 'open', 'borrowed']

function titleOf(page: number): string {
  return `The ${QUALITIES[page % QUALITIES.length]} ${SUBJECTS[page % SUBJECTS.length]}, part ${page}`
}

const SENTENCES = QUALITIES.flatMap((quality) =>
  SUBJECTS.map(
    (subject) =>
      `Nobody who has kept a ${quality} ${subject.toLowerCase()} for a year &amp; a day will be surprised to hear that most of the work is waiting.`,
  ),
)

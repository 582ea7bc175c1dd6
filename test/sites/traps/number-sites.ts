// Sites with many pages that differ only in numbers, or hardly at all, but have an end. Every page must be visited.

import { SimulatedSite } from './simulated-site.ts'
import { range } from './text-writer.ts'

function siteWithArticles(seed: number, count: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed)
  const articles = range(count).map((i) => `/articles/${i}`)
  for (const path of articles) simulatedSite.add(path, [simulatedSite.writer.paragraph()], [])
  simulatedSite.add('/', ['Welcome'], articles)
  return simulatedSite
}

/** Thirty years of twelve months. Index pages and tables have the same heading. */
export function weather(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 300)
  const years = range(30).map((i) => `/weather/${1990 + i}/`)
  simulatedSite.link('/', '/weather/')
  simulatedSite.add('/weather/', ['Weather records'], years)
  for (const year of years) {
    const months = range(12).map((i) => `${year}${i + 1}`)
    simulatedSite.add(year, ['Weather records'], months)
    for (const month of months) simulatedSite.add(month, ['Weather records', '7.3', '11.9'], [])
  }
  return simulatedSite
}

/** The whole site is tables by year and month, which link to the months of their year. */
export function tides(seed: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed)
  const pathOf = (year: number, month: number) => `/tide?year=${1990 + year}&month=${month + 1}`
  simulatedSite.add(
    '/',
    ['Tide tables'],
    range(30).map((year) => pathOf(year, 0)),
  )
  for (const year of range(30)) {
    const months = range(12).map((month) => pathOf(year, month))
    for (const path of months) simulatedSite.add(path, ['Tides', '4.1', '0.7'], months)
  }
  return simulatedSite
}

/** A chain of tables, each of which links only to the previous and the next one. */
export function logarithms(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 300)
  simulatedSite.link('/', '/tables/0')
  for (const i of range(300)) {
    const rows = range(40).map((row) => Math.log10(i * 40 + row + 1).toFixed(5))
    const links = [i - 1, i + 1].filter((other) => other >= 0 && other < 300)
    simulatedSite.add(
      `/tables/${i}`,
      ['Logarithms', ...rows, 'Back', 'On'],
      links.map((other) => `/tables/${other}`),
    )
  }
  return simulatedSite
}

/** Years, months and days are lists of numbers; only a day leads to something to read. */
export function diary(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 100)
  simulatedSite.link('/', '/diary/')
  const add = (path: string, children: string[]) => {
    simulatedSite.add(path, ['Diary'], children)
    return children
  }
  for (const year of add(
    '/diary/',
    range(8).map((i) => `/diary/${2010 + i}/`),
  )) {
    for (const month of add(
      year,
      range(12).map((i) => `${year}${i + 1}/`),
    )) {
      for (const day of add(
        month,
        range(5).map((i) => `${month}${i * 6 + 1}.html`),
      )) {
        simulatedSite.add(day, ['Diary', simulatedSite.writer.paragraph()], [])
      }
    }
  }
  return simulatedSite
}

/** A list that repeats one of the two pages that link to it. Its items have no text. */
export function members(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 200)
  for (const path of ['/classes', '/guide']) simulatedSite.link('/', path)
  simulatedSite.add('/classes', ['Members of the class'], ['/class'])
  simulatedSite.add('/guide', [simulatedSite.writer.paragraph()], ['/class'])
  const items = range(60).map((i) => `/class/member${i}`)
  simulatedSite.add('/class', ['Members of the class'], items)
  for (const path of items) simulatedSite.add(path, ['Deprecated'], [])
  return simulatedSite
}

/** A tree of six levels without any text, one branch of which has two more. */
export function branches(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 100)
  simulatedSite.link('/', '/tree/')
  const grow = (path: string, levels: number) => {
    const children = levels === 0 ? [] : range(3).map((i) => `${path}${i + 1}/`)
    simulatedSite.add(path, ['Tree'], children)
    for (const child of children) grow(child, child === '/tree/2/2/2/' ? levels + 1 : levels - 1)
  }
  grow('/tree/', 5)
  return simulatedSite
}

/** A blog whose archive is a chain of months. Their titles are words of the URLs they link to. */
export function months(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 200)
  const { writer } = simulatedSite
  const pathOf = (month: number) => `/${2026 - Math.floor(month / 12)}/${12 - (month % 12)}/`
  simulatedSite.link('/', pathOf(0))
  for (const month of range(60)) {
    const titles = range(3).map(() => writer.words(2))
    const posts = titles.map((title) => `${pathOf(month)}${title.replaceAll(' ', '-')}/`)
    const older = month < 59 ? [pathOf(month + 1)] : []
    simulatedSite.add(pathOf(month), ['Archive', ...titles, 'Older posts'], [...posts, ...older])
    for (const [i, post] of posts.entries())
      simulatedSite.add(post, [titles[i] ?? '', writer.paragraph(), writer.paragraph()], [pathOf(month)])
  }
  return simulatedSite
}

/** A chain of pages with an event each, whose views are empty. */
export function events(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 200)
  const { writer } = simulatedSite
  simulatedSite.link('/', '/archive/1/')
  for (const i of range(30)) {
    const event = `/event/${writer.words(1)}fair?id=${i}`
    const views = range(3).map((view) => `${event}&view=${view}`)
    simulatedSite.add(`/archive/${i + 1}/`, [`Archive ${i + 1}`], [...(i < 29 ? [`/archive/${i + 2}/`] : []), event])
    simulatedSite.add(event, [writer.paragraph(), writer.paragraph()], views)
    for (const view of views) simulatedSite.add(view, ['Nothing here yet'], [])
  }
  return simulatedSite
}

/** Folders in folders, most with a single one, shown by a listing without a title of its own. */
export function sourceTree(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 200)
  const names = 'src main java org example shop orders model parts view list'.split(' ')
  simulatedSite.link('/', '/code/')
  const grow = (path: string, level: number) => {
    const folders = level > 2 ? [names[level]] : level > 0 ? [`a${level}`, `b${level}`, `c${level}`] : []
    const files = level === 0 ? ['first.txt', 'second.txt'] : []
    const paths = [...folders.map((folder) => `${path}${folder}/`), ...files.map((file) => path + file)]
    simulatedSite.add(path, ['Parent folder', ...paths.map((one) => one.slice(path.length))], paths)
    for (const folder of folders) grow(`${path}${folder}/`, level - 1)
    for (const file of files) simulatedSite.add(path + file, [simulatedSite.writer.paragraph()], [])
  }
  grow('/code/', names.length - 1)
  return simulatedSite
}

/** A tree without any text, whose pages have a link that is rejected for its shape. */
export function brokenLinks(seed: number): SimulatedSite {
  const simulatedSite = siteWithArticles(seed, 100)
  simulatedSite.link('/', '/tree/')
  const grow = (path: string, levels: number) => {
    const children = levels === 0 ? [] : [`${path}1/`, `${path}2/`]
    simulatedSite.add(path, ['Tree'], [...children, `${path}x/x/x/x`])
    for (const child of children) grow(child, levels - 1)
  }
  grow('/tree/', 7)
  return simulatedSite
}

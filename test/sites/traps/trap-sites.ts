// Traps to be set into a site, each with its entrance. No page of theirs is good.

import { type Random, seededRandom } from '../../../src/demo/random.ts'
import type { Answer, Site } from './site.ts'
import { range } from './words.ts'

export interface Trap {
  entrance: string
  /** Asked for whatever the site does not have. */
  answer: Answer
}

export type TrapMaker = (site: Site, seed: number) => Trap

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Mo Tu We Th Fr Sa Su'.split(' ')

function randomOf(text: string, seed: number): Random {
  return seededRandom([...text].reduce((sum, c) => Math.imul(sum, 31) + c.charCodeAt(0), seed))
}

/** A trap of the pages below one path. */
function trap(entrance: string, answer: Answer): Trap {
  const folder = /^\/[^/?]+/.exec(entrance)?.[0] ?? entrance
  return { entrance, answer: (path) => (path.startsWith(folder) ? answer(path) : null) }
}

/** The month before and after, for ever. */
export const calendar: TrapMaker = (site) =>
  trap('/calendar/2026/3', (path) => {
    const [, , year = 0, month = 0] = path.split('/').map(Number)
    const at = year * 12 + month - 1
    const linkTo = (to: number) => `/calendar/${Math.floor(to / 12)}/${(to % 12) + 1}`
    const days = range(28 + (month % 4)).map((day) => String(day + 1))
    const lines = [`${MONTHS[month - 1]} ${year}`, ...WEEKDAYS, ...days, 'No events this month', 'Next month']
    return { text: site.frame(lines), links: ['/', linkTo(at - 1), linkTo(at + 1)] }
  })

/** Months in one place, and days without events in another. */
export const days: TrapMaker = (site) => {
  const months = trap('/events/1', (path) => {
    const month = Number(path.slice(8))
    const links = range(30).map((day) => `/on?day=${month * 30 + day}`)
    return { text: site.frame([`Events in month ${month}`]), links: [`/events/${month + 1}`, ...links] }
  })
  const empty = trap('/on', (path) => ({ text: site.frame([`No events on day ${path.slice(8)}`]), links: ['/'] }))
  return { entrance: months.entrance, answer: (path) => months.answer(path) ?? empty.answer(path) }
}

/** Sixty products by any combination of four to six filters; only the products are worth it. */
export const facets: TrapMaker = (site, seed) => {
  const names = ['colour', 'size', 'brand', 'price', 'sort', 'view'].slice(0, 4 + (seed % 3))
  const values = ['red', 'large', 'acme', 'low', 'new']
  const products = range(60).map((i) => ({ path: `/product/${i}`, title: site.write.words(3) }))
  for (const { path, title } of products) site.add(path, [title, site.write.paragraph(), 'Add to basket'], ['/shop'])
  return trap('/shop', (path) => {
    const query = path.split('?')[1] ?? ''
    const chosen = new Map(query === '' ? [] : query.split('&').map((each) => each.split('=') as [string, string]))
    const urlWith = (name: string, value: string) => {
      const all = new Map([...chosen, [name, value]])
      return `/shop?${[...all].map((each) => each.join('=')).join('&')}`
    }
    const random = randomOf(query, seed)
    const page = chosen.size === 0 ? 0 : chosen.size === 1 ? Number(chosen.get('page')) : Number.NaN
    const shown = page >= 0 ? products.slice(page * 12, page * 12 + 12) : range(12).map(() => random.pick(products))
    const filters = [...chosen].map(([name, value]) => `${name}: ${value}`)
    const lines = ['Our products', ...filters, ...shown.map(({ title }) => title), ...names, ...values]
    const links = names.flatMap((name) => values.map((value) => urlWith(name, value)))
    const pages = range(5).map((i) => `/shop?page=${i}`)
    return { text: site.frame(lines), links: [...pages, ...links, ...shown.map((product) => product.path)] }
  })
}

/** A link that is relative by mistake: every page has a longer way to itself. */
export const echoingPath: TrapMaker = (site) =>
  trap('/a/b/', (path) => ({
    text: site.frame(['Our history', 'It all began in a small shed behind the house', 'Read on']),
    links: ['/', `${path}${path.endsWith('/a/') ? 'b/' : 'a/'}`, `${path}b/`],
  }))

/** Rooms with made-up names and doors to more of them; each tells its own name, the way to it and its doors. */
export const maze: TrapMaker = (site, seed) =>
  trap('/maze/start', (path) => {
    const random = randomOf(path, seed)
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const doors = range(1 + (seed % 4)).map(() =>
      range(3 + random.below(6))
        .map(() => random.pick(letters))
        .join(''),
    )
    const trail = path.split('/').slice(2).join(' > ')
    const text = site.frame([`You are in ${trail}`, 'Where do you want to go', ...doors])
    return { text, links: ['/', ...doors.map((door) => `${path}/${door}`)] }
  })

/** Years that lead to their months and to the years beside them; months that lead to the months beside them. */
export const yearsAndMonths: TrapMaker = (site) =>
  trap('/cal/2026', (path) => {
    const [, , year = 0, month] = path.split('/').map(Number)
    const months = range(12).map((i) => `/cal/${year}/${i + 1}`)
    if (month === undefined) {
      const lines = [`Events in ${year}`, ...MONTHS]
      return { text: site.frame(lines), links: [`/cal/${year - 1}`, `/cal/${year + 1}`, ...months] }
    }
    const linkTo = (to: number) => `/cal/${Math.floor(to / 12)}/${(to % 12) + 1}`
    const at = year * 12 + month - 1
    const text = site.frame([`${MONTHS[month - 1]} ${year}`, 'No events this month'])
    return { text, links: [`/cal/${year}`, linkTo(at - 1), linkTo(at + 1)] }
  })

/** Whatever is asked for below it is an apology with status 200, whose links are relative by mistake. */
export const softMissing: TrapMaker = (site) =>
  trap('/lost/start', (path) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const name = path.slice(folder.length)
    const text = site.frame(['Page not found', `Sorry, there is nothing at ${path} any more`, 'Try the search'])
    return { text, links: ['/', `${folder}help/${name}`, `${folder}search/${name}`] }
  })

/** Ten pages whose links all carry a number that changes with every answer. */
export const changingIds: TrapMaker = (site) => {
  let answered = 0
  return trap('/app/0?ticket=0', (path) => {
    answered += 1
    const page = Number(/^\/app\/(\d+)/.exec(path)?.[1])
    const lines = ['Our app', `Step ${'abcdefghij'[page]}`, 'Back', 'Help']
    return { text: site.frame(lines), links: range(10).map((i) => `/app/${i}?ticket=${answered}`) }
  })
}

/** Thirty articles whose links carry a session id that every response replaces. */
export const sessionArticles: TrapMaker = (site, seed) => {
  const articles = range(30).map(() => [site.write.words(3), site.write.paragraph(), site.write.paragraph()])
  let answered = seed
  return trap('/press', (path) => {
    answered += 1
    const article = articles[Number(/^\/press\/(\d+)/.exec(path)?.[1] ?? 0)]
    if (article === undefined) return null
    return { text: site.frame(article), links: range(30).map((i) => `/press/${i}?sid=${answered.toString(36)}`) }
  })
}

/** Links without a leading slash: the same twelve articles below every one of them. */
export const articlesBelowArticles: TrapMaker = (site) => {
  const articles = range(12).map((i) => ({
    name: `topic${'abcdefghijkl'[i]}`,
    text: [site.write.words(4), site.write.paragraph()],
  }))
  return trap('/topics/topica/', (path) => {
    const article = articles.find(({ name }) => path.endsWith(`/${name}/`))
    if (article === undefined) return null
    return { text: site.frame(article.text), links: articles.map(({ name }) => `${path}${name}/`) }
  })
}

/** Every page sends its readers to the next one. */
export const refreshChain: TrapMaker = (site) =>
  trap('/wait/1', (path) => {
    const next = `/wait/${Number(path.slice(6)) + 1}`
    return { text: site.frame(['One moment']), links: [], refreshTo: next }
  })

/** Dead links of every page, each to an apology of its own with status 200 that leads nowhere: finite, so no trap. */
export function addDeadLinks(site: Site): void {
  for (const [i, path] of [...site.pages.keys()].entries()) {
    const dead = `/old/page-${i}-of-long-ago`
    site.link(path, dead)
    site.add(dead, ['Page not found', `Sorry, there is nothing at ${dead} any more`, 'Try the search'], [])
  }
}

/** A result page too many, and the next, and the next. */
export const emptyPages: TrapMaker = (site) =>
  trap('/results?page=1', (path) => ({
    text: site.frame(['No more results', 'Next']),
    links: [`/results?page=${Number(path.slice(14)) + 1}`],
  }))

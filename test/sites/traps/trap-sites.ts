// Spider traps that can be added to a site, each with its entrance. None of their pages is good.

import { type SeededRandom, seededRandom } from '../../../src/lib/seeded-random.ts'
import type { PageLookup, SimulatedSite } from './simulated-site.ts'
import { range } from './text-writer.ts'

export interface Trap {
  entrance: string
  /** Called for paths that the site does not have. */
  findPage: PageLookup
}

export type TrapMaker = (simulatedSite: SimulatedSite, seed: number) => Trap

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Mo Tu We Th Fr Sa Su'.split(' ')

function randomOf(text: string, seed: number): SeededRandom {
  return seededRandom([...text].reduce((sum, c) => Math.imul(sum, 31) + c.charCodeAt(0), seed))
}

/** A trap of the pages below one path. */
function makeTrap(entrance: string, pageLookup: PageLookup): Trap {
  const folder = /^\/[^/?]+/.exec(entrance)?.[0] ?? entrance
  return { entrance, findPage: (path) => (path.startsWith(folder) ? pageLookup(path) : null) }
}

/** The previous and next month, endlessly. */
export const calendar: TrapMaker = (simulatedSite) =>
  makeTrap('/calendar/2026/3', (path) => {
    const [, , year = 0, month = 0] = path.split('/').map(Number)
    const at = year * 12 + month - 1
    const linkTo = (to: number) => `/calendar/${Math.floor(to / 12)}/${(to % 12) + 1}`
    const days = range(28 + (month % 4)).map((day) => String(day + 1))
    const lines = [`${MONTHS[month - 1]} ${year}`, ...WEEKDAYS, ...days, 'No events this month', 'Next month']
    return { text: simulatedSite.withMenu(lines), links: ['/', linkTo(at - 1), linkTo(at + 1)] }
  })

/** The calendar in Dutch, for the whole site of a club. */
export const dutchCalendar: TrapMaker = (simulatedSite) => {
  const names = 'januari februari maart april mei juni juli augustus september oktober november december'.split(' ')
  return makeTrap('/agenda/2026/3', (path) => {
    const [, , year = 0, month = 0] = path.split('/').map(Number)
    const at = year * 12 + month - 1
    const nameOf = (to: number) => names[to % 12] ?? ''
    const linkTo = (to: number) => `/agenda/${Math.floor(to / 12)}/${(to % 12) + 1}`
    const lines = [`Agenda ${nameOf(at)} ${year}`, 'Geen evenementen', nameOf(at - 1), nameOf(at + 1)]
    return { text: simulatedSite.withMenu(lines), links: ['/', linkTo(at - 1), linkTo(at + 1)] }
  })
}

/** A plan with two weeks per page, with full dates that are not part of its URL. */
export const plan: TrapMaker = (simulatedSite) =>
  makeTrap('/plan/100', (path) => {
    const page = Number(path.slice(6))
    const dates = range(14).map((day) => new Date(Date.UTC(2026, 0, page * 14 + day)).toISOString().slice(0, 10))
    const text = simulatedSite.withMenu(['Plan', ...dates, 'Free', 'Earlier', 'Later'])
    return { text, links: ['/', `/plan/${page - 1}`, `/plan/${page + 1}`] }
  })

/** Forty links per page, seven of ten of them dead. */
export const deadLinks: TrapMaker = (simulatedSite, seed) =>
  makeTrap('/index/start', (path) => {
    if (path !== '/index/start' && randomOf(path, seed).chance(0.7)) return null
    const names = range(40).map((i) => `${path.length % 7}${i}${randomOf(`${path} ${i}`, seed).below(1_000_000)}`)
    return { text: simulatedSite.withMenu(['Index', ...names]), links: names.map((name) => `/index/${name}`) }
  })

/** Months under one path, and days without events under another. */
export const days: TrapMaker = (simulatedSite) => {
  const months = makeTrap('/events/1', (path) => {
    const month = Number(path.slice(8))
    const links = range(30).map((day) => `/on?day=${month * 30 + day}`)
    return { text: simulatedSite.withMenu([`Events in month ${month}`]), links: [`/events/${month + 1}`, ...links] }
  })
  const empty = makeTrap('/on', (path) => ({
    text: simulatedSite.withMenu([`No events on day ${path.slice(8)}`]),
    links: ['/'],
  }))
  return { entrance: months.entrance, findPage: (path) => months.findPage(path) ?? empty.findPage(path) }
}

/** Sixty products by any combination of four to six filters; only the products are good. */
export const facets: TrapMaker = (simulatedSite, seed) => {
  const names = ['colour', 'size', 'brand', 'price', 'sort', 'view'].slice(0, 4 + (seed % 3))
  const values = ['red', 'large', 'acme', 'low', 'new']
  const products = range(60).map((i) => ({ path: `/product/${i}`, title: simulatedSite.writer.words(3) }))
  for (const { path, title } of products)
    simulatedSite.add(path, [title, simulatedSite.writer.paragraph(), 'Add to basket'], ['/shop'])
  return makeTrap('/shop', (path) => {
    const query = path.split('?')[1] ?? ''
    const chosen = new Map(query === '' ? [] : query.split('&').map((each) => each.split('=') as [string, string]))
    const urlWith = (name: string, value: string) => {
      const all = new Map([...chosen, [name, value]])
      return `/shop?${[...all].map((each) => each.join('=')).join('&')}`
    }
    const seededRandom = randomOf(query, seed)
    const page = chosen.size === 0 ? 0 : chosen.size === 1 ? Number(chosen.get('page')) : Number.NaN
    const shown =
      page >= 0 ? products.slice(page * 12, page * 12 + 12) : range(12).map(() => seededRandom.pick(products))
    const filters = [...chosen].map(([name, value]) => `${name}: ${value}`)
    const lines = ['Our products', ...filters, ...shown.map(({ title }) => title), ...names, ...values]
    const links = names.flatMap((name) => values.map((value) => urlWith(name, value)))
    const pages = range(5).map((i) => `/shop?page=${i}`)
    return { text: simulatedSite.withMenu(lines), links: [...pages, ...links, ...shown.map((product) => product.path)] }
  })
}

/** The same, and each page links to a login that leads back to it. */
export const facetsWithLogin: TrapMaker = (simulatedSite, seed) => {
  const { entrance, findPage } = facets(simulatedSite, seed)
  const login = { text: simulatedSite.withMenu(['Log in']), links: ['/'] }
  return {
    entrance,
    findPage: (path) => {
      if (path.startsWith('/login?')) return login
      const page = findPage(path)
      return page && { ...page, links: [...page.links, `/login?next=${encodeURIComponent(path)}`] }
    },
  }
}

/** Filters that disappear once they are chosen, so that their number falls from page to page. */
export const drilldown: TrapMaker = (simulatedSite, seed) => {
  const groups = ['brand', 'colour', 'price', 'rating', 'size']
  const products = range(40).map((i) => ({ path: `/article/${i}`, title: simulatedSite.writer.words(3) }))
  for (const { path, title } of products)
    simulatedSite.add(path, [title, simulatedSite.writer.paragraph()], ['/filter'])
  return makeTrap('/filter', (path) => {
    const chosen = path.split('?')[1]?.split('&') ?? []
    const left = groups.filter((group) => !chosen.some((each) => each.startsWith(group)))
    const links = left.flatMap((group) =>
      range(5).map((i) => `/filter?${[...chosen, `${group}=${i}`].sort().join('&')}`),
    )
    const random = randomOf(path, seed)
    const shown = chosen.length === 0 ? products : range(5).map(() => random.pick(products))
    const lines = ['Products', ...shown.map(({ title }) => title), 'Clear all']
    return { text: simulatedSite.withMenu(lines), links: ['/filter', ...shown.map((one) => one.path), ...links] }
  })
}

/** Filters on the product lists of categories, which are lists themselves. The categories and products are good. */
export const filteredCategories: TrapMaker = (simulatedSite, seed) => {
  const names = ['alpha', 'beta', 'gamma']
  const lists = names.flatMap((a) => names.flatMap((b) => range(3).map((i) => `/c/${a}/${b}/p${i}`)))
  simulatedSite.add(
    '/c/',
    ['Catalogue', ...names],
    names.map((a) => `/c/${a}/`),
  )
  for (const a of names) {
    simulatedSite.add(
      `/c/${a}/`,
      ['Catalogue', ...names],
      names.map((b) => `/c/${a}/${b}/`),
    )
    for (const b of names) {
      const pages = range(3).map((i) => `p${i}`)
      simulatedSite.add(
        `/c/${a}/${b}/`,
        ['Catalogue', ...pages],
        pages.map((page) => `/c/${a}/${b}/${page}?page=1`),
      )
    }
  }
  const products = lists.map((list) =>
    range(6).map((i) => ({ path: `/item${list}/${i}`, title: simulatedSite.writer.words(3) })),
  )
  for (const { path, title } of products.flat()) simulatedSite.add(path, [title, simulatedSite.writer.paragraph()], [])
  const filters = ['colour', 'size', 'brand'].flatMap((name) => range(4).map((i) => `${name}=${i}`))
  const linksOf = (list: string, chosen: string[]) =>
    filters.map((filter) => {
      const others = chosen.filter((each) => each.split('=')[0] !== filter.split('=')[0])
      return `${list}?${[...others, filter].join('&')}`
    })
  for (const [i, list] of lists.entries()) {
    const shown = products[i] ?? []
    const links = [...shown.map(({ path }) => path), ...linksOf(list, ['page=1'])]
    simulatedSite.add(`${list}?page=1`, ['Products', ...shown.map(({ title }) => title), ...filters], links)
  }
  return makeTrap('/c/', (path) => {
    const [list = '', query = ''] = path.split('?')
    const own = products[lists.indexOf(list)]
    if (own === undefined) return null
    const random = randomOf(path, seed)
    const shown = range(3).map(() => random.pick(own))
    const links = [...shown.map((product) => product.path), ...linksOf(list, query.split('&'))]
    return { text: simulatedSite.withMenu(['Products', ...shown.map(({ title }) => title), ...filters]), links }
  })
}

/** Articles under a new ticket with every response, behind a list that repeats the lists above it. */
export const listedSessions: TrapMaker = (simulatedSite, seed) => {
  const articles = range(30).map(() => [
    simulatedSite.writer.words(3),
    ...range(6).map(() => simulatedSite.writer.paragraph()),
  ])
  let responses = seed
  simulatedSite.add('/news/', ['News'], ['/news/2026/'])
  simulatedSite.add('/news/2026/', ['News'], ['/news/2026/5/'])
  return makeTrap('/news/', (path) => {
    responses += 1
    const links = range(30).map((i) => `/news/article/${i}?tick=${responses.toString(36)}`)
    if (path === '/news/2026/5/') return { text: simulatedSite.withMenu(['News']), links }
    const article = articles[Number(/^\/news\/article\/(\d+)/.exec(path)?.[1])]
    return article === undefined ? null : { text: simulatedSite.withMenu(article), links }
  })
}

/** A link that is relative by mistake: every page has a longer path to itself. */
export const repeatingPath: TrapMaker = (simulatedSite) =>
  makeTrap('/a/b/', (path) => ({
    text: simulatedSite.withMenu(['Our history', 'It all began in a small shed behind the house', 'Read on']),
    links: ['/', `${path}${path.endsWith('/a/') ? 'b/' : 'a/'}`, `${path}b/`],
  }))

/** Rooms with invented names and doors to more of them; each shows its name, its path and its doors. */
export const maze: TrapMaker = (simulatedSite, seed) =>
  makeTrap('/maze/start', (path) => {
    const seededRandom = randomOf(path, seed)
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const doors = range(1 + (seed % 4)).map(() =>
      range(3 + seededRandom.below(6))
        .map(() => seededRandom.pick(letters))
        .join(''),
    )
    const trail = path.split('/').slice(2).join(' > ')
    const text = simulatedSite.withMenu([`You are in ${trail}`, 'Where do you want to go', ...doors])
    return { text, links: ['/', ...doors.map((door) => `${path}/${door}`)] }
  })

/** Years that link to their months and to adjacent years; months that link to adjacent months. */
export const yearsAndMonths: TrapMaker = (simulatedSite) =>
  makeTrap('/cal/2026', (path) => {
    const [, , year = 0, month] = path.split('/').map(Number)
    const months = range(12).map((i) => `/cal/${year}/${i + 1}`)
    if (month === undefined) {
      const lines = [`Events in ${year}`, ...MONTHS]
      return { text: simulatedSite.withMenu(lines), links: [`/cal/${year - 1}`, `/cal/${year + 1}`, ...months] }
    }
    const linkTo = (to: number) => `/cal/${Math.floor(to / 12)}/${(to % 12) + 1}`
    const at = year * 12 + month - 1
    const text = simulatedSite.withMenu([`${MONTHS[month - 1]} ${year}`, 'No events this month'])
    return { text, links: [`/cal/${year}`, linkTo(at - 1), linkTo(at + 1)] }
  })

/** Every path below it returns an apology with status 200, whose links are relative by mistake. */
export const softNotFound: TrapMaker = (simulatedSite) =>
  makeTrap('/lost/start', (path) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const name = path.slice(folder.length)
    const text = simulatedSite.withMenu([
      'Page not found',
      `Sorry, there is nothing at ${path} any more`,
      'Try the search',
    ])
    return { text, links: ['/', `${folder}help/${name}`, `${folder}search/${name}`] }
  })

/** Ten pages whose links all carry a number that changes with every response. */
export const changingTicketIds: TrapMaker = (simulatedSite) => {
  let answered = 0
  return makeTrap('/app/0?ticket=0', (path) => {
    answered += 1
    const page = Number(/^\/app\/(\d+)/.exec(path)?.[1])
    const lines = ['Our app', `Step ${'abcdefghij'[page]}`, 'Back', 'Help']
    return { text: simulatedSite.withMenu(lines), links: range(10).map((i) => `/app/${i}?ticket=${answered}`) }
  })
}

/** Thirty articles whose links carry a session id that every response replaces. */
export const sessionArticles: TrapMaker = (simulatedSite, seed) => {
  const articles = range(30).map(() => [
    simulatedSite.writer.words(3),
    simulatedSite.writer.paragraph(),
    simulatedSite.writer.paragraph(),
  ])
  let answered = seed
  return makeTrap('/press', (path) => {
    answered += 1
    const article = articles[Number(/^\/press\/(\d+)/.exec(path)?.[1] ?? 0)]
    if (article === undefined) return null
    return {
      text: simulatedSite.withMenu(article),
      links: range(30).map((i) => `/press/${i}?sid=${answered.toString(36)}`),
    }
  })
}

/** Links without a leading slash: the same twelve articles below each of them. */
export const articlesBelowArticles: TrapMaker = (simulatedSite) => {
  const articles = range(12).map((i) => ({
    name: `topic${'abcdefghijkl'[i]}`,
    text: [simulatedSite.writer.words(4), simulatedSite.writer.paragraph()],
  }))
  return makeTrap('/topics/topica/', (path) => {
    const article = articles.find(({ name }) => path.endsWith(`/${name}/`))
    if (article === undefined) return null
    return { text: simulatedSite.withMenu(article.text), links: articles.map(({ name }) => `${path}${name}/`) }
  })
}

/** Every page redirects to the next one by a meta refresh. */
export const refreshChain: TrapMaker = (simulatedSite) =>
  makeTrap('/wait/1', (path) => {
    const next = `/wait/${Number(path.slice(6)) + 1}`
    return { text: simulatedSite.withMenu(['One moment']), links: [], refreshTo: next }
  })

/** Adds dead links to every page, each to its own apology with status 200 and no links: finite, so not a trap. */
export function addDeadLinks(simulatedSite: SimulatedSite): void {
  for (const [i, path] of [...simulatedSite.pages.keys()].entries()) {
    const dead = `/old/page-${i}-of-long-ago`
    simulatedSite.link(path, dead)
    simulatedSite.add(dead, ['Page not found', `Sorry, there is nothing at ${dead} any more`, 'Try the search'], [])
  }
}

/** Empty result pages, each with a link to the next one. */
export const emptyPages: TrapMaker = (simulatedSite) =>
  makeTrap('/results?page=1', (path) => ({
    text: simulatedSite.withMenu(['No more results', 'Next']),
    links: [`/results?page=${Number(path.slice(14)) + 1}`],
  }))

// The sample site of the demo: a small magazine of about 400 pages with the usual wear of a real one, a few dead
// links, moved pages and a door that stays shut.

import type { Link, Site, SiteNode } from './model.ts'
import { type Random, seededRandom } from './random.ts'

const SECTIONS = ['Garden', 'Kitchen', 'Workshop', 'Outdoors', 'Reading', 'Weather'] as const
const STARTS = [
  'A short guide to',
  'Getting started with',
  'What we learnt from',
  'In praise of',
  'The quiet art of',
  'Ten years of',
  'Mistakes to avoid with',
  'A weekend with',
]
const SUBJECTS: Record<(typeof SECTIONS)[number], string[]> = {
  Garden: ['winter salads', 'old roses', 'compost', 'tomatoes on a balcony', 'dry stone walls', 'apple trees', 'bees'],
  Kitchen: ['sourdough', 'pickled lemons', 'cast iron', 'soup from leftovers', 'open fires', 'plum jam', 'lentils'],
  Workshop: ['hand planes', 'bicycle wheels', 'linen thread', 'broken radios', 'green wood', 'paper boats', 'rust'],
  Outdoors: ['night walks', 'river maps', 'mountain huts', 'slow trains', 'tide tables', 'winter swims', 'knots'],
  Reading: ['long novels', 'library cards', 'margins', 'atlases', 'letters', 'ghost stories', 'dictionaries'],
  Weather: ['first frost', 'cloud names', 'barometers', 'sea fog', 'thunder', 'late snow', 'the north wind'],
}
const ARTICLES_PER_SECTION = 56
const ARTICLES_PER_LIST = 8

interface Article {
  path: string
  title: string
}

/** `paceMs` is the mean time an answer takes. */
export function makeGarden(seed: number, paceMs = 20): Site {
  const random = seededRandom(seed)
  const nodes = new Map<string, SiteNode>()
  const add = (path: string, title: string, links: Link[]) => {
    const content = { title: `${title} · The Hedgerow`, base: null, links }
    nodes.set(path, { path, kind: 'slow', content, delayMs: Math.round(paceMs * (0.25 + random.next() * 1.5)) })
  }
  const sections = SECTIONS.map((name) => ({ name, path: `/${name.toLowerCase()}/`, articles: articlesOf(name) }))
  add('/', 'Front page', [...sections.map(({ path }) => link(path)), link('/about'), link('/archive')])
  add('/about', 'About us', [link('/'), link('/old-contact'), link('/members/')])
  add('/archive', 'Archive', [...sections.map(({ path }) => link(path)), link('/feed.pdf'), link('/status')])
  for (const section of sections) {
    addLists(section, add)
    for (const article of section.articles) add(article.path, article.title, linksOf(random, article, section))
  }
  addWear(nodes)
  return { seed, nodes }
}

interface Section {
  name: string
  path: string
  articles: Article[]
}

type Add = (path: string, title: string, links: Link[]) => void

function articlesOf(name: (typeof SECTIONS)[number]): Article[] {
  const subjects = SUBJECTS[name]
  return Array.from({ length: ARTICLES_PER_SECTION }, (_, i) => {
    const title = `${STARTS[Math.floor(i / subjects.length)]} ${subjects[i % subjects.length]}`
    return { title, path: `/${name.toLowerCase()}/${title.toLowerCase().replaceAll(' ', '-')}` }
  })
}

function addLists({ name, path, articles }: Section, add: Add): void {
  const lists = Math.ceil(articles.length / ARTICLES_PER_LIST)
  for (let i = 0; i < lists; i++) {
    const shown = articles.slice(i * ARTICLES_PER_LIST, (i + 1) * ARTICLES_PER_LIST)
    const links = [link('/'), ...shown.map((article) => link(article.path))]
    if (i + 1 < lists) links.push(link(`${path}?page=${i + 2}`))
    add(i === 0 ? path : `${path}?page=${i + 1}`, i === 0 ? name : `${name}, page ${i + 1}`, links)
  }
}

function linksOf(random: Random, article: Article, section: Section): Link[] {
  const links = [link('/'), link(section.path), link(`${article.path}#comments`, article.path)]
  for (let i = 0; i < 4; i++) links.push(link(random.pick(section.articles).path))
  if (random.chance(0.04)) links.push(link(`/lost/${1 + random.below(9)}`))
  if (random.chance(0.04)) links.push(link(`/moved/${1 + random.below(6)}`))
  return links
}

function addWear(nodes: Map<string, SiteNode>): void {
  const content = { title: 'The Hedgerow', base: null, links: [] }
  const moved = [...nodes.keys()].filter((path) => path.includes('apple') || path.includes('thunder'))
  for (let i = 1; i <= 9; i++) nodes.set(`/lost/${i}`, { path: `/lost/${i}`, kind: 'missing', content })
  for (let i = 1; i <= 6; i++) {
    nodes.set(`/moved/${i}`, { path: `/moved/${i}`, kind: 'redirect', status: 301, to: link(moved[i] ?? '/') })
  }
  nodes.set('/old-contact', { path: '/old-contact', kind: 'redirect', status: 302, to: link('/about') })
  nodes.set('/members/', { path: '/members/', kind: 'forbidden', content })
  nodes.set('/feed.pdf', { path: '/feed.pdf', kind: 'document', bytes: 20_000 })
  nodes.set('/status', { path: '/status', kind: 'flaky', content, status: 503, failures: 1, retryAfter: null })
}

function link(href: string, path = href): Link {
  return { via: 'a', prefix: 'none', href, target: { kind: 'node', path } }
}

// The demo site: a small magazine of about 400 pages with the usual defects of a real site, such as dead links, moved
// pages and a forbidden page.

import { type SeededRandom, seededRandom } from '../lib/seeded-random.ts'
import { articleText } from './article-text.ts'
import type { Link, Site, SiteNode } from './site-model.ts'

const SECTIONS = ['Garden', 'Kitchen', 'Crafts', 'Outdoors', 'Reading', 'Weather'] as const
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
  Crafts: ['hand planes', 'bicycle wheels', 'linen thread', 'broken radios', 'green wood', 'paper boats', 'rust'],
  Outdoors: ['night walks', 'river maps', 'mountain huts', 'slow trains', 'tide tables', 'winter swims', 'knots'],
  Reading: ['long novels', 'library cards', 'margins', 'atlases', 'letters', 'ghost stories', 'dictionaries'],
  Weather: ['first frost', 'cloud names', 'barometers', 'sea fog', 'thunder', 'late snow', 'the north wind'],
}
const WELCOME = 'A small magazine about things that take their time. New pieces every week, old ones never taken down.'
const ABOUT = 'The Hedgerow is written at a kitchen table by people who would rather be outside. Nobody pays us.'
const FRONT = link('/', 'Front page')
const ARTICLES_PER_SECTION = 56
const ARTICLES_PER_LIST = 8

interface Article {
  path: string
  title: string
  subject: string
}

/** `paceMs` is the mean response time. */
export function makeMagazineSite(seed: number, paceMs = 20): Site {
  const random = seededRandom(seed)
  const nodes = new Map<string, SiteNode>()
  const addPage: AddPage = (path, title, links, paragraphs = []) => {
    const content = { title: `${title} · The Hedgerow`, base: null, links, paragraphs }
    nodes.set(path, { path, kind: 'slow', content, delayMs: Math.round(paceMs * (0.25 + random.next() * 1.5)) })
  }
  const sections = SECTIONS.map((name) => ({ name, path: `/${name.toLowerCase()}/`, articles: makeArticles(name) }))
  const sectionLinks = sections.map(({ name, path }) => link(path, name))
  addPage('/', 'Front page', [...sectionLinks, link('/about', 'About us'), link('/archive', 'Archive')], [WELCOME])
  addPage('/about', 'About us', [FRONT, link('/old-contact', 'Write to us'), link('/members/', 'Members')], [ABOUT])
  addPage('/archive', 'Archive', [...sectionLinks, link('/feed.pdf', 'As a file'), link('/status', 'Status')])
  for (const section of sections) {
    addListPages(section, addPage)
    for (const article of section.articles) {
      const text = articleText(section.name, article.subject, random)
      addPage(article.path, article.title, articleLinks(random, article, section), text)
    }
  }
  addBrokenPages(nodes)
  return { seed, nodes }
}

interface Section {
  name: string
  path: string
  articles: Article[]
}

type AddPage = (path: string, title: string, links: Link[], paragraphs?: string[]) => void

function makeArticles(name: (typeof SECTIONS)[number]): Article[] {
  const subjects = SUBJECTS[name]
  return Array.from({ length: ARTICLES_PER_SECTION }, (_, i) => {
    const subject = subjects[i % subjects.length] ?? ''
    const title = `${STARTS[Math.floor(i / subjects.length)]} ${subject}`
    return { title, subject, path: `/${name.toLowerCase()}/${title.toLowerCase().replaceAll(' ', '-')}` }
  })
}

function addListPages({ name, path, articles }: Section, addPage: AddPage): void {
  const lists = Math.ceil(articles.length / ARTICLES_PER_LIST)
  for (let i = 0; i < lists; i++) {
    const shown = articles.slice(i * ARTICLES_PER_LIST, (i + 1) * ARTICLES_PER_LIST)
    const links = [FRONT, ...shown.map((article) => link(article.path, article.title))]
    if (i + 1 < lists) links.push(link(`${path}?page=${i + 2}`, 'Older'))
    addPage(i === 0 ? path : `${path}?page=${i + 1}`, i === 0 ? name : `${name}, page ${i + 1}`, links)
  }
}

function articleLinks(seededRandom: SeededRandom, article: Article, section: Section): Link[] {
  const comments = { ...link(article.path, 'Comments'), href: `${article.path}#comments` }
  const links = [FRONT, link(section.path, section.name), comments]
  for (let i = 0; i < 4; i++) {
    const other = seededRandom.pick(section.articles)
    links.push(link(other.path, other.title))
  }
  if (seededRandom.chance(0.04)) links.push(link(`/lost/${1 + seededRandom.below(9)}`, 'An older note'))
  if (seededRandom.chance(0.04)) links.push(link(`/moved/${1 + seededRandom.below(6)}`, 'See also'))
  return links
}

function addBrokenPages(nodes: Map<string, SiteNode>): void {
  const content = { title: 'The Hedgerow', base: null, links: [] }
  const moved = [...nodes.keys()].filter((path) => path.includes('apple') || path.includes('thunder'))
  for (let i = 1; i <= 9; i++) nodes.set(`/lost/${i}`, { path: `/lost/${i}`, kind: 'missing', content })
  for (let i = 1; i <= 6; i++) {
    nodes.set(`/moved/${i}`, { path: `/moved/${i}`, kind: 'redirect', status: 301, to: link(moved[i] ?? '/', '') })
  }
  nodes.set('/old-contact', { path: '/old-contact', kind: 'redirect', status: 302, to: link('/about', '') })
  nodes.set('/members/', { path: '/members/', kind: 'forbidden', content })
  nodes.set('/feed.pdf', { path: '/feed.pdf', kind: 'document', bytes: 20_000 })
  nodes.set('/status', { path: '/status', kind: 'flaky', content, status: 503, failures: 1, retryAfter: null })
}

function link(path: string, label: string): Link {
  return { via: 'a', prefix: 'none', href: path, label, target: { kind: 'node', path } }
}

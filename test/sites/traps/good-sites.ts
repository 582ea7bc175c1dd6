// Sites without traps. Every page of them must be visited.

import { SimulatedSite, type SiteItem } from './simulated-site.ts'
import { range } from './text-writer.ts'

/** Articles, some short, pictures with only a caption, lists, tags. At least 1,100 pages. */
export function blog(seed: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed)
  const { words, paragraph, random } = simulatedSite.writer
  const articles = range(1000 + random.below(100)).map((i) => {
    const title = words(2 + random.below(6))
    return { title, path: `/blog/${title.replaceAll(' ', '-')}-${i}` }
  })
  for (const { path, title } of articles) {
    const lines = random.chance(0.15) ? [words(6)] : range(1 + random.below(6)).map(paragraph)
    simulatedSite.add(path, [title, ...lines], [random.pick(articles).path, random.pick(articles).path])
  }
  const lists = simulatedSite.addLists(articles, 10, (page) => (page === 1 ? '/blog/' : `/blog/?page=${page}`))
  const pictures = range(60).map((i) => ({ path: `/photos/${i}.html`, title: words(3 + random.below(4)) }))
  const album = random.chance(0.5)
    ? simulatedSite.addChain(pictures, ({ title }) => [title])
    : simulatedSite.addLists(pictures, 12, (page) => `/albums/${page}`)
  for (const { path, title } of pictures) if (!simulatedSite.pages.has(path)) simulatedSite.add(path, [title], [])
  const tags = range(20).map((i) => `/tag/${words(1)}${i}`)
  for (const tag of tags) {
    const shown = range(6).map(() => random.pick(articles))
    const lines = [`Tagged ${words(2)}`, ...shown.map(({ title }) => title)]
    simulatedSite.add(
      tag,
      lines,
      shown.map((article) => article.path),
    )
  }
  simulatedSite.add('/', ['Welcome', paragraph()], [lists, album, '/about', '/contact', ...tags])
  simulatedSite.add('/about', [paragraph()], [])
  simulatedSite.add('/contact', [words(12)], [])
  return simulatedSite
}

/** Threads of many pages, each with new posts between the same buttons. */
export function forum(seed: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed)
  const { words, word, paragraph, random } = simulatedSite.writer
  const threads = range(60).map((i) => ({ title: words(5), path: `/t/${i}` }))
  for (const { path, title } of threads) {
    const pages = 1 + random.below(12)
    for (const page of range(pages)) {
      const posts = range(5).flatMap(() => [`by ${word()} on 3 May`, paragraph(), 'Reply', 'Quote'])
      const next = page + 1 < pages ? [`${path}?page=${page + 2}`] : []
      simulatedSite.add(page === 0 ? path : `${path}?page=${page + 1}`, [title, ...posts], next)
    }
  }
  simulatedSite.add('/', ['Forum'], [simulatedSite.addLists(threads, 8, (page) => `/f?start=${page}`)])
  return simulatedSite
}

/** Articles, and products that each link to two short pages of the same names and to the next product. */
export function shop(seed: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed)
  const { words, paragraph } = simulatedSite.writer
  const articles = range(200).map((i) => ({ path: `/news/${i}`, title: words(4) }))
  for (const { path, title } of articles) simulatedSite.add(path, [title, paragraph()], [])
  for (const i of range(150)) {
    const path = `/items/${i}/`
    simulatedSite.add(path, [words(3)], [`${path}specs`, `${path}reviews`, ...(i < 149 ? [`/items/${i + 1}/`] : [])])
    simulatedSite.add(`${path}specs`, [`Weight: ${i} g`], [path])
    simulatedSite.add(`${path}reviews`, ['No reviews yet'], [path])
  }
  simulatedSite.add('/', ['Shop'], [simulatedSite.addLists(articles, 20, (page) => `/news?page=${page}`), '/items/0/'])
  return simulatedSite
}

/** Reference pages that differ in a name and a sentence, each linking to the next. */
export function reference(seed: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed)
  const { words, word, paragraph } = simulatedSite.writer
  const pages = range(300).map((i) => ({ title: words(2), path: `/docs/api/${word()}.${word()}${i}.html` }))
  const first = simulatedSite.addChain(pages, ({ title }) => {
    const signature = `Returns the ${words(2)} of the ${word()}.`
    return [title, signature, 'Parameters', 'None', 'Exceptions', 'None', 'Since version 1.2', 'See also']
  })
  simulatedSite.add('/', ['Reference'], ['/docs/guide.html', first])
  simulatedSite.add('/docs/guide.html', range(6).map(paragraph), [])
  return simulatedSite
}

/** Products that differ in name, description and price. */
export function catalogue(seed: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed)
  const { words, random } = simulatedSite.writer
  const products: SiteItem[] = range(2000).map((i) => ({ path: `/product/${i}`, title: words(3) }))
  for (const { path, title } of products) {
    const lines = ['Price including tax', `${random.below(900)}.99`, 'Add to basket', 'Delivery within three days']
    simulatedSite.add(path, [title, words(9), ...lines], [random.pick(products).path])
  }
  simulatedSite.add('/', ['Shop'], [simulatedSite.addLists(products, 24, (page) => `/list?page=${page}`)])
  return simulatedSite
}

/** A tree of generated pages whose text is drawn from fifty words. */
export function generated(seed: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed, 50)
  const { paragraph, random } = simulatedSite.writer
  const count = 1500
  const pathOf = (i: number) => (i === 0 ? '/' : `/articles/${i}.html`)
  for (const i of range(count)) {
    const children = range(8).map((k) => i * 8 + k + 1)
    const links = [...children.filter((child) => child < count), ...range(10).map(() => random.below(count))]
    simulatedSite.add(pathOf(i), [`Page ${i}`, ...range(4).map(paragraph)], links.map(pathOf))
  }
  return simulatedSite
}

/** Pages that differ only in numbers, as on simple test sites. */
export function numbered(seed: number): SimulatedSite {
  const simulatedSite = new SimulatedSite(seed)
  const count = 400
  for (const i of range(count)) {
    const links = [2 * i + 1, 2 * i + 2].filter((child) => child < count)
    simulatedSite.add(
      i === 0 ? '/' : `/page/${i}`,
      [`Page ${i}`, 'Nothing to see here'],
      links.map((child) => `/page/${child}`),
    )
  }
  return simulatedSite
}

/** Articles that link to each other; each has chores, pages to edit and compare it, with almost no text. */
export function wiki(seed: number): { site: SimulatedSite; chores: Set<string> } {
  const simulatedSite = new SimulatedSite(seed)
  const { word, paragraph, random } = simulatedSite.writer
  const names = new Set(range(250).map((i) => `${word()}_${word()}${i % 7 === 0 ? i : ''}`))
  const paths = [...names].map((name) => `/wiki/${name}`)
  const chores = new Set<string>()
  for (const [i, name] of [...names].entries()) {
    const tools = ['edit', 'history'].map((action) => `/w/index.php?title=${name}&action=${action}`)
    const nearby = [paths[i * 2 + 1], paths[i * 2 + 2], random.pick(paths)].filter((path) => path !== undefined)
    const lines = range(1 + random.below(5)).map(paragraph)
    simulatedSite.add(`/wiki/${name}`, [name, ...lines, 'Edit', 'History'], [...nearby, ...tools])
    for (const tool of tools) {
      const versions = range(3).map((k) => `${tool}&oldid=${i * 10 + k}`)
      simulatedSite.add(tool, [`Revisions of ${name}`, 'Compare selected versions', 'You are not logged in'], versions)
      for (const version of versions)
        simulatedSite.add(version, [`Old version of ${name}`, 'You are not logged in'], [])
      for (const chore of [tool, ...versions]) chores.add(chore)
    }
  }
  simulatedSite.add('/', ['Main page', paragraph()], [paths[0] ?? '/'])
  return { site: simulatedSite, chores }
}

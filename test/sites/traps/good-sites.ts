// Sites without traps. Every page of theirs must be visited.

import { type Item, Site } from './site.ts'
import { range } from './words.ts'

/** Articles, some short, pictures with a caption only, lists, tags. At least 1,100 pages. */
export function blog(seed: number): Site {
  const site = new Site(seed)
  const { words, paragraph, random } = site.write
  const articles = range(1000 + random.below(100)).map((i) => {
    const title = words(2 + random.below(6))
    return { title, path: `/blog/${title.replaceAll(' ', '-')}-${i}` }
  })
  for (const { path, title } of articles) {
    const lines = random.chance(0.15) ? [words(6)] : range(1 + random.below(6)).map(paragraph)
    site.add(path, [title, ...lines], [random.pick(articles).path, random.pick(articles).path])
  }
  const lists = site.addLists(articles, 10, (page) => (page === 1 ? '/blog/' : `/blog/?page=${page}`))
  const pictures = range(60).map((i) => ({ path: `/photos/${i}.html`, title: words(3 + random.below(4)) }))
  const album = random.chance(0.5)
    ? site.addChain(pictures, ({ title }) => [title])
    : site.addLists(pictures, 12, (page) => `/albums/${page}`)
  for (const { path, title } of pictures) if (!site.pages.has(path)) site.add(path, [title], [])
  const tags = range(20).map((i) => `/tag/${words(1)}${i}`)
  for (const tag of tags) {
    const shown = range(6).map(() => random.pick(articles))
    const lines = [`Tagged ${words(2)}`, ...shown.map(({ title }) => title)]
    site.add(
      tag,
      lines,
      shown.map((article) => article.path),
    )
  }
  site.add('/', ['Welcome', paragraph()], [lists, album, '/about', '/contact', ...tags])
  site.add('/about', [paragraph()], [])
  site.add('/contact', [words(12)], [])
  return site
}

/** Threads of many pages, each with new posts between the same buttons. */
export function forum(seed: number): Site {
  const site = new Site(seed)
  const { words, word, paragraph, random } = site.write
  const threads = range(60).map((i) => ({ title: words(5), path: `/t/${i}` }))
  for (const { path, title } of threads) {
    const pages = 1 + random.below(12)
    for (const page of range(pages)) {
      const posts = range(5).flatMap(() => [`by ${word()} on 3 May`, paragraph(), 'Reply', 'Quote'])
      const next = page + 1 < pages ? [`${path}?page=${page + 2}`] : []
      site.add(page === 0 ? path : `${path}?page=${page + 1}`, [title, ...posts], next)
    }
  }
  site.add('/', ['Forum'], [site.addLists(threads, 8, (page) => `/f?start=${page}`)])
  return site
}

/** Articles, and products that each lead to two short pages of the same names and to the next product. */
export function shop(seed: number): Site {
  const site = new Site(seed)
  const { words, paragraph } = site.write
  const articles = range(200).map((i) => ({ path: `/news/${i}`, title: words(4) }))
  for (const { path, title } of articles) site.add(path, [title, paragraph()], [])
  for (const i of range(150)) {
    const path = `/items/${i}/`
    site.add(path, [words(3)], [`${path}specs`, `${path}reviews`, ...(i < 149 ? [`/items/${i + 1}/`] : [])])
    site.add(`${path}specs`, [`Weight: ${i} g`], [path])
    site.add(`${path}reviews`, ['No reviews yet'], [path])
  }
  site.add('/', ['Shop'], [site.addLists(articles, 20, (page) => `/news?page=${page}`), '/items/0/'])
  return site
}

/** Reference pages that differ in a name and a sentence, each leading to the next. */
export function reference(seed: number): Site {
  const site = new Site(seed)
  const { words, word, paragraph } = site.write
  const pages = range(300).map((i) => ({ title: words(2), path: `/docs/api/${word()}.${word()}${i}.html` }))
  const first = site.addChain(pages, ({ title }) => {
    const signature = `Returns the ${words(2)} of the ${word()}.`
    return [title, signature, 'Parameters', 'None', 'Exceptions', 'None', 'Since version 1.2', 'See also']
  })
  site.add('/', ['Reference'], ['/docs/guide.html', first])
  site.add('/docs/guide.html', range(6).map(paragraph), [])
  return site
}

/** Products that differ in name, description and price. */
export function catalogue(seed: number): Site {
  const site = new Site(seed)
  const { words, random } = site.write
  const products: Item[] = range(2000).map((i) => ({ path: `/product/${i}`, title: words(3) }))
  for (const { path, title } of products) {
    const lines = ['Price including tax', `${random.below(900)}.99`, 'Add to basket', 'Delivery within three days']
    site.add(path, [title, words(9), ...lines], [random.pick(products).path])
  }
  site.add('/', ['Shop'], [site.addLists(products, 24, (page) => `/list?page=${page}`)])
  return site
}

/** A tree of generated pages whose text is drawn from fifty words. */
export function generated(seed: number): Site {
  const site = new Site(seed, 50)
  const { paragraph, random } = site.write
  const count = 1500
  const pathOf = (i: number) => (i === 0 ? '/' : `/articles/${i}.html`)
  for (const i of range(count)) {
    const children = range(8).map((k) => i * 8 + k + 1)
    const links = [...children.filter((child) => child < count), ...range(10).map(() => random.below(count))]
    site.add(pathOf(i), [`Page ${i}`, ...range(4).map(paragraph)], links.map(pathOf))
  }
  return site
}

/** A site of one kind of page that differ in numbers alone, as quick test sites do. */
export function numbered(seed: number): Site {
  const site = new Site(seed)
  const count = 400
  for (const i of range(count)) {
    const links = [2 * i + 1, 2 * i + 2].filter((child) => child < count)
    site.add(
      i === 0 ? '/' : `/page/${i}`,
      [`Page ${i}`, 'Nothing to see here'],
      links.map((child) => `/page/${child}`),
    )
  }
  return site
}

/** Articles that lead to each other; each has chores, pages to edit and compare it, which say next to nothing. */
export function wiki(seed: number): { site: Site; chores: Set<string> } {
  const site = new Site(seed)
  const { word, paragraph, random } = site.write
  const names = new Set(range(250).map((i) => `${word()}_${word()}${i % 7 === 0 ? i : ''}`))
  const paths = [...names].map((name) => `/wiki/${name}`)
  const chores = new Set<string>()
  for (const [i, name] of [...names].entries()) {
    const tools = ['edit', 'history'].map((action) => `/w/index.php?title=${name}&action=${action}`)
    const nearby = [paths[i * 2 + 1], paths[i * 2 + 2], random.pick(paths)].filter((path) => path !== undefined)
    const lines = range(1 + random.below(5)).map(paragraph)
    site.add(`/wiki/${name}`, [name, ...lines, 'Edit', 'History'], [...nearby, ...tools])
    for (const tool of tools) {
      const versions = range(3).map((k) => `${tool}&oldid=${i * 10 + k}`)
      site.add(tool, [`Revisions of ${name}`, 'Compare selected versions', 'You are not logged in'], versions)
      for (const version of versions) site.add(version, [`Old version of ${name}`, 'You are not logged in'], [])
      for (const chore of [tool, ...versions]) chores.add(chore)
    }
  }
  site.add('/', ['Main page', paragraph()], [paths[0] ?? '/'])
  return { site, chores }
}

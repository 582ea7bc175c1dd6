// Sites that need a browser, built with real frameworks, and what a crawl of each must find: every URL with its title.

import type { CleanupContext } from '../../testing/program.ts'
import { type PlainResponse, type PlainSite, servePlainSite } from '../plain-site.ts'
import { buildApps, loadServerRenderer } from './build-apps.ts'

type Respond = (path: string) => PlainResponse | string | null

export interface RenderedSite {
  name: string
  /** Null if a file of the apps should be served. */
  respond: Respond
  /** Title by path. */
  expected: Record<string, string>
}

const ITEMS = 6
const PARTS = 3
const LIST = 15

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const json = (value: unknown): PlainResponse => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const renderPart = await loadServerRenderer()
const shell = (body: string, title = 'Shell') => `<!doctype html><html><head><title>${title}</title></head><body>
<noscript><a href="/noscript">You need to enable JavaScript to run this app.</a></noscript>${body}</body></html>`
const script = (app: string) => `<script type="module" src="/assets/${app}.js"></script>`

export const reactSite = (items: number): RenderedSite => ({
  name: 'React with a router',
  respond(path) {
    if (path === '/api/items') return json(numbers(items).map((id) => `/items/${id}`))
    const [, id] = /^\/api\/items\/(\d+)/.exec(path) ?? []
    if (id !== undefined) return json({ title: `Item ${id}`, related: [`/items/${(Number(id) % (items + 2)) + 1}`] })
    return path.startsWith('/assets/') ? null : shell(`<div id="root"></div>${script('react-app')}`)
  },
  expected: {
    '/': 'Home',
    '/about': 'About',
    '/items/2?from=about': 'Item 2',
    '/moved': 'Hidden',
    '/hidden/1': 'Hidden',
    ...Object.fromEntries(numbers(items + 2).map((id) => [`/items/${id}`, `Item ${id}`])),
  },
})

const vue: RenderedSite = {
  name: 'Vue with routes in the hash',
  respond(path) {
    if (path === '/') return shell(`<div id="app"></div>${script('vue-app')}`)
    return path === '/plain' ? shell('<p>Plain</p>', 'Plain') : null
  },
  expected: {
    '/': 'Start',
    '/#/first': 'First',
    '/#!/second': 'Second',
    '/#/list/1': 'List one',
    '/#/list/2': 'List two',
    '/plain': 'Plain',
  },
}

const hydrated: RenderedSite = {
  name: 'React, rendered on the server and hydrated',
  respond(path) {
    const [, kind, number] = /^\/(part|notes)\/(\d)$/.exec(path === '/' ? '/part/1' : path) ?? []
    if (kind === 'notes') return shell(`<p>Notes on part ${number}</p>`, `Notes ${number}`)
    if (kind !== 'part') return null
    const html = renderPart(Number(number), PARTS)
    const root = `<div id="root" data-number="${number}" data-last="${PARTS}">${html}</div>`
    return shell(`${root}${script('hydrate')}`, `Part ${number}`)
  },
  expected: {
    '/': 'Part 1',
    ...Object.fromEntries(numbers(PARTS - 1).map((number) => [`/part/${number + 1}`, `Part ${number + 1}`])),
    ...Object.fromEntries(numbers(PARTS).map((number) => [`/notes/${number}`, `Notes ${number}`])),
  },
}

const elements: RenderedSite = {
  name: 'custom elements',
  respond(path) {
    if (path === '/')
      return shell(`<site-nav><a href="/slotted">Slotted</a></site-nav>${script('elements')}`, 'Elements')
    return /^\/(open|closed|slotted)$/.test(path) ? shell(`<p>${path}</p>`, path.slice(1)) : null
  },
  expected: { '/': 'Elements', '/open': 'open', '/closed': 'closed', '/slotted': 'slotted' },
}

const scroll: RenderedSite = {
  name: 'a list without end',
  respond(path) {
    if (path === '/')
      return shell(`<div id="list"></div><div id="end" style="height: 1px"></div>${script('scroll')}`, 'List')
    const [, from, count] = /^\/api\/list\?from=(\d+)&count=(\d+)$/.exec(path) ?? []
    const first = Number(from)
    if (from !== undefined) return json(numbers(LIST).slice(first - 1, first - 1 + Number(count)))
    const [, item] = /^\/item\/(\d+)$/.exec(path) ?? []
    return item === undefined ? null : shell(`<p>Item ${item}</p>`, `Item ${item}`)
  },
  expected: { '/': 'List', ...Object.fromEntries(numbers(LIST).map((item) => [`/item/${item}`, `Item ${item}`])) },
}

export const RENDERED_SITES: readonly RenderedSite[] = [reactSite(ITEMS), vue, hydrated, elements, scroll]

/** Serves each site on a separate origin. */
export async function serveRenderedSites(t: CleanupContext): Promise<(RenderedSite & { site: PlainSite })[]> {
  const files = await buildApps()
  return Promise.all(
    RENDERED_SITES.map(async (renderedSite) => {
      const site = await servePlainSite(t, (path) => {
        const code = files.get(path)
        if (code !== undefined) return { headers: { 'content-type': 'text/javascript' }, body: code }
        return renderedSite.respond(path)
      })
      return { ...renderedSite, site }
    }),
  )
}

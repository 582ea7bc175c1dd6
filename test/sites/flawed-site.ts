// A small bakery with a flaw for every rule that a plain HTTP site can break, and pages without any.

import type { CleanupContext } from '../testing/program.ts'
import { type PlainSite, servePlainSite } from './plain-site.ts'

const page = (title: string, body: string, head = '') =>
  `<!doctype html><html lang=en><head><title>${title}</title><meta name=description content="About ${title}.">${head}</head><body><h1>${title}</h1>${body}</body></html>`

const LIST = ['bread', 'cakes', 'copy', 'old', 'gone', 'app', 'hidden', 'de', 'wide']
const links = LIST.map((name) => `<a href="/${name}">Our ${name}</a>`).join(' ')

const PAGES: Readonly<Record<string, string>> = {
  '/': page('Bakery', links),
  '/bread': page('Bread', '<img src=/bread.jpg><a href="/gone">The old menu</a>'),
  '/cakes': page('Cakes', '<h1>More cakes</h1>'),
  '/copy': page('Cakes', '<h1>More cakes</h1>'),
  '/new': page('New', 'Moved here.'),
  '/app': '<!doctype html><title>Shop</title><div id=app></div><script src=/shop.js></script>',
  '/hidden': page('Hidden', 'Not for search engines.', '<meta name=robots content=noindex>'),
  '/de': page('Bäckerei', '<p>Brot', '<link rel=alternate hreflang=deutsch href=/de>'),
  '/wide': page('Wide', 'A canonical URL that redirects.', '<link rel=canonical href=/old>'),
  '/lonely': page(`Lonely${' words'.repeat(15)}`, 'In the sitemap only.'),
}

export const FLAWED_COUNTS: Readonly<Record<string, number>> = {
  'broken-links': 2,
  'redirect-chains': 1,
  'canonical-conflicts': 1,
  'duplicate-pages': 1,
  'duplicate-titles': 1,
  'orphan-pages': 1,
  'hreflang-errors': 1,
  'images-without-alt': 1,
  'links-to-redirects': 1,
  'long-titles': 1,
  'missing-descriptions': 1,
  'duplicate-descriptions': 1,
  'missing-h1': 1,
  'several-h1': 2,
  'linked-noindex': 1,
  'not-in-sitemap': 1,
  'javascript-pages': 1,
  'security-headers': 3,
}

export function serveFlawedSite(t: CleanupContext): Promise<PlainSite> {
  let origin = ''
  const site = servePlainSite(t, (path) => {
    if (path === '/robots.txt') return `User-agent: *\nSitemap: ${origin}/sitemap.xml\n`
    if (path === '/sitemap.xml') {
      const listed = Object.keys(PAGES).filter((name) => !['/hidden', '/wide', '/de'].includes(name))
      const urls = listed.map((name) => `<url><loc>${origin}${name}</loc></url>`).join('')
      return { headers: { 'content-type': 'application/xml' }, body: `<urlset>${urls}</urlset>` }
    }
    if (path === '/old') return { status: 301, headers: { location: '/older' } }
    if (path === '/older') return { status: 302, headers: { location: '/new' } }
    return PAGES[path] ?? null
  })
  return site.then((opened) => {
    origin = opened.origin
    return opened
  })
}

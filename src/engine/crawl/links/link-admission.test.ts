import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseCrawlSettings } from '../../../config/crawl-settings.ts'
import { TrapDetector } from '../../traps/trap-detector.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import { Scope } from '../../url/scope.ts'
import { SeenUrls } from '../../url/seen-urls.ts'
import { DEFAULT_URL_SHAPE_LIMITS } from '../../url/url-shape.ts'
import { LinkAdmission } from './link-admission.ts'

const SETTINGS = parseCrawlSettings('{}')
const PAGE = 'http://shop.test/lamps?f%5B0%5D=red'

function openAdmission(): LinkAdmission {
  return new LinkAdmission({
    ...SETTINGS,
    scope: new Scope(SETTINGS, [PAGE]),
    seen: new SeenUrls(1000),
    keySeed: 1,
    shape: DEFAULT_URL_SHAPE_LIMITS,
    filters: null,
    trapDetector: new TrapDetector(DEFAULT_URL_SHAPE_LIMITS),
    onRejected: () => undefined,
  })
}

function admit(admission: LinkAdmission, pageUrl: string, links: { href: string; rel?: string }[]) {
  const resolver = new LinkResolver(pageUrl)
  const page = admission.openPage({ urlId: 1, pageUrl, resolver, depth: 1, hops: 0, kind: 'page' })
  admission.addLinks(
    page,
    links.map(({ href, rel = '' }) => ({ href, rel })),
    0,
  )
  return admission.closePage(page)
}

describe('links that only vary the query of their page', () => {
  const spellings = [
    '/lamps?f%5B0%5D=red&f%5B1%5D=big',
    'http://shop.test/lamps?f%5B0%5D=red&f%5B1%5D=big',
    '//SHOP.test/lamps?f[0]=red&f[1]=big',
  ]
  for (const href of spellings) {
    it(`are noticed and held, whether new or known: ${href}`, () => {
      const admission = openAdmission()
      const { held, variesQuery } = admit(admission, PAGE, [{ href }])
      assert.deepEqual([held.length, variesQuery], [1, true])
      // Elsewhere the link is not held, and the thread then knows it.
      assert.equal(admit(admission, 'http://shop.test/', [{ href }]).found.length, 1)
      const known = admit(admission, PAGE, [{ href }])
      assert.deepEqual([known.held.length, known.found.length, known.variesQuery], [0, 0, true])
    })
  }

  it('are neither the page itself, nor links that are not followed', () => {
    const page = 'http://shop.test/lamps?colour=red&size=2'
    const links = [{ href: page }, { href: '/lamps?colour=red&size=3', rel: 'nofollow' }, { href: '/lamps/1' }]
    assert.equal(admit(openAdmission(), page, links).variesQuery, false)
  })
})

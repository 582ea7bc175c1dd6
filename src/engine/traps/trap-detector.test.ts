import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FoundUrl } from '../../ports/visits.ts'
import { DEFAULT_URL_SHAPE_LIMITS } from '../url/url-shape.ts'
import { openSkeleton, TrapDetector } from './trap-detector.ts'

const SITE = 'http://shop.test'

function pageFound(path: string): FoundUrl {
  return { url: SITE + path, host: 'shop.test', key: 0n, kind: 'page', isRefresh: false, listing: null }
}

function assess(variesQuery: boolean) {
  const page = { url: `${SITE}/lamps?colour=red`, host: 'shop.test', title: 'Lamps', hrefs: ['/lamps/1'] }
  const source = { ...page, baseUrl: page.url }
  const candidate = {
    ...source,
    skeletons: [],
    trial: 'shop.test/lamps?*',
    found: [pageFound('/lamps/1')],
    variesQuery,
  }
  return new TrapDetector(DEFAULT_URL_SHAPE_LIMITS).assess(candidate, openSkeleton(source).finish())
}

describe('a page on trial', () => {
  it('has what it leads to held', () => assert.equal(assess(false).held, 'all'))

  it('has its links to products followed if it has filters', () => assert.equal(assess(true).held, null))
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FoundUrl } from '../../ports/visits.ts'
import { DEFAULT_URL_SHAPE_LIMITS } from '../url/url-shape.ts'
import { openSkeleton, TrapDetector } from './trap-detector.ts'

const SITE = 'http://shop.test'

function pageFound(path: string): FoundUrl {
  return { url: SITE + path, host: 'shop.test', key: 0n, kind: 'page', isRefresh: false, listing: null }
}

function assess(url: string, hrefs: string[], found: FoundUrl[]) {
  const page = { url: SITE + url, host: 'shop.test', title: 'Lamps', hrefs, baseUrl: SITE + url }
  const candidate = { ...page, skeletons: [], trial: 'shop.test/lamps?*', found }
  return new TrapDetector(DEFAULT_URL_SHAPE_LIMITS).assess(candidate, openSkeleton(page).finish())
}

describe('a page on trial', () => {
  it('has what it leads to held', () => {
    assert.equal(assess('/lamps?colour=red', ['/lamps/1'], [pageFound('/lamps/1')]).held, 'all')
  })

  it('has its links to products followed if it has filters, also if another page had the filters first', () => {
    const hrefs = ['/lamps?colour=red&size=2', '/lamps/1']
    assert.equal(assess('/lamps?colour=red', hrefs, [pageFound('/lamps/1')]).held, null)
  })

  it('has no filters if it only links to itself', () => {
    const url = '/lamps?colour=red&size=2'
    assert.equal(assess(url, [url, '/lamps/1'], [pageFound('/lamps/1')]).held, 'all')
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { renderPatternOf } from '../../../ports/render-patterns.ts'
import { type RenderChoice, RenderSamples } from './render-samples.ts'

const urls = (folder: string, count: number) => Array.from({ length: count }, (_, i) => `http://a.test/${folder}/${i}`)

function choose(samples: RenderSamples, url: string, completeness: 'complete' | 'empty', hasScripts = true) {
  return samples.choose({ url, completeness, hasScripts: () => hasScripts, mayGain: () => hasScripts })
}

/** Visits pages that gain nothing. Returns the rendered ones. */
function visitBarren(samples: RenderSamples, pages: string[], completeness: 'complete' | 'empty'): string[] {
  return pages.filter((url) => {
    if (choose(samples, url, completeness) === 'plain') return false
    assert.equal(samples.noteResult(url, completeness, false), null)
    return true
  })
}

describe('complete pages', () => {
  it('that gain nothing are sampled a few times, ever more rarely', () => {
    const samples = new RenderSamples()
    const pages = urls('items', 10_000)
    const first = visitBarren(samples, pages.slice(0, 1000), 'complete')
    assert.ok(first.length >= 2 && first.length < 25, `${first.length} of the first 1000`)
    const later = visitBarren(samples, pages.slice(1000), 'complete')
    assert.ok(later.length < 20, `${later.length} of 9000`)
  })

  it('with the lowest hashes are samples in every order', () => {
    const pages = urls('items', 500)
    const sampledIn = (order: string[]) => new Set(visitBarren(new RenderSamples(), order, 'complete'))
    const forwards = sampledIn(pages)
    const backwards = sampledIn(pages.toReversed())
    const shuffled = sampledIn(pages.toSorted((a, b) => (a.slice(-1) < b.slice(-1) ? -1 : 1)))
    assert.ok(forwards.intersection(backwards).intersection(shuffled).size >= 2)
  })

  it('of a pattern that gains are rendered if they have scripts; those of others are not', () => {
    const samples = new RenderSamples()
    const [first = '', ...others] = urls('app', 10)
    assert.equal(choose(samples, first, 'complete'), 'sample')
    const pattern = samples.noteResult(first, 'complete', true)
    assert.equal(pattern, renderPatternOf(first, 'complete'))
    assert.equal(samples.noteResult(first, 'complete', true), null)
    for (const url of others) assert.equal(choose(samples, url, 'complete'), 'render')
    assert.equal(choose(samples, others[0] ?? '', 'complete', false), null)
    assert.ok(visitBarren(samples, urls('blog', 100), 'complete').length < 20)
  })

  it('without scripts are no samples', () => {
    const samples = new RenderSamples()
    for (const url of urls('items', 100)) assert.equal(choose(samples, url, 'complete', false), 'plain')
    assert.equal(choose(samples, 'http://a.test/items/100', 'complete'), 'sample')
  })

  it('without a sign of gain are no samples, and are rendered if their pattern gains', () => {
    const samples = new RenderSamples()
    const [first = '', second = ''] = urls('items', 2)
    const plain = { url: first, completeness: 'complete' as const, hasScripts: () => true, mayGain: () => false }
    assert.equal(samples.choose(plain), 'plain')
    assert.equal(choose(samples, second, 'complete'), 'sample')
    samples.noteResult(second, 'complete', true)
    assert.equal(samples.choose(plain), 'render')
  })

  it('that are retried are samples again', () => {
    const samples = new RenderSamples()
    const [url = '', ...others] = urls('items', 3)
    for (let attempt = 0; attempt < 3; attempt++) assert.equal(choose(samples, url, 'complete'), 'sample')
    assert.equal(choose(samples, others[0] ?? '', 'complete'), 'sample')
  })
})

describe('pages that look empty', () => {
  it('are rendered until eight of their pattern gained nothing, then hardly ever', () => {
    const samples = new RenderSamples()
    const pages = urls('items', 1000)
    const rendered = visitBarren(samples, pages, 'empty')
    assert.deepEqual(rendered.slice(0, 8), pages.slice(0, 8))
    assert.ok(rendered.length < 30, String(rendered.length))
  })

  it('are all rendered once one gained', () => {
    const samples = new RenderSamples()
    const pages = urls('items', 20)
    visitBarren(samples, pages, 'empty')
    assert.notEqual(samples.noteResult(pages[0] ?? '', 'empty', true), null)
    for (const url of pages) assert.equal(choose(samples, url, 'empty'), 'render' satisfies RenderChoice)
  })
})

it('patterns of the store are learned, and forgotten with what was reported', () => {
  const samples = new RenderSamples()
  const [url = ''] = urls('app', 1)
  samples.learn([renderPatternOf(url, 'complete')])
  assert.equal(samples.storedCount, 1)
  assert.equal(choose(samples, url, 'complete'), 'render')
  samples.reset()
  assert.equal(samples.storedCount, 0)
  assert.equal(choose(samples, url, 'complete'), 'sample')
})

describe('samples of a pattern', () => {
  const byHash = (pages: string[]) => {
    const samples = new RenderSamples()
    return pages.filter((url) => choose(samples, url, 'complete') === 'sample')
  }

  it('are rendered one after another, without those that are outdone meanwhile', async () => {
    // Each page is a sample when it is seen.
    const pages = byHash(urls('items', 10_000))
    assert.ok(pages.length > 6, pages.join())
    const samples = new RenderSamples()
    const turns = new Map<string, boolean>()
    for (const url of pages) {
      assert.equal(choose(samples, url, 'complete'), 'sample')
      void samples.takeTurn(url).then((isTurn) => turns.set(url, isTurn))
    }
    await turn()
    assert.equal([...turns.values()].filter(Boolean).length, 1)
    assert.ok(turns.get(pages[0] ?? ''))
    assert.equal(turns.size, pages.length - 2)
    for (const url of pages) samples.endTurn(url)
    await turn()
    assert.equal([...turns.values()].filter(Boolean).length, 3)
    assert.equal(turns.size, pages.length)
  })

  it('do not wait any longer if their pattern gains', async () => {
    const [first = '', second = ''] = byHash(urls('items', 1000))
    const samples = new RenderSamples()
    for (const url of [first, second]) choose(samples, url, 'complete')
    assert.ok(await samples.takeTurn(first))
    const waiting = samples.takeTurn(second)
    samples.noteResult(first, 'complete', true)
    assert.ok(await waiting)
  })
})

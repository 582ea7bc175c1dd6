import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findSrcsetUrls, rewriteSrcset } from './srcset.ts'

describe('a srcset', () => {
  it('has a URL per candidate', () => {
    const cases: Record<string, string[]> = {
      'a.png': ['a.png'],
      'a.png 1x, b.png 2x': ['a.png', 'b.png'],
      ' a.png,b.png 2x , c,d 3x': ['a.png,b.png', 'c,d'],
      'a.png, b.png': ['a.png', 'b.png'],
      'data:image/png;base64,AA 1x,,b': ['data:image/png;base64,AA', 'b'],
      ' , ': [],
    }
    for (const [value, urls] of Object.entries(cases)) assert.deepEqual(findSrcsetUrls(value), urls, value)
  })

  it('keeps its descriptors', () => {
    assert.equal(
      rewriteSrcset('a 100w,  b 2x', (url) => `/${url}`),
      '/a 100w, /b 2x',
    )
  })
})

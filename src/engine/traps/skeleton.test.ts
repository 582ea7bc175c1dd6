import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '../parse/html-reader.ts'
import { SkeletonSink } from './skeleton.ts'

function skeletonOf(html: string) {
  const sink = new SkeletonSink(new Set(), 'a.test')
  readHtml(html, false, sink)
  return sink.finish()
}

const PLACEHOLDER = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const MEDIA: readonly [media: string, tag: (name: string) => string][] = [
  ['an image', (name) => `<img alt="" src="/photos/${name}.jpg">`],
  ['an unquoted address', (name) => `<IMG SRC=/photos/${name}.jpg>`],
  ['an image that is loaded late', (name) => `<img src="/blank.gif" data-src="/photos/${name}.jpg">`],
  ['an image behind a placeholder', (name) => `<img src="${PLACEHOLDER}" data-lazy-src="/photos/${name}.jpg">`],
  ['an image in several sizes', (name) => `<img srcset="/photos/${name}.jpg 600w, /photos/${name}-2.jpg 1200w">`],
  ['a picture', (name) => `<picture><source srcset="/photos/${name}.webp"><img src="/blank.gif"></picture>`],
  ['sound', (name) => `<audio controls src="/episodes/${name}.mp3"></audio>`],
  ['sound in several formats', (name) => `<audio><source src="/episodes/${name}.ogg"></audio>`],
  ['a video', (name) => `<video src="/videos/${name}.mp4"></video>`],
  ['a video of another site', (name) => `<iframe src="https://videos.test/embed/${name}"></iframe>`],
  ['a video without a scheme', (name) => `<iframe src="//videos.test/embed/${name}"></iframe>`],
]

for (const [media, tag] of MEDIA) {
  test(`pages that differ in ${media} have different skeletons`, () => {
    const [first, second] = ['apples', 'pears'].map((name) => skeletonOf(`<p>Number 17</p>${tag(name)}`))
    assert.notEqual(first?.exact, second?.exact)
    assert.notDeepEqual(first?.lineHashes, second?.lineHashes)
  })
}

const TEMPLATE: readonly [difference: string, tag: (name: string) => string][] = [
  ['an address in the query of an image', (name) => `<img src="/counter.gif?src=/${name}.jpg">`],
  ['an address in the description of an image', (name) => `<img alt='src="/${name}.jpg"' src="/blank.gif">`],
  ['the address of a frame of the same host', (name) => `<iframe src="https://a.test/frame/${name}"></iframe>`],
  ['the query of an image', (name) => `<img src="/counter.gif?${name}">`],
  ['the description of an image', (name) => `<img alt="${name}" src="/blank.gif">`],
  ['a frame of the same site', (name) => `<iframe src="/calendar/frame/${name}"></iframe>`],
  ['an attribute of the tag after an image', (name) => `<img src=/blank.gif><b data-src="${name}"></b>`],
]

for (const [difference, tag] of TEMPLATE) {
  test(`pages that differ in ${difference} have the same skeleton`, () => {
    assert.deepEqual(skeletonOf(tag('apples')), skeletonOf(tag('pears')))
  })
}

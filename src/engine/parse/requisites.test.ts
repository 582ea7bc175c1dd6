import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { HtmlReader } from './html-reader.ts'
import { MAX_REQUISITES } from './requisites.ts'

const OPTIONS = { wantText: false as const, sink: null, maxLinks: 100, wantsRequisites: true }

function read(html: string) {
  const reader = new HtmlReader({ html, isUtf8: false }, OPTIONS)
  reader.readOn(html.length)
  return reader.finish()
}

function check(cases: Record<string, string[]>): void {
  for (const [html, urls] of Object.entries(cases)) assert.deepEqual(read(html).requisites, urls, html)
}

describe('the requisites of a page', () => {
  it('are its images, in every form', () =>
    check({
      '<img src="a.png">': ['a.png'],
      '<IMG SRC=a.png srcset="b.png 2x, c.png 3x">': ['a.png', 'b.png', 'c.png'],
      '<picture><source srcset="a.webp 100w, b.webp"><img src=" c.png "></picture>': ['a.webp', 'b.webp', 'c.png'],
      '<video poster=a.jpg src=b.mp4><source src=c.webm><track src=d.vtt></video>': [
        'b.mp4',
        'a.jpg',
        'c.webm',
        'd.vtt',
      ],
      '<input type=image src=a.gif>': ['a.gif'],
      '<body background=a.gif><table background=b.gif><td background=c.gif>': ['a.gif', 'b.gif', 'c.gif'],
      '<svg><image href="a.png"/><image xlink:href="b.png"/><use href="c.svg#d"/></svg>': ['a.png', 'b.png', 'c.svg#d'],
      '<noscript><img src="a.png"></noscript>': ['a.png'],
    }))

  it('are its style sheets, icons, preloads and scripts', () =>
    check({
      '<link rel=stylesheet href=a.css><link rel="Shortcut ICON" href=b.ico>': ['a.css', 'b.ico'],
      '<link rel=preload as=font href=a.woff2><link rel=preload as=image imagesrcset="b.png 2x">': ['a.woff2', 'b.png'],
      '<link rel=canonical href=/a><link rel=next href=/b><link rel=preconnect href=//c>': [],
      '<script src=a.js></script><script>document.write("<img src=b.png>")</script>': ['a.js'],
    }))

  it('are the URLs in its styles', () =>
    check({
      '<style>@import "a.css"; p { background: url(b.png) }</style>': ['a.css', 'b.png'],
      '<p style="background: url(&quot;a.png&quot;)">': ['a.png'],
      '<svg><rect style="fill: url(#here)"/></svg>': [],
    }))

  it('do not include what is part of the page, or not shown', () =>
    check({
      '<img src="data:image/gif;base64,AA"><img src=""><img src="#x"><img>': [],
      '<template><img src="a.png"><style>p { background: url(b.png) }</style></template>': [],
      '<!-- <img src="a.png"> --><a href="b.html"><iframe src="c.html"></iframe></a>': [],
    }))

  it('are decoded in a page that is read as UTF-8', () => {
    const html = '<img src="/ä.png"><style>p { background: url(/é.png) }</style>'
    const chars = Buffer.from(html).toString('latin1')
    const reader = new HtmlReader({ html: chars, isUtf8: true }, OPTIONS)
    reader.readOn(chars.length)
    assert.deepEqual(reader.finish().requisites, ['/ä.png', '/é.png'])
  })

  it('are each listed once, up to a limit', () => {
    assert.deepEqual(read('<img src=a><img src=a><img src=b>').requisites, ['a', 'b'])
    const many = Array.from({ length: MAX_REQUISITES + 2 }, (_, i) => `<img src=${i}>`).join('')
    const { requisites, droppedRequisites } = read(many)
    assert.deepEqual([requisites.length, droppedRequisites], [MAX_REQUISITES, 2])
  })

  it('do not change what else is read', () => {
    const pieces = [
      '<img src=a>',
      '<a href=b>c</a>',
      '<svg>',
      '</svg>',
      '<template>',
      '</template>',
      '<style>x',
      '</style>',
    ]
    const more = [
      '<title>',
      '</title>',
      '<frameset>',
      '<frame src=d>',
      '<p style="e">',
      'text',
      '<script>',
      '</script>',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, ...more)), fc.integer({ min: 1, max: 9 }), (parts, chars) => {
        const html = parts.join('')
        const { requisites, droppedRequisites, ...facts } = read(html)
        const plain = new HtmlReader({ html, isUtf8: false }, { ...OPTIONS, wantsRequisites: false })
        plain.readOn(html.length)
        assert.deepEqual(
          { ...plain.finish(), requisites, droppedRequisites },
          { ...facts, requisites, droppedRequisites },
        )
        const inSteps = new HtmlReader({ html, isUtf8: false }, OPTIONS)
        while (inSteps.readOn(chars));
        assert.deepEqual(inSteps.finish(), { ...facts, requisites, droppedRequisites })
      }),
    )
  })
})

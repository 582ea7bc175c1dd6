import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HtmlFacts, LINK_KINDS, readHtml } from './html-reader.ts'

function read(html: string): HtmlFacts {
  return readHtml(html, false)
}

test('an empty page has no facts', () => {
  assert.deepEqual(read(''), {
    links: [],
    droppedLinks: 0,
    requisites: [],
    droppedRequisites: 0,
    firstDropped: null,
    baseHref: null,
    title: '',
    description: '',
    keywords: '',
    robots: '',
    robotsFor: new Map(),
    lang: '',
    canonical: '',
    text: '',
  })
})

test('the kinds of links are listed', () => {
  assert.deepEqual(LINK_KINDS, ['a', 'area', 'link', 'iframe', 'frame', 'refresh'])
})

test('a link has its rel in lower case', () => {
  const { links } = read('<a href=/x rel="NoFollow UGC"><area href=/y rel=x><a href=/z>')
  assert.deepEqual(
    links.map((link) => link.rel),
    ['nofollow ugc', 'x', ''],
  )
})

test('rel is lower-cased by ASCII rules', () => {
  assert.equal(read('<a href=/x rel="\u212aABC">').links[0]?.rel, '\u212aabc')
})

test('links have no text unless requested', () => {
  assert.equal(read('<a href=/x>word</a>').links[0]?.text, '')
})

test('the first base with an href wins, wherever it is', () => {
  assert.equal(read('<base target=x><a href=/x><body><p><base href=" /1 "><base href=/2>').baseHref, '/1')
  assert.equal(read('<base href><base href=/2>').baseHref, '')
  assert.equal(read('<p>').baseHref, null)
})

test('a base in a template, comment, script or SVG does not count', () => {
  assert.equal(read('<template><base href=/1></template><!--<base href=/2>--><svg><base href=/3></svg>').baseHref, null)
})

const TITLES: readonly [fact: string, html: string, title: string][] = [
  ['is the text of the title', '<title>One</title>', 'One'],
  ['is collapsed and trimmed', '<title>\n One \t\r\n two\f</title>', 'One two'],
  ['keeps a no-break space', '<title>&nbsp;a</title>', '\u00a0a'],
  [
    'has its references decoded by the rules of text',
    '<title>a &amp; b &lt;i&gt; &copy2 &#x41; &amp;amp;</title>',
    'a & b <i> ©2 A &amp;',
  ],
  ['may hold tags and comments as text', '<title><b>x</b> <!-- y --></title>', '<b>x</b> <!-- y -->'],
  ['is that of the first title', '<title>1</title><title>2</title>', '1'],
  ['is empty if the first title is', '<title></title><title>2</title>', ''],
  ['may come from the body', '<body><p><title>x</title>', 'x'],
  [
    'does not come from SVG or a template',
    '<svg><title>1</title></svg><template><title>2</title></template><title>3</title>',
    '3',
  ],
  ['runs to the end if it is never closed', '<title>x <a href=/y>', 'x <a href=/y>'],
  ['has NUL replaced', '<title>a\0b</title>', 'a\ufffdb'],
  ['ends at an end tag in any case', '<title>a</titles></TITLE\n>b', 'a</titles>'],
]

for (const [fact, html, title] of TITLES) {
  test(`the title ${fact}`, () => assert.equal(read(html).title, title))
}

test('description and keywords come from the first meta that has them', () => {
  const facts = read(
    '<meta name=description content=""><META NAME=Description CONTENT=" a &amp;\n b "><meta name=description content=c>' +
      '<meta name=keywords content="k, l"><meta name=keywords content=m>',
  )
  assert.equal(facts.description, 'a & b')
  assert.equal(facts.keywords, 'k, l')
})

test('robots values are joined', () => {
  const facts = read(
    '<meta name=robots content=noindex><meta name=ROBOTS content=" "><meta content="NoFollow, x" name=robots>',
  )
  assert.equal(facts.robots, 'noindex,NoFollow, x')
})

test('a meta name must match completely', () => {
  assert.equal(
    read('<meta name="robots " content=x><meta name=robotsx content=x><meta property=robots content=x>').robots,
    '',
  )
})

test('directives for named crawlers are kept, by lower-case name', () => {
  const { robots, robotsFor } = read(
    '<meta name=GoogleBot content="NOINDEX,\n nofollow"><meta name=orbweaver content=none><meta name=robots content=all>' +
      '<meta name=googlebot content=NoArchive><meta name=bingbot content="max-snippet:0"><meta name=__proto__ content=none>' +
      '<meta name=x-bot content="unavailable_after: 25 Jun 2030">',
  )
  assert.equal(robots, 'all')
  assert.deepEqual(
    [...robotsFor],
    [
      ['googlebot', 'NOINDEX, nofollow,NoArchive'],
      ['orbweaver', 'none'],
      ['bingbot', 'max-snippet:0'],
      ['__proto__', 'none'],
      ['x-bot', 'unavailable_after: 25 Jun 2030'],
    ],
  )
})

test('metas without restrictions are not kept', () => {
  const { robotsFor } = read(
    '<meta name=viewport content="width=device-width"><meta name=googlebot content="index, follow">' +
      '<meta name=generator content=nonesuch><meta name="twitter:title" content=none><meta name="" content=none>' +
      '<meta property=orbweaver content=none><meta name=orbweaver><template><meta name=orbweaver content=none></template>',
  )
  assert.equal(robotsFor.size, 0)
})

test('a meta in a template does not count', () => {
  assert.equal(read('<template><meta name=robots content=x></template>').robots, '')
})

test('the language is that of the html element, even if a later tag sets it', () => {
  assert.equal(read('<!doctype html><HTML LANG=" de-AT ">').lang, 'de-AT')
  assert.equal(read('<html><p><html lang=de><html lang=en>').lang, 'de')
  assert.equal(read('<p lang=de>').lang, '')
})

test('the canonical URL is that of the first canonical link', () => {
  assert.equal(
    read('<link rel=canonical href=""><link rel="x CANONICAL" href=" /1 "><link rel=canonical href=/2>').canonical,
    '/1',
  )
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compareTexts } from './compare-texts.ts'
import { compileIgnoreRules } from './ignore-rules.ts'
import { MAX_LINES, type MainText, mainTextOfHtml, mainTextOfPlain } from './main-text.ts'
import { HostNoise } from './noise/host-noise.ts'

const PAGE = `<html><body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
  <main><h1>Bread</h1><p>Mix the flour, the water and the salt, then wait for an hour.</p>
  <div class="ad">Buy now</div><p>Bake it.</p></main>
  <ul><li><a href="/1">One more recipe</a></li><li><a href="/2">Another recipe</a></li></ul>
  <footer>Copyright, and a clock: 12:30:05</footer></body></html>`

it('the main text has no navigation, lists of links and footers', () => {
  assert.deepEqual(mainTextOfHtml(PAGE).lines, [
    'Bread',
    'Mix the flour, the water and the salt, then wait for an hour.',
    'Buy now',
    'Bake it.',
  ])
})

const list = (...titles: string[]) => titles.map((title) => `<li><a href="/x">${title}</a></li>`).join('')

it('a page that is a list of links is compared with them', () => {
  const page = (titles: string[], text: string) =>
    mainTextOfHtml(`<nav><ul>${list('Home', 'About us')}</ul></nav><h1>Jobs</h1><ul>${list(...titles)}</ul><p>${text}</p>
      <footer>Bakery</footer>`)
  const jobs = ['Cook for the evening', 'Baker with a driving licence', 'Somebody who can do everything else']
  const context = {
    noise: new HostNoise(null),
    isIgnored: () => false,
    visitedAt: { before: 0, after: 0 },
    isRepeated: null,
  }
  const changesOf = (before: MainText, after: MainText) =>
    compareTexts(before, after, context).lines.flatMap(({ kind, text }) => (kind === 'same' ? [] : [`${kind} ${text}`]))
  assert.deepEqual(changesOf(page(jobs.slice(0, 2), ''), page(jobs, '')), [`added ${jobs[2]}`])
  assert.deepEqual(changesOf(page([], ''), page(jobs.slice(1), 'Write!')), [
    `added ${jobs[1]}`,
    `added ${jobs[2]}`,
    'added Write!',
  ])
  const prose = 'We are a small bakery and look for people who like to get up early, every day but Monday.'
  assert.deepEqual(changesOf(page(jobs, 'Write!'), page(jobs.slice(1), prose)), [
    `removed ${jobs[0]}`,
    'removed Write!',
    `added ${prose}`,
  ])
})

it('a changed line is news, although both versions of it are also links of the page', () => {
  const page = (state: string) =>
    mainTextOfHtml(`<main><h1>Harbour</h1><p>The boat has room for four people and is in the harbour by noon.</p>
      <p>${state}</p></main><ul>${list('Available', 'Sold out', 'Reserved')}</ul>`)
  const visitedAt = { before: 0, after: 0 }
  const context = { noise: new HostNoise(null), isIgnored: () => false, visitedAt, isRepeated: null }
  assert.equal(compareTexts(page('Available'), page('Sold out'), context).isNews, true)
})

it('in a list of links, lines that have more text than the others are part of the list', () => {
  const titles = [
    'Bread',
    'How we bake bread in winter',
    'Why our ovens are so old',
    'What we do with bread of yesterday',
  ]
  const { lines } = mainTextOfHtml(
    `<h1>Posts</h1>${titles.map((title) => `<p>11-17 <a href="/x">${title}</a></p>`).join('')}`,
  )
  assert.deepEqual(lines, ['Posts', ...titles.map((title) => `11-17 ${title}`)])
})

it('a link between lines of text is text, such as a name in a table', () => {
  const row = (name: string, what: string) => `<tr><td><a href="/x">${name}</a></td><td>${what}</td></tr>`
  const { lines } = mainTextOfHtml(`<h1>Functions</h1><table>${row('knead()', 'Mixes flour with water')}
    ${row('bake()', 'Heats what was kneaded')}</table><p>More is in the guide.</p>
    <ul>${list('Older post', 'Newer post')}</ul>`)
  assert.deepEqual(lines, [
    'Functions',
    'knead()',
    'Mixes flour with water',
    'bake()',
    'Heats what was kneaded',
    'More is in the guide.',
  ])
})

it('symbols say something, but not between links', () => {
  const { lines } = mainTextOfHtml(`<ul>${list('Home', 'Shop', 'About us', 'Help')}<li>»</li></ul><h1>Cake</h1>
    <p>★★★★☆</p><p>It is sweet, has cherries on top and serves eight.</p>
    <table><tr><td>Vegan</td><td>✓</td><td>|</td><td>✗</td></tr></table>`)
  assert.deepEqual(lines, ['Cake', '★★★★☆', 'It is sweet, has cherries on top and serves eight.', 'Vegan', '✓', '✗'])
})

it('ignored elements are left out', () => {
  const { removeElements } = compileIgnoreRules({ ignoreChanges: [], ignoreSelectors: ['main > .ad', 'h1'] })
  assert.deepEqual(mainTextOfHtml(removeElements(PAGE)).lines.slice(1), ['Bake it.'])
})

it('long texts are cut', () => {
  const { lines, isCut } = mainTextOfPlain('x\n'.repeat(MAX_LINES + 1))
  assert.deepEqual([lines.length, isCut], [MAX_LINES, true])
  assert.equal(mainTextOfPlain('y'.repeat(3 << 20)).isCut, true)
})

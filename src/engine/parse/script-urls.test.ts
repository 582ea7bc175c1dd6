import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findScriptUrls, MAX_SCRIPT_URLS } from './script-urls.ts'

const inScript = (text: string) => findScriptUrls(`<p>"/outside"</p><script>${text}</script>`)

it('strings of scripts that look like pages are found, in any quotes and with escaped slashes', () => {
  assert.deepEqual(inScript(`go("/shop/shoes"); x = '/a?b=1'; y = \`/c#top\``), ['/shop/shoes', '/a?b=1', '/c#top'])
  assert.deepEqual(inScript('{"url":"\\/blog\\/post-1","next":"https:\\/\\/a.test\\/two"}'), [
    '/blog/post-1',
    'https://a.test/two',
  ])
  assert.deepEqual(inScript(`open('terms.html'); open("list/all.php?page=2")`), ['terms.html', 'list/all.php?page=2'])
})

it('data of scripts is searched, other elements are not', () => {
  assert.deepEqual(findScriptUrls('<script type="application/json">{"to":"/from-data"}</script><a href="/link">'), [
    '/from-data',
  ])
  assert.deepEqual(findScriptUrls('<p title="/not-a-script">'), [])
})

it('files, routes with placeholders, patterns and other strings are left out', () => {
  const others = [
    '/app.js',
    '/logo.png?v=2',
    '/users/:id',
    '/[0-9]+/',
    '/',
    '//',
    '/1/2',
    'text/html',
    'MM/DD/YYYY',
    'a b.html',
    '/a/' + '$' + '{id}',
    '/\\d+/',
    'module.exports',
    '/*',
  ]
  assert.deepEqual(inScript(others.map((text) => `"${text}"`).join(';')), [])
})

it('a page names a bounded number, in bounded time', () => {
  const many = Array.from({ length: 1000 }, (_, i) => `"/page-${i}"`).join(',')
  assert.equal(inScript(many).length, MAX_SCRIPT_URLS)
  const before = process.cpuUsage()
  for (const hostile of [
    '"/'.repeat(500_000),
    `"/${'a'.repeat(1_000_000)}`,
    '<script'.repeat(200_000),
    '<script>'.repeat(200_000),
  ])
    findScriptUrls(`<script>${hostile}`)
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1000 < 3000, `${(user + system) / 1000} ms`)
})

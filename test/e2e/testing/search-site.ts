// A small site about gardens with known search results.

import type { PlainResponse } from '../../sites/plain-site.ts'

const TREES = ['apple', 'pear', 'plum', 'cherry', 'quince', 'walnut', 'hazel', 'maple', 'willow', 'birch'] as const

/** Page n is about a tree and has a word that no other page has. */
export function renderSearchSitePage(path: string, pages: number): PlainResponse | string | null {
  if (path === '/') {
    const links = Array.from({ length: pages }, (_, n) => `<li><a href="/tree/${n}">Tree ${n}</a>`)
    return `<html lang="en"><title>The gardens</title><h1>All the gardens</h1><ul>${links.join('')}</ul>
      <a href="/hidden">hidden</a><a href="/script">script</a><a href="/missing">missing</a>`
  }
  if (path === '/hidden')
    return '<html lang="en"><meta name="robots" content="noindex"><p>A secretive hedgehog lives here.'
  if (path === '/script') {
    return '<html lang="en"><title>&lt;script&gt;alert(1)&lt;/script&gt; toadstool</title><p>&lt;img src=x onerror=alert(2)&gt; A toadstool.'
  }
  const n = /^\/tree\/(\d+)$/.exec(path)?.[1]
  if (n === undefined || Number(n) >= pages) return null
  const tree = TREES[Number(n) % TREES.length] ?? ''
  return `<html lang="en"><title>About the ${tree}, number ${n}</title><nav><a href="/">The gardens</a></nav>
    <main><h1>The ${tree} tree</h1><p>This ${tree} stands in the garden and bears the mark uniq${n}x for everybody to see.</p>
    <p>Gardeners were watering it while birds were singing ${'again and '.repeat(Number(n) % 20)}again.</p></main>`
}

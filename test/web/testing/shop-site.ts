// A shop whose pages hide what a script of an archived page could read, and try to run their own scripts.

import { servePlainSite } from '../../sites/plain-site.ts'
import type { CleanupContext } from '../../testing/program.ts'

export async function serveShop(t: CleanupContext): Promise<string> {
  const site = await servePlainSite(t, (path) => {
    const number = Number(/^\/lamps\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
    if (!(number >= 1 && number <= 12)) return null
    return `<!doctype html><title>Lamp ${number}</title>
<img name="querySelector" alt=""><img name="location" alt=""><img id="parent" alt="">
<form><input name="parentElement"><input name="localName"><input name="getAttribute"></form>
<script>window.hasRun = true</script><img src="x" alt="" onerror="window.hasRun = true">
<h1 class="css-1a2b3c">Lamp ${number}</h1>
<p class="price" onclick="window.hasRun = true">${10 + number}.50 EUR</p>
<div id="nav"><a href="/lamps/${(number % 12) + 1}" onclick="window.hasRun = true">Next lamp</a></div>
<table><tbody><tr><td>first cell</td><td>second cell</td></tr></tbody></table>`
  })
  return site.origin
}

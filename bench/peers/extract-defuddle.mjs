import { Defuddle } from 'defuddle/node'
import { JSDOM, VirtualConsole } from 'jsdom'
import { eachPage } from './each-page.mjs'

// It reports what it does not understand.
console.log = console.warn = console.error = () => undefined

await eachPage(async ({ html, url }) => {
  const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() })
  const { content } = await Defuddle(window.document, url)
  window.close()
  return { html: content ?? '' }
})

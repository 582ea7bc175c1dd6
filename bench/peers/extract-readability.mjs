import { Readability } from '@mozilla/readability'
import { JSDOM, VirtualConsole } from 'jsdom'
import { eachPage } from './each-page.mjs'

await eachPage(({ html, url }) => {
  const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() })
  const article = new Readability(window.document).parse()
  window.close()
  return { html: article?.content ?? '' }
})

import { marked } from 'marked'
import { eachPage } from './each-page.mjs'

await eachPage(({ markdown }) => ({ html: marked.parse(markdown) }))

// spider-rs without callbacks: the crawl stays in Rust, only the number of pages comes back.

import { Website } from '@spider-rs/spider-rs'

const [seed] = process.argv.slice(2)
const website = new Website(seed).withRespectRobotsTxt(false).withDelay(0).build()
await website.crawl()
console.log(JSON.stringify({ pages: website.size }))
process.exit(0)

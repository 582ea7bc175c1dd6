// `npm run demo`: serves a generated site on loopback and crawls it in this terminal. Needs no internet.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeMagazineSite } from '../../src/demo/magazine-site.ts'
import { type ServedSites, serveSites } from '../../src/demo/serve-sites.ts'

/** Delays of three hosts, each slower than the previous one; the crawl takes about ten seconds. */
const DELAYS_MS = [60, 90, 140]

/** The folder in which npm runs the demo, so that the printed commands can be pasted. */
const FOLDER = fileURLToPath(new URL('../../', import.meta.url))
const LAUNCHER = './orbweaver'

async function runDemo(): Promise<number> {
  const data = await mkdtemp(join(tmpdir(), 'orbweaver-demo-'))
  const web = await serveSites(DELAYS_MS.map((paceMs, i) => makeMagazineSite(2026 + i, paceMs)))
  try {
    const addresses = countPages(web).toLocaleString('en')
    console.log(`Serving three sample sites with ${addresses} URLs. Orbweaver is crawling them now.\n`)
    const code = await crawl(
      web.sites.map(({ origin }) => `${origin}/`),
      data,
    )
    console.log(`\nThe data is in ${data}.\nNext: ${LAUNCHER} crawl https://example.com --max-pages 500`)
    return code
  } finally {
    await web.close()
  }
}

function countPages(web: ServedSites): number {
  return web.sites.reduce((sum, { site }) => sum + site.nodes.size, 0)
}

async function crawl(urls: string[], data: string): Promise<number> {
  const flags = ['--data', data, '--allow-private', '--per-host', '4', '--delay', '0']
  const child = spawn(LAUNCHER, ['crawl', ...urls, ...flags], { cwd: FOLDER, stdio: 'inherit' })
  // A terminal sends Ctrl-C to the child as well; a second one from here would make it quit instead of drain.
  const onInterrupt = () => process.stdin.isTTY || child.kill('SIGINT')
  const onTerminate = () => child.kill('SIGTERM')
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onTerminate)
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onTerminate)
  }
}

process.exitCode = await runDemo().catch((error: unknown) => {
  console.error(`The demo could not run: ${error instanceof Error ? error.message : String(error)}`)
  return 1
})

// Kills the browsers and the program while pages are rendered. The result must equal that of an uninterrupted crawl.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { packagedBrowser } from '../../src/render/testing/test-pool.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { serveRenderedSites } from '../sites/rendered/rendered-sites.ts'
import { FAST_FLAGS, makeTemporaryFolder, type Program, startProgram } from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'
import { waitUntil } from '../testing/wait-until.ts'

describe('a crawl that renders', () => {
  it('finds every page although browsers and the program are killed', async (t) => {
    const sites = await serveRenderedSites(t)
    const data = makeTemporaryFolder(t)
    const { path: browser } = await packagedBrowser()
    const seeds = sites.map(({ site }) => `${site.origin}/`)
    const requests = () => sites.reduce((sum, { site }) => sum + site.requests.length, 0)
    const flags = ['--render', 'all', '--render-scroll', '--hash-routes', '--browser', browser, '--retries', '9']
    let program: Program = startProgram(['crawl', ...seeds, '--data', data, ...FAST_FLAGS, ...flags])
    const progress = async (by: number) => {
      const before = requests()
      await Promise.race([waitUntil(() => requests() >= before + by, { pollMs: 5 }), program.ended])
    }
    let killedBrowsers = 0
    for (const step of ['browser', 'browser', 'program', 'browser', 'program']) {
      await progress(12)
      if (step === 'browser') killedBrowsers += killBrowsers(program)
      else {
        program.child.kill('SIGKILL')
        await program.ended
        program = startProgram(['resume', '--data', data, '--browser', browser, '--json'])
      }
    }
    const { code, stderr } = await program.ended
    assert.equal(code, 0, stderr)
    assert.ok(killedBrowsers > 0, 'no browser was killed')
    const { stdout } = await runInProcess(['crawls', '--data', data, '--json'])
    const [crawl] = stdout.trim().split('\n')
    const rows = await exportRows(data, (JSON.parse(crawl ?? '{}') as { crawl_id: string }).crawl_id)
    for (const { name, site, expected } of sites) {
      const own = rows.filter(({ url, kind }) => url.startsWith(`${site.origin}/`) && kind !== 'requisite')
      const found = own.map(({ url, title, state, reason }) => [
        url.slice(site.origin.length),
        reason ?? title ?? state,
      ])
      assert.deepEqual(Object.fromEntries(found), expected, name)
    }
  })

  it('renders every page of a pattern although it is killed while pages of it are visited again', async (t) => {
    const numbers = Array.from({ length: 30 }, (_, i) => i)
    const text = 'Words that are complete without any script. '.repeat(40)
    const fill = `const path = location.pathname; document.title = 'Rendered ' + path
      if (!path.includes('more')) more.innerHTML = '<a href=' + path.replace('shop/', 'shop/more-') + '>More</a>'`
    const site = await servePlainSite(t, (path) => {
      // The first sample takes longer than all other pages, which are read without rendering in the meantime.
      if (path === '/shop.js') return { afterMs: 3000, headers: { 'content-type': 'text/javascript' }, body: fill }
      if (path === '/')
        return `<title>Home</title><p>${text}${numbers.map((i) => `<a href=/shop/${i}>${i}</a>`).join('')}`
      if (!path.startsWith('/shop/')) return null
      return `<title>Plain</title><script src=/shop.js defer></script><p>${text}<a href=/>Home</a><ul id=more></ul>`
    })
    const data = makeTemporaryFolder(t)
    const { path: browser } = await packagedBrowser()
    const flags = ['--render', 'auto', '--browser', browser, '--retries', '9']
    let program: Program = startProgram(['crawl', `${site.origin}/`, '--data', data, ...FAST_FLAGS, ...flags])
    const visitedAgain = () => {
      const pages = site.paths().filter((path) => /^\/shop\/\d+$/.test(path))
      return pages.length - new Set(pages).size
    }
    for (const visits of [1, 10]) {
      await Promise.race([waitUntil(() => visitedAgain() >= visits, { pollMs: 5 }), program.ended])
      assert.equal(program.child.exitCode, null, 'ended before it was killed')
      program.child.kill('SIGKILL')
      await program.ended
      program = startProgram(['resume', '--data', data, '--browser', browser, '--json'])
    }
    const { code, stderr } = await program.ended
    assert.equal(code, 0, stderr)
    const { stdout } = await runInProcess(['crawls', '--data', data, '--json'])
    const { crawl_id: id } = JSON.parse(stdout.trim().split('\n')[0] ?? '{}') as { crawl_id: string }
    assert.equal((await runInProcess(['verify', id, '--data', data])).code, 0)
    const pages = (await exportRows(data, id)).filter(({ kind }) => kind === 'page')
    // Pages that were found by rendering have their own pattern, which gains nothing.
    const expected = numbers.flatMap((i) => [
      [`/shop/${i}`, `Rendered /shop/${i}`],
      [`/shop/more-${i}`, 'Plain'],
    ])
    assert.deepEqual(
      Object.fromEntries(pages.map(({ url, title }) => [url.slice(site.origin.length), title])),
      Object.fromEntries([['/', 'Home'], ...expected]),
    )
  })

  it('stops within ten seconds while pages hang, and keeps their URLs', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/slow.js') return { afterMs: 15_000, body: '' }
      if (path === '/') return '<!doctype html><a href=/loop>loop</a><a href=/slow>slow</a>'
      if (path === '/loop') return '<!doctype html><script>for (;;);</script>'
      return path === '/slow' ? '<!doctype html><script src=/slow.js></script>' : null
    })
    const data = makeTemporaryFolder(t)
    const { path: browser } = await packagedBrowser()
    const flags = ['--render', 'all', '--browser', browser]
    const program = startProgram(['crawl', `${site.origin}/`, '--data', data, ...FAST_FLAGS, ...flags])
    await waitUntil(() => site.paths().includes('/slow.js') && site.paths().includes('/loop'))
    await sleep(500)
    const stoppedAt = performance.now()
    program.child.kill('SIGTERM')
    await program.ended
    assert.ok(performance.now() - stoppedAt < 10_000)
    const { stdout } = await runInProcess(['crawls', '--data', data, '--json'])
    const crawl = JSON.parse(stdout.trim().split('\n')[0] ?? '{}') as { crawl_id: string }
    const states = (await exportRows(data, crawl.crawl_id)).map(({ url, state }) => [
      url.slice(site.origin.length),
      state,
    ])
    assert.deepEqual(Object.fromEntries(states), { '/': 'visited', '/loop': 'queued', '/slow': 'queued' })
  })
})

/** Kills the browsers that the program has started. Returns how many. */
function killBrowsers({ child }: Program): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(processes.map((pid) => [Number(pid), parentOf(Number(pid))]))
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0
    return parent === child.pid || (parent > 1 && isOurs(parent))
  }
  const browsers = [...parents.keys()].filter((pid) => isOurs(pid) && /--remote-debugging-pipe/.test(commandOf(pid)))
  for (const pid of browsers) kill(pid)
  return browsers.length
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`)
}

/** '' if the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already exited.
  }
}

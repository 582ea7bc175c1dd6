// Crawls sites built with real frameworks in a real browser. The result must be exactly what the sites define.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readWithWarcio } from '../../src/archive/testing/read-with-warcio.ts'
import { packagedBrowser } from '../../src/render/testing/test-pool.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { serveRenderedSites } from '../sites/rendered/rendered-sites.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'

describe('a crawl that renders', () => {
  it('with auto renders what needs it, and without rendering says what would', async (t) => {
    const files: Record<string, string> = {
      '/': '<!doctype html><title>Home</title><a href=/app>App</a><p>A plain page, complete as it is.</p>',
      '/app': '<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>',
      '/app.js': 'document.getElementById("root").innerHTML = "<a href=/found>Found by a script</a>"',
      '/found': '<!doctype html><title>Found</title><p>Here.</p>',
    }
    const { path: browser } = await packagedBrowser()
    const crawl = async (render: string) => {
      const site = await servePlainSite(t, (path) => files[path] ?? null)
      const data = makeTemporaryFolder(t)
      const flags = ['--render', render, '--browser', browser]
      const result = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...FAST_FLAGS, ...flags])
      assert.equal(result.code, 0, result.stderr)
      const summary = parseSummary(result) as ReturnType<typeof parseSummary> & { needs_javascript: number }
      const rows = await exportRows(data, summary.crawl_id)
      const outcomes = rows.map(({ url, kind, reason, title }) => [
        url.slice(site.origin.length),
        kind === 'requisite' ? kind : (reason ?? title),
      ])
      const script = await runInProcess(['page', `${site.origin}/app.js`, '--raw', '--data', data])
      const records = await readWithWarcio(join(data, 'archive'))
      const scripts = records.filter(({ type, url }) => type === 'response' && url === `${site.origin}/app.js`)
      return {
        script: script.stdout,
        scripts: scripts.length,
        outcomes: Object.fromEntries(outcomes),
        empty: summary.needs_javascript,
        site,
      }
    }
    const auto = await crawl('auto')
    assert.deepEqual(auto.outcomes, { '/': 'Home', '/app': 'App', '/app.js': 'requisite', '/found': 'Found' })
    assert.equal(auto.empty, 0)
    assert.deepEqual([auto.script, auto.scripts], [files['/app.js'], 1])
    const off = await crawl('off')
    assert.deepEqual(off.outcomes, { '/': 'Home', '/app': 'needs_javascript' })
    assert.equal(off.empty, 1)
    assert.deepEqual(off.site.paths().toSorted(), ['/', '/app'])
  })

  it('with auto samples complete pages, and renders the patterns that gain', async (t) => {
    const text = 'Words that are complete without any script. '.repeat(40)
    const page = (title: string, body: string) =>
      `<!doctype html><title>${title}</title><script src=/site.js defer></script><p>${text}</p><ul id=more></ul>${body}`
    const numbers = Array.from({ length: 40 }, (_, i) => i)
    const { path: browser } = await packagedBrowser()
    const crawl = async (threads: number) => {
      const site = await servePlainSite(t, (path) => {
        const [, folder = '', name = ''] = path.split('/')
        if (path === '/') {
          const links = numbers.map((i) => `<a href=/news/${i}>${i}</a><a href=/shop/${i}>${i}</a>`)
          return page('Home', links.join(' '))
        }
        if (path === '/site.js')
          return {
            headers: { 'content-type': 'text/javascript' },
            body: `const [, folder, name] = location.pathname.split('/')
              const more = folder === 'shop' && !name.startsWith('more') ? '<a href=/shop/more-' + name + '>More</a>' : ''
              document.getElementById('more').innerHTML = more`,
          }
        return folder === 'news' || folder === 'shop' ? page(`${folder} ${name}`, '') : null
      })
      const data = makeTemporaryFolder(t)
      const flags = ['--render', 'auto', '--browser', browser, '--threads', String(threads)]
      const result = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...FAST_FLAGS, ...flags])
      assert.equal(result.code, 0, result.stderr)
      const { crawl_id: id } = parseSummary(result)
      const rows = (await exportRows(data, id)).filter(({ kind }) => kind === 'page')
      assert.deepEqual((await runInProcess(['verify', id, '--data', data])).code, 0)
      const records = await readWithWarcio(join(data, 'archive'))
      const rendered = records.filter(({ type }) => type === 'conversion').map(({ url }) => url)
      return { rows: rows.map(({ url, state }) => [url.slice(site.origin.length), state]).toSorted(), rendered }
    }
    const expected = ['/', ...numbers.flatMap((i) => [`/news/${i}`, `/shop/${i}`, `/shop/more-${i}`])]
    for (const threads of [1, 3]) {
      const { rows, rendered } = await crawl(threads)
      assert.deepEqual(rows, expected.map((path) => [path, 'visited']).toSorted(), `${threads} threads`)
      // A sample that gains nothing is used as received.
      assert.equal(rendered.filter((url) => url?.includes('/news/')).length, 0)
      assert.equal(new Set(rendered.filter((url) => /\/shop\/\d+$/.test(url ?? ''))).size, numbers.length)
    }
  })

  it('visits URLs that scripts name only if asked to, and exports what named them', async (t) => {
    const script = 'menu = ["/named", "/linked", "https://other.test/x"]; fetch("/fragment")'
    const files: Record<string, string> = {
      '/': `<!doctype html><title>Home</title><a href=/linked>Linked</a><script>${script}</script>`,
      '/linked': '<!doctype html><title>Linked</title><p>Here.</p>',
      '/named': '<!doctype html><title>Named</title><p>Here.</p>',
      '/fragment': '<!doctype html><title>Fragment</title><a href=/inside>Inside</a>',
      '/inside': '<!doctype html><title>Inside</title>',
    }
    const { path: browser } = await packagedBrowser()
    const site = await servePlainSite(t, (path) => files[path] ?? null)
    const crawl = async (...flags: string[]) => {
      const data = makeTemporaryFolder(t)
      const result = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...FAST_FLAGS, ...flags])
      assert.equal(result.code, 0, result.stderr)
      const { crawl_id: id } = parseSummary(result)
      const rows = (await exportRows(data, id)).filter(({ kind }) => kind === 'page')
      const pages = rows.map(({ url, provenance }) => [url.slice(site.origin.length), provenance])
      return Object.fromEntries(pages)
    }
    const rendered = await crawl('--script-urls', '--render', 'all', '--browser', browser)
    const expected = { '/': null, '/linked': null, '/named': 'script', '/fragment': 'script', '/inside': null }
    assert.deepEqual(rendered, expected)
    const named = { '/': null, '/linked': null, '/named': 'script' }
    assert.deepEqual(await crawl('--script-urls'), { ...named, '/fragment': 'script', '/inside': null })
    assert.deepEqual(await crawl(), { '/': null, '/linked': null })
  })

  it('finds every page of every site, and requests each file once', async (t) => {
    const sites = await serveRenderedSites(t)
    const data = makeTemporaryFolder(t)
    const { path: browser } = await packagedBrowser()
    const seeds = sites.map(({ site }) => `${site.origin}/`)
    const flags = ['--render', 'all', '--render-scroll', '--hash-routes', '--browser', browser]
    const result = await runProgram(['crawl', ...seeds, '--data', data, ...FAST_FLAGS, ...flags])
    assert.equal(result.code, 0, result.stderr)
    const rows = await exportRows(data, parseSummary(result).crawl_id)
    for (const { name, site, expected } of sites) {
      const own = rows.filter(({ url }) => url.startsWith(`${site.origin}/`))
      const pages = own.filter(({ kind }) => kind !== 'requisite')
      const found = pages.map(({ url, title, state }) => [
        url.slice(site.origin.length),
        state === 'visited' ? title : state,
      ])
      assert.deepEqual(Object.fromEntries(found), expected, name)
      const files = site.paths().filter((path) => path.startsWith('/assets/'))
      assert.equal(new Set(files).size, files.length, `${name}: ${files}`)
      const requisites = own.filter(({ kind, state }) => kind === 'requisite' && state === 'visited')
      const archived = requisites.map(({ url }) => url.slice(site.origin.length))
      assert.deepEqual(archived.filter((path) => path.startsWith('/assets/')).toSorted(), files.toSorted(), name)
    }
  })
})

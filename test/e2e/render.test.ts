// `orbweaver render` and `orbweaver doctor` with a real browser.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { runInProcess } from '../testing/run-in-process.ts'

const PAGES: Record<string, string> = {
  '/': '<!doctype html><title>Shell</title><div id=root></div><script src=app.js></script>',
  '/app.js': `fetch('/data.json').then((response) => response.json()).then(({ paths }) => {
    for (const path of paths) document.getElementById('root').innerHTML += '<a href="' + path + '">' + path + '</a>'
  })`,
  '/data.json': '{"paths": ["/one", "/two"]}',
}

it('render prints the page after its scripts have run, and asks for the document once', async (t) => {
  const requests: string[] = []
  const site = await servePlainSite(t, (path) => {
    requests.push(path)
    return PAGES[path] ?? null
  })
  const { code, stdout, stderr } = await runInProcess(['render', `${site.origin}/`, '--allow-private'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /<a href="\/one">\/one<\/a><a href="\/two">\/two<\/a>/)
  assert.match(stderr, /^Rendered http.* with 2 requests\.$/m)
  assert.deepEqual(requests.toSorted(), ['/', '/app.js', '/data.json'])
})

it('render refuses a private address', async () => {
  const { code, stderr } = await runInProcess(['render', 'http://127.0.0.1:8000/'])
  assert.notEqual(code, 0)
  assert.match(stderr, /could not be fetched: address blocked/)
})

it('doctor names the browser and what contains it', async () => {
  const { code, stdout } = await runInProcess(['doctor'])
  assert.equal(code, 0)
  assert.match(stdout, /^ok +Node \d+/m)
  assert.match(stdout, /^ok +Browser: /m)
  assert.match(stdout, /namespace/)
})

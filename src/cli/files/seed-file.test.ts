import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { newKeySeed } from '../../config/key-seed.ts'
import { type SeedInput, toSeeds, toSitemapSeeds } from '../../engine/crawl/plan/seeds.ts'
import { urlKey } from '../../engine/url/url-key.ts'
import { readSeedFile } from './seed-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'orbweaver-seeds-'))
after(() => rmSync(dir, { recursive: true }))

const file = join(dir, 'seeds.txt')

async function read(content: string): Promise<string[]> {
  writeFileSync(file, content)
  return textsOf(await readSeedFile(file, { stdin: new PassThrough(), env: {} }))
}

function textsOf(seeds: SeedInput[]): string[] {
  return seeds.map((seed) => (typeof seed === 'string' ? seed : seed.text))
}

describe('a seed file', () => {
  it('has one URL per line, with blank lines and comments', async () => {
    const lines = ['# start here', 'https://a.example/', '', '  https://b.example/#part  ', '#https://c.example/', '']
    for (const end of ['\n', '\r\n']) {
      assert.deepEqual(await read(lines.join(end)), ['https://a.example/', 'https://b.example/#part'])
    }
  })

  it('may be a JSON array of URLs', async () => {
    const json = '\n [ "https://a.example/", "https://b.example/" ] \n'
    assert.deepEqual(await read(json), ['https://a.example/', 'https://b.example/'])
  })

  it('may start with a byte order mark', async () => {
    assert.deepEqual(await read('\uFEFFhttps://a.example/\n'), ['https://a.example/'])
    assert.deepEqual(await read('\uFEFF["https://a.example/"]'), ['https://a.example/'])
  })

  it('is standard input if it is named -', async () => {
    const seeds = await readSeedFile('-', { stdin: Readable.from(['https://a.exam', 'ple/\n']), env: {} })
    assert.deepEqual(textsOf(seeds), ['https://a.example/'])
  })

  it('reports the line or entry of an invalid URL', async () => {
    const places = {
      '# start\n\nhttps://a.example/\r\nexample\n': 'line 4',
      '\uFEFFexample': 'line 1',
      '["https://a.example/", "example"]': 'entry 2',
    }
    for (const [content, place] of Object.entries(places)) {
      writeFileSync(file, content)
      const seeds = await readSeedFile(file, { stdin: new PassThrough(), env: {} })
      const message = `${file}, ${place}: "example" cannot be crawled: it is not a URL.`
      assert.throws(() => toSeeds(seeds, 0), { code: 'BAD_SEED', message })
    }
  })

  it('is rejected without URLs', async () => {
    for (const content of ['', '\n\n', '# nothing\n', '[]']) {
      await assert.rejects(read(content), { code: 'BAD_SEED', message: /contains no URLs/ }, JSON.stringify(content))
    }
  })

  it('is rejected if it starts like a JSON array but is not one', async () => {
    await assert.rejects(read('["https://a.example/"'), { code: 'BAD_SEED', message: /not valid JSON/ })
    await assert.rejects(read('["https://a.example/", 5]'), { code: 'BAD_SEED', message: /array of strings/ })
  })

  it('is named if it cannot be read', async () => {
    const missing = join(dir, 'missing.txt')
    await assert.rejects(readSeedFile(missing, { stdin: new PassThrough(), env: {} }), {
      code: 'FILE_UNREADABLE',
      message: `Cannot read the seed file ${missing}.`,
    })
    const broken = new Readable({ read: () => broken.destroy(new Error('EIO')) })
    await assert.rejects(readSeedFile('-', { stdin: broken, env: {} }), { code: 'FILE_UNREADABLE' })
  })
})

describe('toSeeds', () => {
  it('returns each URL once, normalized, with its host and key', () => {
    const texts = [
      'HTTP://Example.com:80/a#x',
      'http://example.com/a',
      'https://example.com/a',
      'https://bücher.example',
    ]
    const seeds = toSeeds(texts, 7)
    const rest = { kind: 'page', isRefresh: false, listing: null }
    assert.deepEqual(seeds, [
      { url: 'http://example.com/a', host: 'example.com', key: urlKey('http://example.com/a', 7), ...rest },
      { url: 'https://example.com/a', host: 'example.com', key: urlKey('https://example.com/a', 7), ...rest },
      { url: 'https://xn--bcher-kva.example/', host: 'xn--bcher-kva.example', key: seeds[2]?.key, ...rest },
    ])
  })

  it('rejects all seeds if one is invalid, with the reason', () => {
    const reasons: Record<string, RegExp> = {
      'https://': /"https:\/\/" cannot be crawled: it is not a URL\.$/,
      'ftp://a.example/': /only http and https/,
      'mailto:a@b.example': /only http and https/,
      'https://user:secret@a.example/': /user name or password/,
      [`https://a.example/${'x'.repeat(2048)}`]: /longer than 2,048/,
    }
    for (const [seed, message] of Object.entries(reasons)) {
      assert.throws(() => toSeeds(['https://good.example/', seed], 0), { code: 'BAD_SEED', message })
    }
  })

  it('adds https to a host without a scheme', () => {
    for (const seed of ['example.com', 'example.com/a?b', 'example.com:8080/x', 'localhost:8080', 'bücher.example']) {
      assert.equal(toSeeds([seed], 0)[0]?.url, new URL(`https://${seed}`).href)
    }
    for (const seed of ['nonsense', '/path', 'javascript:alert(1)', 'mailto:a@b.example', '']) {
      assert.throws(() => toSeeds([seed], 0), { code: 'BAD_SEED' })
    }
  })
})

describe('newKeySeed', () => {
  it('is a fresh 32-bit number', () => {
    const seeds = Array.from({ length: 100 }, newKeySeed)
    assert.ok(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32))
    assert.ok(new Set(seeds).size > 90)
  })
})

describe('toSitemapSeeds', () => {
  const seeds = toSeeds(['http://a.test/x', 'http://b.test/', 'http://a.test/y'], 7)

  it('keeps URLs and resolves paths on every start host', () => {
    const sitemaps = toSitemapSeeds(['/map.xml', 'http://c.test/s.xml'], seeds, 7)
    assert.deepEqual(
      sitemaps.map(({ url, kind }) => `${kind} ${url}`),
      ['sitemap http://a.test/map.xml', 'sitemap http://b.test/map.xml', 'sitemap http://c.test/s.xml'],
    )
  })

  it('rejects a path without a start URL, and invalid URLs', () => {
    assert.throws(() => toSitemapSeeds(['/map.xml'], [], 7), { code: 'BAD_SEED' })
    assert.throws(() => toSitemapSeeds(['ftp://a.test/map.xml'], seeds, 7), { code: 'BAD_SEED' })
  })
})

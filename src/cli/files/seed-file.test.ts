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
  return textsOf(await readSeedFile(file, new PassThrough()))
}

function textsOf(seeds: SeedInput[]): string[] {
  return seeds.map((seed) => (typeof seed === 'string' ? seed : seed.text))
}

describe('a seed file', () => {
  it('holds one url a line, with blank lines and comments', async () => {
    const lines = ['# start here', 'https://a.example/', '', '  https://b.example/#part  ', '#https://c.example/', '']
    for (const end of ['\n', '\r\n']) {
      assert.deepEqual(await read(lines.join(end)), ['https://a.example/', 'https://b.example/#part'])
    }
  })

  it('or a JSON array of them', async () => {
    const json = '\n [ "https://a.example/", "https://b.example/" ] \n'
    assert.deepEqual(await read(json), ['https://a.example/', 'https://b.example/'])
  })

  it('may begin with a byte order mark', async () => {
    assert.deepEqual(await read('\uFEFFhttps://a.example/\n'), ['https://a.example/'])
    assert.deepEqual(await read('\uFEFF["https://a.example/"]'), ['https://a.example/'])
  })

  it('named - is standard input', async () => {
    const seeds = await readSeedFile('-', Readable.from(['https://a.exam', 'ple/\n']))
    assert.deepEqual(textsOf(seeds), ['https://a.example/'])
  })

  it('names the line or the entry that cannot be crawled', async () => {
    const places = {
      '# start\n\nhttps://a.example/\r\nexample.com\n': 'line 4',
      '\uFEFFexample.com': 'line 1',
      '["https://a.example/", "example.com"]': 'entry 2',
    }
    for (const [content, place] of Object.entries(places)) {
      writeFileSync(file, content)
      const seeds = await readSeedFile(file, new PassThrough())
      const message = `${file}, ${place}: "example.com" cannot be crawled: it is not a URL. Did you mean https://example.com?`
      assert.throws(() => toSeeds(seeds, 0), { code: 'BAD_SEED', message })
    }
  })

  it('without urls is refused', async () => {
    for (const content of ['', '\n\n', '# nothing\n', '[]']) {
      await assert.rejects(read(content), { code: 'BAD_SEED', message: /holds no urls/ }, JSON.stringify(content))
    }
  })

  it('that is not the JSON it begins as is refused', async () => {
    await assert.rejects(read('["https://a.example/"'), { code: 'BAD_SEED', message: /not valid JSON/ })
    await assert.rejects(read('["https://a.example/", 5]'), { code: 'BAD_SEED', message: /array of strings/ })
  })

  it('that cannot be read is named', async () => {
    const missing = join(dir, 'missing.txt')
    await assert.rejects(readSeedFile(missing, new PassThrough()), {
      code: 'FILE_UNREADABLE',
      message: `The seed file ${missing} cannot be read.`,
    })
    const broken = new Readable({ read: () => broken.destroy(new Error('EIO')) })
    await assert.rejects(readSeedFile('-', broken), { code: 'FILE_UNREADABLE' })
  })
})

describe('toSeeds', () => {
  it('gives each url once, in one spelling, with its host and key', () => {
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

  it('refuses all for one bad url, and says why', () => {
    const why: Record<string, RegExp> = {
      'https://': /"https:\/\/" cannot be crawled: it is not a URL\.$/,
      'ftp://a.example/': /only http and https/,
      'mailto:a@b.example': /only http and https/,
      'https://user:secret@a.example/': /user name or password/,
      [`https://a.example/${'x'.repeat(2048)}`]: /longer than 2,048/,
    }
    for (const [seed, message] of Object.entries(why)) {
      assert.throws(() => toSeeds(['https://good.example/', seed], 0), { code: 'BAD_SEED', message })
    }
  })

  it('suggests the scheme that was forgotten', () => {
    for (const seed of ['example.com', 'example.com/a?b', 'example.com:8080/x', 'localhost:8080', 'a-b.example#c']) {
      assert.throws(
        () => toSeeds([seed], 0),
        (error: Error) => error.message.endsWith(` Did you mean https://${seed}?`),
      )
    }
    for (const seed of ['nonsense', '/path', 'javascript:alert(1)', '']) {
      assert.throws(
        () => toSeeds([seed], 0),
        (error: Error) => !error.message.includes('Did you mean'),
      )
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

describe('toSitemaps', () => {
  const seeds = toSeeds(['http://a.test/x', 'http://b.test/', 'http://a.test/y'], 7)

  it('takes a url as it is and a path on every start host', () => {
    const sitemaps = toSitemapSeeds(['/map.xml', 'http://c.test/s.xml'], seeds, 7)
    assert.deepEqual(
      sitemaps.map(({ url, kind }) => `${kind} ${url}`),
      ['sitemap http://a.test/map.xml', 'sitemap http://b.test/map.xml', 'sitemap http://c.test/s.xml'],
    )
  })

  it('refuses a path without a start url, and what is no url', () => {
    assert.throws(() => toSitemapSeeds(['/map.xml'], [], 7), { code: 'BAD_SEED' })
    assert.throws(() => toSitemapSeeds(['ftp://a.test/map.xml'], seeds, 7), { code: 'BAD_SEED' })
  })
})

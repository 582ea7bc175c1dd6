import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { locsOf, readBothWays, withLoc } from './testing/read-both-ways.ts'

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

describe('a urlset', () => {
  it('yields every field of a page', () => {
    const { kind, entries } = readBothWays(`<?xml version="1.0" encoding="UTF-8"?>
      <urlset ${NAMESPACE}>
        <url>
          <loc>https://example.com/</loc>
          <lastmod>2024-05-17T12:30:00+02:00</lastmod>
          <changefreq>Weekly</changefreq>
          <priority> 0.8 </priority>
        </url>
        <url><loc>https://example.com/b</loc></url>
      </urlset>`)
    assert.equal(kind, 'urlset')
    assert.deepEqual(entries, [
      {
        loc: 'https://example.com/',
        lastmod: Date.parse('2024-05-17T10:30:00Z'),
        changefreq: 'weekly',
        priority: 0.8,
      },
      { loc: 'https://example.com/b', lastmod: null, changefreq: null, priority: null },
    ])
  })

  it('ignores invalid field values', () => {
    for (const priority of ['', 'high', '-0.5', '1.1', '0,5', '1e0', '.', '9'.repeat(400)]) {
      const fields = `<lastmod>soon</lastmod><changefreq>often</changefreq><priority>${priority}</priority>`
      const { entries } = readBothWays(`<urlset><url><loc>/a</loc>${fields}</url></urlset>`)
      assert.deepEqual(entries, [{ loc: '/a', lastmod: null, changefreq: null, priority: null }])
    }
  })

  it('accepts fields in any order', () => {
    const { entries } = readBothWays(
      '<urlset><url><priority>1</priority><lastmod>2024</lastmod><loc>/a</loc></url></urlset>',
    )
    assert.deepEqual(entries, [{ loc: '/a', lastmod: Date.UTC(2024), changefreq: null, priority: 1 }])
  })

  it('may have any namespace, prefix and case', () => {
    for (const root of ['urlset', `urlset ${NAMESPACE}`, 'urlset xmlns="https://example.com/wrong"', 'URLSET']) {
      assert.deepEqual(locsOf(`<${root}><url><loc>/a</loc></url></urlset>`), ['/a'], root)
    }
    assert.deepEqual(locsOf('<sm:urlset xmlns:sm="x"><sm:url><sm:loc>/a</sm:loc></sm:url></sm:urlset>'), ['/a'])
    assert.deepEqual(locsOf('<UrlSet><URL><Loc>/a</lOC></Url></urlSET>'), ['/a'])
  })

  it('has only the locs that are children of a url element', () => {
    const video = '<video:video><video:loc>/3</video:loc><loc>/4</loc></video:video>'
    const page = `<loc>/a</loc><image:image><image:loc>/1</image:loc></image:image><image:loc>/2</image:loc>${video}`
    const other = '<image xmlns="http://www.google.com/schemas/sitemap-image/1.1"><loc>/5</loc></image>'
    const link = '<xhtml:link rel="alternate" hreflang="de" href="/6"/><xhtml:link href="/7"></xhtml:link>'
    assert.deepEqual(
      locsOf(`<urlset><loc>/0</loc><url>${page}${other}${link}<lastmod>2024</lastmod></url><loc>/8</loc></urlset>`),
      ['/a'],
    )
    assert.deepEqual(locsOf(`<urlset><url>${link}${other}${video}<loc>/b</loc></url></urlset>`), ['/b'])
  })

  it('counts pages without a loc', () => {
    const { entries, skipped } = readBothWays(
      '<urlset><url/><url></url><url><loc> </loc></url><url><loc/></url></urlset>',
    )
    assert.deepEqual(entries, [])
    assert.equal(skipped.loc_missing, 4)
  })

  it('skips a loc of 2,048 characters, counted without references and blanks', () => {
    const longest = `/${'&amp;'.repeat(2046)}`
    assert.equal(locsOf(withLoc(`  ${longest}  `))[0]?.length, 2047)
    for (const tooLong of [`${longest}x`, `/${'x'.repeat(100_000)}`, `<![CDATA[${'x'.repeat(20_000)}]]>`]) {
      const { entries, skipped } = readBothWays(
        `<urlset><url><loc>${tooLong}</loc></url><url><loc>/b</loc></url></urlset>`,
      )
      assert.equal(entries.length, 1)
      assert.deepEqual(skipped, { loc_missing: 0, loc_too_long: 1, line_not_url: 0 })
    }
  })
})

describe('a sitemap index', () => {
  it('yields sitemaps', () => {
    const { kind, entries } = readBothWays(
      `<sitemapindex ${NAMESPACE}><sitemap><loc>/a.xml.gz</loc><lastmod>2024-05</lastmod></sitemap></sitemapindex>`,
    )
    assert.equal(kind, 'index')
    assert.deepEqual(entries, [{ loc: '/a.xml.gz', lastmod: Date.UTC(2024, 4), changefreq: null, priority: null }])
  })

  it('has no pages', () => {
    const { kind, entries } = readBothWays(
      '<sitemapindex><url><loc>/a</loc></url><sitemap><loc>/b</loc></sitemap></sitemapindex>',
    )
    assert.equal(kind, 'index')
    assert.deepEqual(
      entries.map((entry) => entry.loc),
      ['/b'],
    )
  })
})

describe('other XML', () => {
  it('is unknown', () => {
    const pages = [
      '<!DOCTYPE html><html><body>/a</body></html>',
      '<svg/>',
      '<root><urlset><url><loc>/a</loc></url></urlset>',
    ]
    for (const page of [...pages, '<!-- only a comment -->', '<?xml version="1.0"?>', '<']) {
      assert.deepEqual({ ...readBothWays(page), skipped: null }, { kind: 'unknown', entries: [], skipped: null })
    }
  })
})

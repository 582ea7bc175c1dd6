import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { locsOf, withLoc } from '../sitemap/testing/read-both-ways.ts'

describe('the text of a loc', () => {
  const LOCS: readonly [content: string, loc: string][] = [
    ['\n\t /a \r\n', '/a'],
    ['<![CDATA[/a]]>', '/a'],
    [' <![CDATA[ /a?x=1&y=<b> ]]> ', '/a?x=1&y=<b>'],
    ['/a<![CDATA[b]]>c<![CDATA[d]]>', '/abcd'],
    ['<![CDATA[/a]]]]><![CDATA[>b]]>', '/a]]>b'],
    ['<![cdata[/a]]>', '/a'],
    ['<![CDATA[]]>/a', '/a'],
    ['/a<!-- not <b> this -- nor --->b', '/ab'],
    ['/a<!---->b', '/ab'],
    ['/a<?php echo "<url>?" ?>b', '/ab'],
    ['/a<b', '/a'],
    ['/a< b', '/a< b'],
    ['/a<1', '/a<1'],
    ['/a>b"c', '/a>b"c'],
  ]
  for (const [content, loc] of LOCS) {
    it(`of ${JSON.stringify(content)} is ${loc}`, () => {
      assert.deepEqual(locsOf(withLoc(content)), [loc])
    })
  }
})

describe('skipped markup', () => {
  const BEFORE: readonly [fact: string, markup: string][] = [
    ['a comment', '<!-- <url><loc>/x</loc></url> -->'],
    ['a comment of dashes', '<!------>'],
    ['an instruction', '<?xml-stylesheet href="a>b" type="text/xsl"?>'],
    ['an instruction with tags', '<?php <urlset> ?>'],
    ['a declaration that lacks its question mark', '<?xml version="1.0">'],
    ['a document type', '<!DOCTYPE urlset SYSTEM "http://127.0.0.1/>.dtd">'],
    ['an internal subset', `<!DOCTYPE urlset [ <!ENTITY a "]><html>"> <!ELEMENT loc (#PCDATA)> ] >`],
    ['a subset with a comment', `<!DOCTYPE urlset [ <!-- it's ]> --> <?pi it's ]> ?> ]>`],
    ['a subset with half a comment end', '<!DOCTYPE urlset [ <!--> ]><html> --> ]>'],
    ['an unknown declaration', '<!NOTHING here>'],
    ['half a CDATA mark', '<![CDAT[>'],
    ['bare brackets', '< << <1>'],
  ]
  for (const [fact, markup] of BEFORE) {
    it(`${fact} before the root`, () => {
      assert.deepEqual(locsOf(`${markup}${withLoc('/a')}`), ['/a'])
    })
    it(`${fact} between two pages`, () => {
      const pages = `<url><loc>/a</loc></url>${markup}<url><loc>/b</loc></url>`
      assert.deepEqual(locsOf(`<urlset>${pages}</urlset>`), ['/a', '/b'])
    })
  }

  it('entities of a document type are not expanded', () => {
    const doctype = '<!DOCTYPE urlset [<!ENTITY a "/b"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    assert.deepEqual(locsOf(doctype + withLoc('/&a;&c;')), ['/&a;&c;'])
  })
})

describe('tags', () => {
  it('may have attributes with brackets in their values, and blanks', () => {
    assert.deepEqual(
      locsOf(`<urlset\n xsi:schemaLocation='a > b "' ><url id="1>2" ><loc\n x = 'y/' >/a</loc\n></url ></urlset>`),
      ['/a'],
    )
  })

  it('end where the next one starts', () => {
    assert.deepEqual(locsOf('<urlset><url x="1><loc>/a</loc</url<url><loc>/b</loc></urlset'), ['/a', '/b'])
  })
})

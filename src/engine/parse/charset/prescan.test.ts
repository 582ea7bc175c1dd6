import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHtml } from './decode-html.ts'

// 0xE9 is not valid utf-8, so a page without a declaration is windows-1252.
function declared(html: string): string {
  return decodeHtml(Buffer.from(`${html}\xe9`, 'latin1'), 'text/html').charset
}

const DECLARED: readonly [fact: string, html: string][] = [
  ['a charset attribute', '<meta charset=koi8-r>'],
  ['a quoted one in capitals', '<META CHARSET="KOI8-R">'],
  ['spaces around the equals sign', "<meta charset = 'koi8-r' >"],
  ['a slash for a space', '<meta/charset=koi8-r>'],
  ['an http-equiv with content', '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'],
  ['content before http-equiv', '<meta content="text/html; charset=koi8-r" http-equiv=content-type>'],
  ['a quoted charset inside content', `<meta http-equiv=content-type content="charset='koi8-r' x">`],
  ['content with a false start', '<meta http-equiv=content-type content="charset charset = koi8-r;x">'],
  ['tags before it, with quoted brackets', `<html a=">" b='>'><p x=<meta charset=big5>><meta charset=koi8-r>`],
  ['a comment before it', '<!-- <meta charset=big5> --><meta charset=koi8-r>'],
  ['a comment that ends at once', '<!--><meta charset=koi8-r>'],
  ['a doctype and an instruction before it', '<!doctype html "<meta charset=big5"><?x y><meta charset=koi8-r>'],
  ['an end tag with attributes before it', '</p a=">"><meta charset=koi8-r>'],
  ['a bad one before it', '<meta charset=nonsense><meta charset=koi8-r>'],
  ['the first of two charset attributes', '<meta charset=koi8-r charset=big5>'],
  ['charset over content', '<meta charset=koi8-r content="charset=big5" http-equiv=content-type>'],
  ['an attribute that begins with an equals sign', '<meta =x charset=koi8-r>'],
  ['a stray bracket before it', '< <3 <meta charset=koi8-r>'],
  ['an XML declaration', '<?xml version="1.0" encoding="koi8-r"?><p>'],
  ['an XML declaration in single quotes', "<?xml encoding = 'koi8-r'?><p>"],
  ['a meta over an XML declaration', '<?xml encoding="big5"?><meta charset=koi8-r>'],
]

for (const [fact, html] of DECLARED) {
  test(`the prescan finds ${fact}`, () => assert.equal(declared(html), 'koi8-r'))
}

const UNDECLARED: readonly [fact: string, html: string][] = [
  ['content without http-equiv', '<meta content="text/html; charset=koi8-r">'],
  ['content with another http-equiv', '<meta http-equiv=refresh content="charset=koi8-r">'],
  ['an unknown charset with good content', '<meta charset=x http-equiv=content-type content="charset=koi8-r">'],
  ['a comment', '<!-- <meta charset=koi8-r>'],
  ['an attribute value', '<p a="<meta charset=koi8-r>">'],
  ['a longer tag name', '<metax charset=koi8-r>'],
  ['an unclosed quote', '<meta charset="koi8-r>'],
  ['an unclosed quote in content', `<meta http-equiv=content-type content="charset='koi8-r">`],
  ['an unclosed tag', '<meta charset=koi8-r'],
  ['an XML declaration that is not at the start', ' <?xml encoding="koi8-r"?>'],
  ['nothing', ''],
]

for (const [fact, html] of UNDECLARED) {
  test(`the prescan finds no encoding in ${fact}`, () => assert.equal(declared(html), 'windows-1252'))
}

test('a declaration is read only within the first 1024 bytes', () => {
  const tag = '<meta charset=koi8-r>'
  assert.equal(declared(`${' '.repeat(1024 - tag.length)}${tag}`), 'koi8-r')
  assert.equal(declared(`${' '.repeat(1025 - tag.length)}${tag}`), 'windows-1252')
})

test('utf-16 in a meta element means utf-8, and x-user-defined means windows-1252', () => {
  assert.equal(declared('<meta charset=utf-16>'), 'utf-8')
  assert.equal(declared('<meta charset=utf-16be>'), 'utf-8')
  assert.equal(declared('<?xml encoding="utf-16"?>'), 'utf-8')
  assert.equal(declared('<meta charset=x-user-defined>'), 'windows-1252')
})

test('an XML declaration in utf-16 without a mark is recognised', () => {
  const little = Buffer.from('<?xml version="1.0"?><p>é', 'utf16le')
  assert.equal(decodeHtml(little, '').charset, 'utf-16le')
  assert.equal(decodeHtml(Buffer.from(little).swap16(), '').charset, 'utf-16be')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from './html-reader.ts'
import { readWithTree } from './testing/html-oracle.ts'

type Case = readonly [fact: string, html: string, ...links: string[]]

function linksOf(html: string): string[] {
  return readHtml(html, false).links.map((link) => `${link.kind} ${link.href}`)
}

/** Each expectation is checked against the tree builder as well, so that the table itself cannot be wrong. */
function check(cases: readonly Case[]): void {
  for (const [fact, html, ...links] of cases) {
    test(fact, () => {
      assert.deepEqual(linksOf(html), links)
      assert.deepEqual(readWithTree(html).links, links.toSorted())
    })
  }
}

check([
  ['an a with href is a link', '<a href="/x">t</a>', 'a /x'],
  ['an a without href is not', '<a name="/x">t</a><a>u</a>'],
  ['an empty or valueless href is a link to the page', '<a href=""><a href><a href= >', 'a ', 'a ', 'a '],
  ['an area with href is a link', '<map><area href=/x></map><area>', 'area /x'],
  [
    'an iframe with src is a link and its content is not',
    '<iframe src=/x><a href=/y></iframe><a href=/z>',
    'iframe /x',
    'a /z',
  ],
  ['an iframe without src or with an empty one is not', '<iframe></iframe><iframe src=" "></iframe>'],
  ['a frame in a frameset is a link', '<frameset><frame src=/x><frame></frameset>', 'frame /x'],
  [
    'tag and attribute names are read in any case',
    '<A HREF=/x><AREA Href=/y><IFrame SRC=/z></IFRAME>',
    'a /x',
    'area /y',
    'iframe /z',
  ],
  ['longer names that begin alike are other tags', '<abbr href=/x><areas href=/x><a-b href=/x><a\0 href=/x>'],
  ['attributes with longer names are other attributes', '<a xhref=/x hrefx=/y data-href=/z href\0=/n>'],
])

check([
  [
    'link rel canonical, next, prev and alternate are links',
    '<link rel=canonical href=/c><link rel=next href=/n><link rel=prev href=/p><link rel=alternate href=/a>',
    'link /c',
    'link /n',
    'link /p',
    'link /a',
  ],
  [
    'rel is a list of tokens in any case',
    '<link rel="foo\tNEXT\nbar" href=/n><link rel="nextfoo" href=/x><link rel="foo-next" href=/x>',
    'link /n',
  ],
  [
    'a stylesheet is not a link, alternate or not',
    '<link rel=stylesheet href=/s><link rel="alternate stylesheet" href=/s><link rel=icon href=/i><link href=/n>',
  ],
  [
    'a link element without href or with an empty one is not a link',
    '<link rel=next><link rel=next href=""><link rel=next href="  ">',
  ],
  ['a link element in the body is read', '<body><p><link rel=next href=/n>', 'link /n'],
  ['a meta refresh is a link', '<meta http-equiv=refresh content="0;url=/x">', 'refresh /x'],
  ['a meta refresh is read in any case and order', `<META CONTENT="1; URL='/x'" HTTP-EQUIV=Refresh>`, 'refresh /x'],
  ['a meta refresh without a target is not a link', '<meta http-equiv=refresh content=5><meta http-equiv=refresh>'],
  [
    'another http-equiv is not a link',
    '<meta http-equiv=refreshed content="0;url=/x"><meta name=refresh content="0;url=/x">',
  ],
])

check([
  [
    'values may be quoted, single-quoted or bare',
    `<a href="/x y"><a href='/x"y'><a href=/x'y>`,
    'a /x y',
    'a /x"y',
    "a /x'y",
  ],
  [
    'space may stand around the equals sign',
    '<a href = "/x"><a href\n=\n/y><a\thref\r=\f"/z">',
    'a /x',
    'a /y',
    'a /z',
  ],
  ['a vertical tab is not space', '<a\vhref=/x><a href=/y\v>', 'a /y\v'],
  ['a bare value keeps its slashes', '<a href=/x/><a href=/>', 'a /x/', 'a /'],
  ['slashes between attributes are nothing', '<a/href=/x/class=y><a / href=/y / >', 'a /x/class=y', 'a /y'],
  ['attributes may follow a quote at once', '<a class="x"href="/y"rel="z">', 'a /y'],
  ['the first of equal attributes wins', '<a href=/x href=/y HREF=/z><a class=1 hReF="/p" href>', 'a /x', 'a /p'],
  ['a bracket in a quoted value does not end the tag', `<div title=">" x='>'><a title="a > b" href=/x>`, 'a /x'],
  ['a bracket in a bare value ends the tag', '<a title=a>b href=/x><a href=/y'],
  ['an equals sign may begin a name', '<a ="x" href=/x><a = href=/y><div ="><a href=/z>">', 'a /x', 'a /y', 'a /z'],
  [
    'a second equals sign belongs to the value',
    '<a href==/x><a href="/y"=">"><div a=b=">"><a href=/z>',
    'a =/x',
    'a /y',
    'a /z',
  ],
  ['quotes inside a name are part of it', '<a "href=/x><a h"ref=/y>'],
  ['a tag may hold a bracket as a name', '<a <b href=/x>', 'a /x'],
  ['surrounding space is stripped from an href, inner space is not', '<a href=" \t\n/x y\r\n ">', 'a /x y'],
  ['line ends in a value become line feeds', '<a href="/a\r\nb\rc">', 'a /a\nb\nc'],
  ['NUL in a value becomes U+FFFD', '<a href="/a\0b"><a href=/c\0>', 'a /a\ufffdb', 'a /c\ufffd'],
  ['a tag that the page cuts off does not count', '<a href=/x><a href=/y', 'a /x'],
  ['an unclosed quote takes the rest of the page', '<a href=/x><a href="/y><a href=/z>', 'a /x'],
  ['an end tag may have attributes', '</p title="><a href=/x>"><a href=/y>', 'a /y'],
])

check([
  ['character references are decoded', '<a href="/?a=1&amp;b=2&#38;c&#x3D;3">', 'a /?a=1&b=2&c=3'],
  [
    'a reference without semicolon is decoded unless a name goes on',
    '<a href="?a&lt=1&ltb&lt;&lt"><a href="?a&copy">',
    'a ?a&lt=1&ltb<<',
    'a ?a©',
  ],
  ['plain ampersands stay', '<a href="?a=1&b=2&">', 'a ?a=1&b=2&'],
  ['references that stand for space are stripped too', '<a href="&#32;/x&#10;">', 'a /x'],
  ['references to nothing become U+FFFD', '<a href="&#0;&#xD800;&#x110000;">', 'a \ufffd\ufffd\ufffd'],
  ['numbers of old Windows characters are translated', '<a href="&#128;">', 'a €'],
  ['references are not decoded twice', '<a href="&amp;amp;">', 'a &amp;'],
])

check([
  ['a comment hides its links', '<!-- <a href=/x> --><a href=/y>', 'a /y'],
  ['a comment may end at once', '<!--><a href=/x><!---><a href=/y>-->', 'a /x', 'a /y'],
  ['a comment may end with a bang', '<!-- --!><a href=/x><!----!><a href=/y>', 'a /x', 'a /y'],
  ['a bang right at the start does not end a comment', '<!--!><a href=/x>--><!---!><a href=/y>--><a href=/z>', 'a /z'],
  ['a comment needs two dashes to end', '<!-- -> - -> --x> <a href=/x> ---><a href=/y>', 'a /y'],
  ['a comment inside a comment does not nest', '<!-- <!-- --><a href=/x><!-- <!--><a href=/y>', 'a /x', 'a /y'],
  ['an unclosed comment takes the rest of the page', '<a href=/x><!-- <a href=/y>', 'a /x'],
  [
    'other declarations end at the first bracket',
    '<!x "><a href=/x><?php "><a href=/y></ "><a href=/z><!>',
    'a /x',
    'a /y',
    'a /z',
  ],
  ['a doctype ends at the first bracket', '<!DOCTYPE html PUBLIC "><a href=/x>', 'a /x'],
  ['an empty end tag is nothing', '</><a href=/x>', 'a /x'],
  ['CDATA in HTML is a comment that ends at a bracket', '<![CDATA[ > <a href=/x> ]]>', 'a /x'],
  ['a bracket that opens nothing is text', '< a href=/x> <3 <= << <<a href=/y>', 'a /y'],
])

check([
  ['a script hides its links', '<script>"<a href=/x>"</script><a href=/y>', 'a /y'],
  [
    'the end of a script may have space, slash and attributes',
    '<script></scriptx></script\n a=">" /><a href=/y>',
    'a /y',
  ],
  ['a script in a comment mark still ends', '<script><!-- </script><a href=/x>', 'a /x'],
  [
    'a script tag inside the mark hides the next end',
    '<script><!-- <script> </script><a href=/x> </script><a href=/y>',
    'a /y',
  ],
  ['the mark may end and the script goes on', '<script><!-- <script> --> </script><a href=/x>', 'a /x'],
  ['the mark may open and end at once', '<script><!--><script></script><a href=/x>', 'a /x'],
  ['a longer name does not hide the next end', '<script><!-- <scripts> </script><a href=/x>', 'a /x'],
  ['a self-closing script is not closed', '<script src=x/><a href=/x></script><a href=/y>', 'a /y'],
  [
    'style, xmp, noembed, noframes and textarea hide their links',
    '<style><a href=/x></style><xmp><a href=/x></xmp><noembed><a href=/x></noembed><noframes><a href=/x></noframes><textarea><a href=/x></textarea><a href=/y>',
    'a /y',
  ],
  ['a title hides its links', '<title><a href=/x></title><a href=/y>', 'a /y'],
  ['raw text ends only at its own end tag', '<style></script></styles></ style></style ><a href=/y>', 'a /y'],
  ['a comment mark in raw text is nothing', '<style><!--</style><a href=/y>-->', 'a /y'],
  ['unclosed raw text takes the rest of the page', '<a href=/x><textarea><a href=/y></text', 'a /x'],
  ['plaintext never ends', '<a href=/x><plaintext><a href=/y></plaintext><a href=/z>', 'a /x'],
  [
    'noscript is read',
    '<noscript><a href=/x></noscript><head><noscript><link rel=next href=/y></noscript>',
    'a /x',
    'link /y',
  ],
])

check([
  ['a template hides its links', '<template><a href=/x><link rel=next href=/x></template><a href=/y>', 'a /y'],
  [
    'a shadow root shows its links, and its templates hide theirs',
    '<x-a><template shadowrootmode=open><a href=/x><template><a href=/1></template><a href=/y></template></x-a><a href=/z>',
    'a /x',
    'a /y',
    'a /z',
  ],
  [
    'a shadow root inside a shadow root',
    '<template shadowrootmode=closed><template ShadowRootMode=OPEN><a href=/x></template></template>',
    'a /x',
  ],
  [
    'a shadow root inside a template is hidden',
    '<template><template shadowrootmode=open><a href=/x></template></template><a href=/y>',
    'a /y',
  ],
  [
    'a template with another mode is a template',
    '<template shadowrootmode=no><a href=/x></template><a href=/y>',
    'a /y',
  ],
  ['templates nest', '<template><template></template><a href=/x></template><a href=/y>', 'a /y'],
  [
    'a stray template end is nothing',
    '</template><a href=/x><template></template></template><a href=/y>',
    'a /x',
    'a /y',
  ],
  ['an unclosed template takes the rest of the page', '<a href=/x><template/><a href=/y>', 'a /x'],
  [
    'a template end inside raw text does not count',
    '<template><script></template></script><a href=/x></template><a href=/y>',
    'a /y',
  ],
  [
    'a template end closes the SVG inside it',
    '<template><svg><g></template><style><a href=/x></style><a href=/y>',
    'a /y',
  ],
])

check([
  [
    'an SVG a is a link by href or xlink:href',
    '<svg><a href=/x><a xlink:href=/y><a href=/z xlink:href=/n>',
    'a /x',
    'a /y',
    'a /z',
  ],
  ['xlink:href means nothing in HTML', '<a xlink:href=/x>'],
  ['a MathML a is not a link', '<math><a href=/x></math><a href=/y>', 'a /y'],
  [
    'style, script and title of SVG are not raw text',
    '<svg><style><a href=/x></a></style><title><a href=/y></a></title></svg>',
    'a /x',
    'a /y',
  ],
  [
    'iframe, area, link and base of SVG are nothing',
    '<svg><iframe src=/x><area href=/x><link rel=next href=/x><base href=/x></svg>',
  ],
  ['a template in SVG is a plain element', '<svg><template><a href=/x></template></svg><a href=/y>', 'a /x', 'a /y'],
  ['CDATA in SVG is text', '<svg><![CDATA[<a href=/x>]]><a href=/y></svg>', 'a /y'],
  ['unclosed CDATA takes the rest of the page', '<a href=/x><svg><![CDATA[<a href=/y>', 'a /x'],
  ['CDATA after the SVG is a comment', '<svg></svg><![CDATA[><a href=/x>]]>', 'a /x'],
  ['a self-closed SVG is closed', '<svg/><style><a href=/x></style><a href=/y>', 'a /y'],
  ['a bare slash value does not close an SVG', '<svg a=/><style><a href=/x></style>', 'a /x'],
  ['an HTML tag leaves the SVG', '<svg><g><p><style><a href=/x></style><a href=/y>', 'a /y'],
  [
    'a font leaves the SVG only with a colour, face or size',
    '<svg><font><style><a href=/x></style></font><font size=1><style><a href=/y></style>',
    'a /x',
  ],
  ['the end of a paragraph leaves the SVG', '<svg></p><style><a href=/x></style>'],
  [
    'the end of an element around the SVG leaves it',
    '<div><svg><g></div><style><a href=/x></style><a href=/y>',
    'a /y',
  ],
  ['the end of an element that is not open does not', '<div></div><svg></div><style><a href=/x></style>', 'a /x'],
  ['a stray end tag in SVG is nothing', '<svg></g></path><style><a href=/x></style>', 'a /x'],
  [
    'foreignObject holds HTML',
    '<svg><foreignObject><style><a href=/x></style><iframe src=/y></iframe></foreignObject><style><a href=/z></style>',
    'iframe /y',
    'a /z',
  ],
  [
    'HTML left open in foreignObject keeps it open',
    '<svg><foreignObject><div></foreignObject></svg><style><a href=/x></style><a href=/y>',
    'a /y',
  ],
  [
    'a new paragraph or list item closes the one before it',
    '<svg><desc><p>1<p>2</p><ul><li>3<li>4</ul></desc><style><a href=/x></style>',
    'a /x',
  ],
  ['MathML text holds HTML', '<math><mi><style><a href=/x></style></mi><style><a href=/y></style>'],
  [
    'annotation-xml holds HTML when it says so',
    '<math><annotation-xml encoding=Text/HTML><a href=/x></a></annotation-xml><annotation-xml><a href=/y>',
    'a /x',
  ],
  ['annotation-xml holds SVG', '<math><annotation-xml><svg><a href=/x></svg></annotation-xml></math>', 'a /x'],
])

check([
  [
    'links in tables are links wherever they land',
    '<table><a href=/1><tr><a href=/2><td><a href=/3></table>',
    'a /1',
    'a /2',
    'a /3',
  ],
  [
    'misnested anchors are one link each',
    '<a href=/1><p><a href=/2><div></a></div><b><a href=/3></b>',
    'a /1',
    'a /2',
    'a /3',
  ],
  ['links after the end of the body are links', '</body></html><a href=/x>', 'a /x'],
  ['a frame outside a frameset is nothing', '<frame src=/x><body><frame src=/y>'],
  [
    'only frames count in a frameset',
    '<head><link rel=next href=/n></head><frameset><a href=/x><frameset><frame src=/1></frameset><script><frame src=/2></script><noframes><frame src=/x></noframes></frameset><frame src=/x>',
    'link /n',
    'frame /1',
    'frame /2',
  ],
  [
    'a frameset replaces a body without content',
    '<link rel=next href=/n><div><a href=/x></a> <frameset><frame src=/f>',
    'link /n',
    'frame /f',
  ],
  ['a frameset in a body with content is nothing', '<body><frameset><frame src=/f></frameset><a href=/x>', 'a /x'],
  ['text before a frameset makes it nothing', 'x<frameset><frame src=/f></frameset><a href=/x>', 'a /x'],
])

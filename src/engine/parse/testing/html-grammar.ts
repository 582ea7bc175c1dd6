import fc from 'fast-check'

// Generates random pages from the fragments that go wrong in practice: odd quoting, raw text, comments, unclosed tags.
// Left out, because only a tree builder knows the answer, or because parse5 and browsers differ:
// - select: parse5 still drops its content, browsers since 2025 and the reader keep it;
// - CDATA directly inside desc, mi and the like: text by the standard and for the reader, a comment for parse5;
// - object and table cells left open in a template: an anchor before them is repeated after the template;
// - an HTML end tag in SVG or MathML that closes nothing there: the reader only estimates what is open outside;
// - elements with SVG names in HTML (the oracle reports them, see mixesNames);
// - base, or an invisible NUL, in a body that a frameset then replaces.

const text = fc.constantFrom(
  'word',
  ' ',
  '\n',
  '\r\n',
  'a<b',
  '< a href=no>',
  '<3',
  '1 > 0',
  '&amp;',
  '&lt;a href=no&gt;',
  '&copy',
  '&notit;',
  '&#x41;',
  '&#0;',
  '&',
  '\0',
  'é',
  '漢字',
  '😀',
)

const value = fc.constantFrom(
  '/x',
  '/y?a=1&b=2',
  '/z?a=1&amp;b=2',
  '/q?a&copy=1',
  '/q?a&copy;1',
  '/q?x&lt',
  '&#47;n',
  '&#x0;',
  '\0',
  ' /spaced ',
  '\n/line\r\nbreak\r',
  '',
  '#',
  'a>b',
  'a<b',
  "it's",
  'say "x"',
  '<a href=/no>',
  '-->',
  '/é',
)

const attributeName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('href', 'HREF', 'hReF', 'src') },
  { weight: 2, arbitrary: fc.constantFrom('rel', 'class', 'xlink:href', '"', '=', "'", 'a\0b', 'é') },
)

const quotedAttribute = fc
  .record({ name: attributeName, value, style: fc.constantFrom('double', 'single', 'bare', 'spaced', 'none') })
  .map(({ name, value, style }) => {
    switch (style) {
      case 'double':
        return `${name}="${value.replaceAll('"', '')}"`
      case 'single':
        return `${name}='${value.replaceAll("'", '')}'`
      case 'spaced':
        return `${name} =\n "${value.replaceAll('"', '')}"`
      case 'bare':
        return `${name}=${value}`
      default:
        return name
    }
  })

const gap = fc.constantFrom(' ', '\n', '\t', '/', ' / ', '\f', '\r', '  ')
const attributes = fc.array(fc.tuple(gap, quotedAttribute), { maxLength: 4 }).map((list) => list.flat().join(''))
const tagEnd = fc.constantFrom('>', '>', '>', ' >', '/>', ' / >', '\n>')

function startTag(name: string): fc.Arbitrary<string> {
  return fc.tuple(attributes, tagEnd).map(([list, end]) => `<${name}${list}${end}`)
}

const linkName = fc.constantFrom('a', 'A', 'area', 'a', 'img', 'abbr', 'b', 'aside')
const openLink = linkName.chain(startTag)
const closedLink = linkName.chain((name) => startTag(name).map((tag) => `${tag}t</${name}>`))
const linkTag = fc.oneof(openLink, closedLink)

const baseTag = startTag('base')
const metaTag = fc.oneof(
  fc
    .tuple(fc.constantFrom('canonical', 'ALTERNATE', 'alternate stylesheet', 'next', 'x prev', 'icon', 'nextx'), value)
    .map(([rel, href]) => `<link rel="${rel}" href='${href.replaceAll("'", '')}'>`),
  fc
    .tuple(
      fc.constantFrom('refresh', 'Refresh', 'refreshx'),
      fc.constantFrom(
        '0;url=/r',
        '5',
        '0; URL = "/r" x',
        "1,'/r",
        '.5 /r',
        'x;url=/r',
        '0;ur=/r',
        '0 url/r',
        ';url=/r',
        '0;',
      ),
    )
    .map(([equiv, content]) => `<meta http-equiv=${equiv} content='${content.replaceAll("'", '&#39;')}'>`),
)

const headTag = fc.oneof(baseTag, metaTag)

const flowName = fc.constantFrom(
  'div',
  'p',
  'b',
  'i',
  'span',
  'ul',
  'li',
  'h1',
  'br',
  'img',
  'form',
  'button',
  'noscript',
  'table',
  'tr',
  'td',
  'th',
  'tbody',
  'caption',
  'font',
  'object',
  'dl',
  'dt',
  'dd',
  'nobr',
  'pre',
  'html',
  'head',
  'body',
  'center',
  'my-tag',
)

const flowTag = flowName.chain(startTag)
const plainTag = fc.constantFrom('div', 'p', 'b', 'ul', 'li', 'table').chain(startTag)
const flowEnd = flowName.map((name) => `</${name}>`)

const comment = fc
  .tuple(
    fc.constantFrom('<!--', '<!-->', '<!--->', '<!', '<?', '</ ', '</>', '<!doctype html '),
    fc.array(
      fc.oneof(fc.constantFrom('--', '-', '!', '>', '<!--', '<!-', '"', ']]>'), text, fc.constant('<a href=/no>')),
      { maxLength: 4 },
    ),
    fc.constantFrom('-->', '-->', '-->', '--!>', '--!>', '--->', '>'),
  )
  .map(([open, body, close]) => open + body.join('') + close)

const rawName = fc.constantFrom('script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes')
const rawPiece = fc.oneof(
  text,
  fc.constantFrom(
    '<!--',
    '-->',
    '<script',
    '<script>',
    '<ScRipt ',
    '</script',
    '</scriptx>',
    '</title ',
    '</style/',
    '--',
    '<!-',
    '<a href=/raw>',
    '<!-->',
    '</',
  ),
)
const rawElement = fc
  .tuple(
    rawName.chain((name) => fc.tuple(fc.constant(name), startTag(name))),
    fc.array(rawPiece, { maxLength: 6 }),
    fc.constantFrom('', ' ', ' x=">"', '/', ' <'),
  )
  .map(([[name, tag], body, end]) => `${tag}${body.join('')}</${name.toUpperCase()}${end}>`)

const template = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.oneof(text, linkTag, plainTag, comment), { maxLength: 4 })
      .map((body) => `<template>${body.join('')}</TEMPLATE >`),
  },
  { weight: 4, arbitrary: fc.constantFrom('</template>', '<template><template></template></template>') },
  { weight: 1, arbitrary: fc.constantFrom('<template/>', '<TEMPLATE class=x>') },
)

const foreignName = fc.constantFrom(
  'svg',
  'g',
  'path',
  'a',
  'title',
  'desc',
  'style',
  'script',
  'foreignObject',
  'math',
  'mi',
  'mo',
  'mglyph',
  'annotation-xml',
  'annotation-xml encoding="text/html"',
  'template',
  'textarea',
  'font',
  'font color=x',
  'text',
)
const foreignTag = foreignName.chain((name) => fc.oneof(startTag(name), fc.constant(`<${name}/>`)))
const foreignEnd = fc
  .constantFrom(
    'svg',
    'g',
    'path',
    'title',
    'desc',
    'style',
    'script',
    'foreignObject',
    'math',
    'mi',
    'annotation-xml',
    'template',
    'p',
    'br',
  )
  .map((name) => `</${name}>`)

const piece = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 6, arbitrary: linkTag },
  { weight: 2, arbitrary: headTag },
  { weight: 2, arbitrary: flowTag },
  { weight: 2, arbitrary: flowEnd },
  { weight: 2, arbitrary: comment },
  { weight: 2, arbitrary: rawElement },
  { weight: 1, arbitrary: template },
)

const cdata = fc
  .array(fc.oneof(text, openLink, fc.constant(']]')), { maxLength: 3 })
  .map((body) => `<g><![CDATA[${body.join('')}]]></g>`)

const foreignPiece = fc.oneof(
  { weight: 2, arbitrary: text },
  { weight: 4, arbitrary: openLink },
  { weight: 1, arbitrary: cdata },
  { weight: 2, arbitrary: headTag },
  { weight: 2, arbitrary: flowTag },
  { weight: 2, arbitrary: comment },
  { weight: 2, arbitrary: rawElement },
  { weight: 6, arbitrary: foreignTag },
  { weight: 4, arbitrary: foreignEnd },
)

const svg = fc
  .tuple(fc.constantFrom('svg', 'math'), fc.array(foreignPiece, { maxLength: 12 }))
  .map(([root, pieces]) => `<${root}>${pieces.join('')}</${root}>`)

const ending = fc.constantFrom(
  '',
  '',
  '<a href=/cut',
  '<a href="/cut>',
  '<!-- <a href=/cut>',
  '<title>end',
  '<script>',
  '<',
  '</',
  '<a',
  '</a ',
  '<plaintext><a href=/no>',
)

export const flatPage = fc
  .tuple(fc.array(piece, { maxLength: 25 }), ending)
  .map(([pieces, end]) => pieces.join('') + end)

export const foreignPage = fc
  .tuple(fc.array(fc.oneof(text, openLink, headTag, flowTag, rawElement, svg, svg), { maxLength: 8 }), ending)
  .map(([pieces, end]) => pieces.join('') + end)

const frameTag = fc.constantFrom(
  '<frameset>',
  '<frameset cols=1,2>',
  '</frameset>',
  '<frame src=/f>',
  '<frame src=/g/>',
  '<noframes><a href=/no></noframes>',
  '<html lang=x>',
  '<head>',
  '</head>',
  '<body>',
  '<p>',
  '<br>',
  '<input>',
  '<input type=HIDDEN>',
  '<div>',
)

export const framePage = fc
  .array(fc.oneof({ weight: 4, arbitrary: frameTag }, fc.constantFrom(' ', '\n', 'x'), openLink, metaTag, comment), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(''))

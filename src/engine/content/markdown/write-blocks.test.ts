import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOfHtml, toMarkdown } from '../page-content.ts'

function markdownOf(html: string): string {
  return toMarkdown(contentOfHtml(`<main>${html}</main>`, 'https://example.com/docs/page.html')).trim()
}

const CASES: [name: string, html: string, markdown: string][] = [
  ['headings and paragraphs', '<h1>A</h1><p>b\n c</p>d<h3>E</h3>', '# A\n\nb c\n\nd\n\n### E'],
  ['emphasis', 'a <b>bold </b>and <em>fine</em>, <s>gone</s>', 'a **bold** and *fine*, ~~gone~~'],
  ['line breaks', '<p>a<br>b</p>', 'a\\\nb'],
  ['absolute links', '<a href="../x?y#z">x</a>', '[x](https://example.com/x?y#z)'],
  ['the base of the page', '<base href="/base/"><a href="x">x</a>', '[x](https://example.com/base/x)'],
  ['links with brackets', '<a href="/a_(b)">x</a>', '[x](<https://example.com/a_(b)>)'],
  [
    'no scripts as links',
    '<a href="javascript:alert(1)">x</a> <img src="data:image/png;base64,AAAA" alt="pic">',
    'x pic',
  ],
  ['images', '<img src="i.png" alt="An [image]">', '![An \\[image\\]](https://example.com/docs/i.png)'],
  ['no marks of headings', '<h2 id=a>A<a class=headerlink href="#a">¶</a></h2>', '## A'],
  [
    'no links of headings to themselves',
    '<h2 id=a><a class=header href="#a">A b</a></h2><h3>C <a href="#n1">1</a></h3>',
    '## A b\n\n### C [1](https://example.com/docs/page.html#n1)',
  ],
  [
    'links of headings to other places',
    '<h3 id=c5><a href="#s5">Chapter 5</a></h3><h3 id="ä b"><a href="#%C3%A4%20b">D</a></h3><section id=e><h3><a href="#e">E</a></h3></section><h3><a name=f href="#f">100%</a></h3>',
    '### [Chapter 5](https://example.com/docs/page.html#s5)\n\n### D\n\n### E\n\n### 100%',
  ],
  ['inline code', '<code>a`b</code> and <code>x  y</code>', '``a`b`` and `x y`'],
  ['linked code', '<code><a href="/x">f()</a></code>', '[`f()`](https://example.com/x)'],
  [
    'code with language',
    '<pre><code class="language-js">let a = 1\n\n  b()</code></pre>',
    '```js\nlet a = 1\n\n  b()\n```',
  ],
  [
    'Sphinx code',
    '<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>',
    '```python3\nx\n```',
  ],
  [
    'no language of the text as that of code',
    `<div class="lang-en"><div><div><div>a<pre>b</pre></div></div></div></div>`,
    'a\n\n```\nb\n```',
  ],
  ['code with fences', '<pre>a\n```\nb</pre>', '````\na\n```\nb\n````'],
  [
    'code without line numbers',
    '<table><tr><td class=linenos><pre>1\n2</pre></td><td><pre><span class=lineno>1 </span>a</pre></td></tr></table>',
    '```\na\n```',
  ],
  [
    'code of Hexo',
    '<figure class="highlight js"><table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>2</span></pre></td><td class=code><pre><span class=line>a()</span><br><span class=line>b()</span><br></pre></td></tr></table></figure>',
    '```js\na()\nb()\n```',
  ],
  [
    'code of Hugo and MkDocs',
    '<div class=highlight><table><tr><td><pre><code><span class=lnt>1\n</span></code></pre></td><td><pre><code class=language-go>a</code></pre></td></tr></table></div><div class="language-cpp highlight"><table><tr><td class=linenos><div class=linenodiv><pre>1</pre></div></td><td><div><pre>b</pre></div></td></tr></table></div>',
    '```go\na\n```\n\n```cpp\nb\n```',
  ],
  [
    'code of VitePress',
    '<p>a <b class=lang>b</b><div class="language-ts vp-adaptive-theme"><button class=copy></button><span class=lang>ts</span><pre class=shiki><code><span class=line>c</span></code></pre></div>',
    'a **b**\n\n```ts\nc\n```',
  ],
  [
    'code of doxygen',
    '<div class=fragment><div class=line><a name=l1></a><span class=lineno>    1</span>&#160;<span class=keyword>int</span> *a;</div><div class=line><span class=lineno> 2</span>   b(a);</div><div class=ttc><div class=ttname>b</div></div></div>',
    '```\nint *a;\n  b(a);\n```',
  ],
  ['text in a switch of languages', '<div class="language-switch"><p class="lang">text</p></div>', 'text'],
  [
    'foldable code of doxygen, and text in fragments',
    '<div class=fragment> <div class=foldopen><div class=line>a {</div><div class=line>}</div></div></div><div class=fragment><p class=line>one</p><p>two</p></div><div class=fragment><div class=line>b</div>c</div>',
    '```\na {\n}\n```\n\none\n\ntwo\n\nb\n\nc',
  ],
  ['lists', '<ul><li>a<li>b</ul><ol start=3><li>c<li>d</ol>', '- a\n- b\n\n3. c\n4. d'],
  ['nested lists', '<ul><li>a<ol><li>b<ul><li>c</ul></ol><li>d</ul>', '- a\n  1. b\n     - c\n- d'],
  ['lists of paragraphs', '<ul><li><p>a<p>b<li><p>c</ul>', '- a\n\n  b\n\n- c'],
  ['quotes', '<blockquote><p>a<p>b</blockquote>', '> a\n>\n> b'],
  ['definitions', '<dl><dt>a<dd>b<dt>c<dd><p>d<p>e</dl>', '- **a**: b\n\n- **c**\n\n  d\n\n  e'],
  ['tables', '<table><tr><th>a<th>b<tr><td>1|2<td>3</table>', '| a | b |\n| --- | --- |\n| 1\\|2 | 3 |'],
  [
    'tables without header',
    '<table><tr><td>a<td>b<tr><td colspan=2>c</table>',
    '|  |  |\n| --- | --- |\n| a | b |\n| c |  |',
  ],
  ['captions', '<table><caption>C</caption><tr><th>a<th>b</table>', 'C\n\n| a | b |\n| --- | --- |'],
  ['tables for layout', '<table><tr><td><h2>A</h2><p>b<td><pre>c</pre></table>', '## A\n\nb\n\n```\nc\n```'],
  ['rules', 'a<hr>b', 'a\n\n---\n\nb'],
  [
    'text that looks like Markdown',
    '<p># a<p>- b<p>1. c<p>*d* [e] &lt;b> snake_case _f_ &amp;amp;',
    '\\# a\n\n\\- b\n\n1\\. c\n\n\\*d\\* \\[e\\] \\<b> snake_case \\_f\\_ \\&amp;',
  ],
  [
    'formulas of KaTeX',
    '<p>If <span class=katex><span class=katex-mathml><math><semantics><msub><mi>e</mi><mn>3</mn></msub><annotation encoding="application/x-tex">e_{3}</annotation></semantics></math></span><span class=katex-html aria-hidden=true>e3</span></span> is',
    'If $e_{3}$ is',
  ],
  [
    'formulas of MathJax',
    '<p>So <script type="math/tex">a_1 * b</script>:<script type="math/tex; mode=display">\\begin{matrix} 1 \\\\\n2 \\end{matrix}</script>',
    'So $a_1 * b$:$$\\begin{matrix} 1 \\\\ 2 \\end{matrix}$$',
  ],
  [
    'formulas of Pandoc and Sphinx',
    '<p>If <span class="math inline">\\(x*y\\)</span>,<div class="math notranslate"><span class=eqno>(1)</span>\\[x &lt; 1\\]</div>end',
    'If $x*y$,\n\n$$x < 1$$\n\nend',
  ],
  [
    'formulas of MediaWiki',
    '<p>See <span><span style="display: none;"><math alttext="{\\displaystyle x^{2}}"><semantics><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle x^{2}}</annotation></semantics></math></span><img src=f.svg aria-hidden=true alt="{\\displaystyle x^{2}}"></span>.',
    'See $x^{2}$.',
  ],
  [
    'formulas whose braces do not match, whole',
    '<p><script type="math/tex">{\\displaystyle a}={b}</script>, <script type="math/tex">{\\displaystyle  \\{a\\}}</script>',
    '\u0024{\\displaystyle a}={b}$, $\\{a\\}$',
  ],
  [
    'no markup from formulas',
    '<p><script type="math/tex">$ [click](javascript:alert(1)) <img src=x onerror=alert(1)> $</script>, <script type="math/tex">a<b</s>[x](javascript:y) \\$</script>, <script type="math/tex">`</script> <code>&lt;b></code> <script type="math/tex">a\\ </script>',
    '$ \\[click\\](javascript:alert(1)) \\<img src=x onerror=alert(1)> $, $a< b< /s>[x] (javascript:y) \\$$, \\` `<b>` a\\\\',
  ],
  [
    'formulas without comments',
    '<p><script type="math/tex">a=b+%\n  c+d\\\\% e\n+ 5\\% % f</script>',
    '$a=b+ c+d\\\\ + 5\\%$',
  ],
  [
    'several formulas in one element as text',
    '<p class=math>\\(a\\) and then \\(b\\)</p><p class=math>\\[a \\\\[2pt] \\text{if \\(b\\)}\\]',
    '\\\\(a\\\\) and then \\\\(b\\\\)\n\n$$a \\\\[2pt] \\text{if \\(b\\)}$$',
  ],
  [
    'formulas of LaTeXML, and no descriptions of formulas',
    '<p><math class=ltx_Math alttext="x+1"><mi>x</mi></math>, <math alttext="$x^2$"><mi>x</mi></math>, <math alttext="formula"><mi>π</mi></math>',
    '$x+1$, $x^2$, π',
  ],
  [
    'formulas of MathJax once, and no empty ones',
    '<p>a <span class=MathJax_Preview>x2</span><script type="math/tex">x^2</script><script type="math/tex"></script> b',
    'a $x^2$ b',
  ],
  ['formulas without a source', '<math><mi>x</mi><mo>+</mo><annotation encoding=other>{x}</annotation></math>', 'x+'],
  ['blocks inside inline elements', '<b><div>a</div><p>b</p></b><a href="#h"><h2>c</h2></a>', 'a\n\nb\n\n## c'],
  [
    'the link of a card on its heading',
    '<a href=/x><div>News</div><h3>Title</h3><p>b</p></a><a href=/y><img src=i.png><div>c<br>d</div><p>e</p></a>',
    'News\n\n### [Title](https://example.com/x)\n\nb\n\n![](https://example.com/docs/i.png)\n\nc\\\nd\n\n[e](https://example.com/y)',
  ],
  [
    'links around blocks',
    '1<a href="/x"><div><img src=i.png alt=i></div><h2>a</h2><p>b</p></a><p>c',
    '1\n\n![i](https://example.com/docs/i.png)\n\n## [a](https://example.com/x)\n\nb\n\nc',
  ],
]

for (const [name, html, markdown] of CASES) {
  test(`Markdown has ${name}`, () => {
    assert.equal(markdownOf(html), markdown)
  })
}

test('hostile pages take bounded time and space', () => {
  // Large enough that quadratic time would be far beyond the limit.
  const many = 100_000
  const hostile = [
    '<ul><li>'.repeat(250),
    `${'<blockquote>'.repeat(400)}${'x<br>'.repeat(many)}`,
    `<b>`.repeat(400) + 'word '.repeat(100_000),
    `<p>${'['.repeat(200_000)}`,
    `<a href=x>${'['.repeat(200_000)}</a>`,
    `<p>${'- '.repeat(100_000)}`,
    `<pre>${' '.repeat(400_000)}x</pre>`,
    `<pre>${'`'.repeat(200_000)}</pre>`,
    '<br>'.repeat(40_000),
    `<h2>${'<a href=#x>y</a>'.repeat(90_000)}`,
    `<div class=math>\\(${'x'.repeat(many)}`.repeat(30),
    `<script type="math/tex">{\\displaystyle${' '.repeat(many)}</script>`,
    `<script type="math/tex">${'%'.repeat(many)}</script><script type="math/tex">${'\\'.repeat(many)}</script>`,
    `<script type="math/tex">${'{'.repeat(many)}${'['.repeat(many)}</script><p class=math>\\(${'\\'.repeat(many)}\\)`,
    `<div class=language-js>${'<p class=lang>x'.repeat(many)}`,
    `${'<div class="fragment foldopen">'.repeat(400)}${'<div class=line>x</div>'.repeat(many)}`,
    `${'<a href=x><table><tr><td>'.repeat(100)}${'<p>'.repeat(10)}${'<hr>'.repeat(many)}`,
    `${'<article><header>'.repeat(200)}<h2>x</h2>${'<a href=x>y</a>'.repeat(many)}`,
    `${'<div class=fragment><div class=line>'.repeat(200)}${' '.repeat(many)}`,
    `${'<math>'.repeat(200)}${'<mi>x</mi>'.repeat(40_000)}`,
    `<base href="https://e.com/${'a'.repeat(2000)}/">${'<a href=x>y</a>'.repeat(90_000)}`,
    `<table>${'<tr><td>a<td>b'.repeat(10_000)}</table>`,
    `<table><tr>${'<td>a'.repeat(many / 5)}${'<tr><td>b'.repeat(10_000)}</table>`,
    `<table><tr><td colspan=1000000>a<td>b</table>`,
    `${'<table><tr><td>'.repeat(120)}x`,
    `<div class="${'nav '.repeat(20_000)}">x</div>`,
    '<div>'.repeat(20_000),
    `<dl>${'<dt>a<dd>b'.repeat(16_000)}</dl>`,
  ]
  for (const html of hostile) {
    const before = process.cpuUsage()
    const markdown = markdownOf(html)
    const { user } = process.cpuUsage(before)
    assert.ok(markdown.length < 16 << 20, `${html.slice(0, 40)}: ${markdown.length} characters`)
    assert.ok(user < 10_000_000, `${html.slice(0, 40)}: ${user / 1000} ms`)
  }
})

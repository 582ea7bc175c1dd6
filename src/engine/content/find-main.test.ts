import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOfHtml, toMarkdown } from './page-content.ts'

const PARAGRAPH = 'The quick brown fox jumps over the lazy dog, and the dog does not mind at all. '.repeat(4)
const MENU = '<ul><li><a href=/a>Alpha</a></li><li><a href=/b>Beta</a></li><li><a href=/c>Gamma</a></li></ul>'

function markdownOf(html: string): string {
  return toMarkdown(contentOfHtml(html, 'https://example.com/docs/page.html'))
}

test('what the page marks as its main content is found', () => {
  for (const [open, close] of [
    ['<main>', '</main>'],
    ['<div role=main>', '</div>'],
  ]) {
    const text = markdownOf(
      `<div>Before ${PARAGRAPH}</div>${open}<h1>Title</h1><p>${PARAGRAPH}</p>${close}<div>After</div>`,
    )
    assert.ok(text.startsWith('# Title\n\nThe quick brown'), text)
    assert.ok(!text.includes('Before') && !text.includes('After'))
  }
})

test('a mark around a banner is ignored', () => {
  const text = markdownOf(`<main>Hello</main><div><p>${PARAGRAPH}</p></div>`)
  assert.ok(text.includes('quick brown fox'))
})

test('the only article is the content, several are not', () => {
  const page = (articles: string) => markdownOf(`<div><b>Site</b></div>${articles}<div>Weather</div>`)
  assert.ok(!page(`<article><p>${PARAGRAPH}</p></article>`).includes('Weather'))
  assert.ok(page(`<article>One</article><article>Two</article>`).includes('Two'))
})

test('navigation is left out by tag, role and name', () => {
  const parts = [
    `<nav>${MENU}</nav>`,
    `<div role=navigation>${MENU}</div>`,
    `<div class="sphinxsidebar">${MENU}</div>`,
    `<div id="mainMenu">${MENU}</div>`,
    `<table class=navheader><tr><td><a href=p>Alpha</a></td></tr></table>`,
    `<footer>Alpha</footer>`,
    `<div hidden>Alpha</div>`,
    `<div style="color: red; display:none">Alpha</div>`,
    `<aside>${MENU}</aside>`,
  ]
  for (const part of parts) {
    for (const html of [`${part}<h1>T</h1><p>${PARAGRAPH}</p>`, `<h1>T</h1><p>${PARAGRAPH}</p>${part}`]) {
      const text = markdownOf(html)
      assert.ok(!text.includes('Alpha') && text.includes('# T'), part)
    }
  }
})

test('a note, a sidebar with text and a list of links inside the content stay', () => {
  const text = markdownOf(
    `<h1>T</h1><p>${PARAGRAPH}</p><aside>Mind the gap.</aside><div class=sidebar><p>${PARAGRAPH}Box</p></div>
     <h2>Contents</h2>${MENU}<p>End</p>`,
  )
  for (const part of ['Mind the gap', 'Box', '[Alpha](https://example.com/a)']) assert.ok(text.includes(part), part)
})

test('links to the next and previous page at the edges are left out', () => {
  const edge = '<p><a href=1>Previous</a> | <a href=2>Next</a></p>'
  const text = markdownOf(`<div>${edge}<h1>T</h1><p>${PARAGRAPH}</p>${edge}</div>`)
  assert.ok(!text.includes('Previous') && !text.includes('Next'), text)
})

test('the content is found without any mark', () => {
  const text = markdownOf(
    `<table><tr><td><b>Site</b> ${MENU}</td><td><div><h2>Part</h2><p>${PARAGRAPH}</p><p>${PARAGRAPH}</p></div></td></tr></table>`,
  )
  assert.ok(text.startsWith('## Part'), text)
})

test('the title of the page is kept if it is outside the content', () => {
  const text = markdownOf(`<header><h1>Title</h1>${MENU}</header><main><p>${PARAGRAPH}</p></main>`)
  assert.ok(text.startsWith('# Title\n\nThe quick'), text)
})

test('the headings in a list of articles are kept, and links around the title of the page are not', () => {
  const teaser = (level: string) =>
    `<article><header><${level}><a href=/p>Post</a></${level}></header><p>${PARAGRAPH}</p></article>`
  for (const level of ['h1', 'h2']) {
    const text = markdownOf(`<main>${teaser(level)}${teaser(level)}</main>`)
    assert.equal(text.match(/# \[Post\]/g)?.length, 2, text)
  }
  const post = markdownOf(`<article><header><h1>Post</h1><a href=/a>Alpha</a></header><p>${PARAGRAPH}</p></article>`)
  assert.ok(post.startsWith('# Post\n\nThe quick'), post)
})

test('links around the heading of an article, and lists of related articles, are left out', () => {
  const article = (heading: string) =>
    `<article><header><div>${heading}<ul><li><a href=/c>Category</a></ul></div><p><a href=/s>Share this post</a></header><p>${PARAGRAPH}</p><aside><h3>Related posts</h3>${MENU}</aside></article>`
  for (const heading of [
    '<h1>Post</h1>',
    '<h1><a href=/p>Post</a></h1>',
    '<a href=/p><h2>Post</h2><p>Teaser</p></a>',
  ]) {
    const text = markdownOf(`<main>${article(heading).repeat(2)}</main>`)
    assert.equal(text.match(/# \[?Post/g)?.length, 2, text)
    assert.equal(text.includes('Teaser'), heading.includes('Teaser'), text)
    for (const part of ['Category', 'Share', 'Related', 'Alpha']) assert.ok(!text.includes(part), `${part}: ${text}`)
  }
})

test('the name of the site is not the title of its pages', () => {
  const page = (href: string) =>
    markdownOf(`<header><h1><a href="${href}">Name</a></h1></header><main><p>${PARAGRAPH}</p></main>`)
  for (const href of ['/', './', 'index.html', '../index.html']) assert.ok(page(href).startsWith('The quick'), href)
  for (const href of ['', '#top', 'page.html', 'https://example.org/']) assert.ok(page(href).startsWith('# '), href)
  const chapter = (title: string) =>
    markdownOf(`<title>${title}</title><h1>Book</h1><main><h2>Start <b>here</b></h2><p>${PARAGRAPH}</p></main>`)
  assert.ok(chapter('Start here - Book').startsWith('## Start'))
  assert.ok(chapter('Book - Start').startsWith('# Book'))
})

test('a heading with which the title of the page begins is the title', () => {
  const page = (url: string, html: string) =>
    toMarkdown(contentOfHtml(`${html}<p>${PARAGRAPH}</p></main>`, `https://example.com${url}`)).slice(0, 40)
  const main = '<h1>Introduction to Fubar</h1><main><h2>Introduction</h2>'
  assert.match(page('/a', `<title>Introduction to Fubar - Docs</title>${main}`), /^# Introduction to Fubar\n/)
  const book = '<title>Bookkeeping - Book</title><h1>Book</h1><main><h2>Bookkeeping</h2>'
  assert.match(page('/a', book), /^## Bookkeeping\n/)
  const post = '<header><h1><a href="https://example.com/post/">My post</a></h1></header><main>'
  assert.match(page('/post/?print=1', post), /^# /)
  assert.match(page('/post/comment-page-2/', `<title>My post - Page 2</title>${post}`), /^# /)
  assert.match(page('/post/comment-page-2/', `<title>Comments</title>${post}`), /^The/)
  assert.match(page('/a', '<title>Site - Page</title><h1><a href="/">Site</a></h1><main>'), /^The/)
})

test('a page that is all boilerplate by its names is content', () => {
  assert.ok(markdownOf(`<nav>${MENU}</nav><div class=footer>End</div>`).includes('Alpha'))
  assert.ok(markdownOf(`<div class=footer><p>${PARAGRAPH}</p></div>`).includes('quick brown'))
})

test('marked content in an element named after the search is content, even next to a long menu', () => {
  const contents = `<ul>${'<li><a href=#a>Section</a></li>'.repeat(20)}</ul>`
  const text = markdownOf(
    `<nav>${MENU.repeat(40)}</nav><main><div class=search-results>${contents}<p>${PARAGRAPH}</p></div></main>`,
  )
  assert.ok(text.includes('quick brown') && !text.includes('Alpha'), text)
})

test('pages without content give none', () => {
  for (const html of ['', '<script>1</script>', '<frameset><frame src=a></frameset>']) {
    assert.equal(markdownOf(html).trim(), '')
  }
})

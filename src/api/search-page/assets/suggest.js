// Suggestions under the search box, and "/" to focus it. The page works without this script.

const input = document.querySelector('input[type=search]')
const list = document.querySelector('.suggestions')
const WAIT_MS = 120
let timer = 0
let request = null
/** What the reader typed, while a suggestion is in the box. */
let typed = ''

const options = () => [...list.children]

function close() {
  list.hidden = true
  list.replaceChildren()
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
}

function show(texts) {
  const items = texts.map((text, i) => {
    const item = document.createElement('li')
    item.id = `suggestion-${i}`
    item.role = 'option'
    item.ariaSelected = 'false'
    item.textContent = text
    return item
  })
  list.replaceChildren(...items)
  list.hidden = items.length === 0
  input.setAttribute('aria-expanded', String(items.length > 0))
  input.removeAttribute('aria-activedescendant')
}

function select(index) {
  const items = options()
  for (const [i, item] of items.entries()) item.ariaSelected = String(i === index)
  const chosen = items[index]
  input.value = chosen?.textContent ?? typed
  if (chosen === undefined) input.removeAttribute('aria-activedescendant')
  else input.setAttribute('aria-activedescendant', chosen.id)
}

async function load() {
  request?.abort()
  request = new AbortController()
  const { signal } = request
  if (typed.trim() === '') return close()
  try {
    const response = await fetch(`/search/suggest?q=${encodeURIComponent(typed)}`, { signal })
    if (!response.ok) return close()
    const [, texts] = await response.json()
    if (!signal.aborted && document.activeElement === input) show(texts)
  } catch {
    // Aborted by the next letter, or the server is away: the form works all the same.
    if (!signal.aborted) close()
  }
}

input.addEventListener('input', () => {
  typed = input.value
  clearTimeout(timer)
  timer = setTimeout(load, WAIT_MS)
})

input.addEventListener('keydown', (event) => {
  const items = options()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape' && !list.hidden) {
    input.value = typed
    close()
    event.preventDefault()
  } else if (step !== undefined && items.length > 0) {
    const current = items.findIndex((item) => item.ariaSelected === 'true')
    // One place more than there are suggestions: what was typed.
    const places = items.length + 1
    select(((current + 1 + step + places) % places) - 1)
    event.preventDefault()
  }
})

input.addEventListener('blur', () => {
  clearTimeout(timer)
  request?.abort()
  close()
})

// Before the box loses focus, which closes the list.
list.addEventListener('mousedown', (event) => {
  const item = event.target.closest('li')
  if (item === null) return
  event.preventDefault()
  input.value = item.textContent
  input.form.requestSubmit()
})

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select') !== null
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
  input.select()
})

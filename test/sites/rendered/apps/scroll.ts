// A list that loads more items whenever its end comes into view.

const BATCH = 6
const list = document.getElementById('list')
const end = document.getElementById('end')
let next = 1

const observer = new IntersectionObserver(async ([entry]) => {
  if (!entry?.isIntersecting || list === null || end === null) return
  const items = (await (await fetch(`/api/list?from=${next}&count=${BATCH}`)).json()) as number[]
  next += items.length
  for (const item of items) {
    const link = document.createElement('a')
    link.href = `/item/${item}`
    link.textContent = `Item ${item}`
    link.style.cssText = 'display: block; height: 300px'
    list.append(link)
  }
  observer.unobserve(end)
  if (items.length > 0) observer.observe(end)
})
if (end !== null) observer.observe(end)

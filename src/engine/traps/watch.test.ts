import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PatternReport, PatternState } from '../../ports/patterns.ts'
import type { Pattern } from './pattern.ts'
import { TrapWatch } from './watch.ts'
import { makeWriter } from './watch.words.ts'

const HOST = 'a.example'
const write = makeWriter(7)

function visit(watch: TrapWatch, path: string, text: string, links: string[] = []): void {
  const found = links.map((link) => ({ url: `https://${HOST}${link}`, host: HOST, isSuspect: false }))
  watch.record({ url: `https://${HOST}${path}`, host: HOST, text, found })
}

/** Enough of a good site that its patterns are not all there is. */
function goodSite(onCapped?: (pattern: Pattern) => void): TrapWatch {
  const watch = new TrapWatch(onCapped)
  for (let i = 0; i < 40; i++) visit(watch, `/news/${i}`, write.paragraph(), [`/news/${i + 1}`])
  return watch
}

function judge(watch: TrapWatch, path: string): string | null {
  return watch.judge(`https://${HOST}${path}`, HOST)
}

function isSuspect(watch: TrapWatch, path: string): boolean {
  return watch.isSuspect(`https://${HOST}${path}`, HOST)
}

/** Visits empty months until something changes. */
function enterCalendar(watch: TrapWatch, isDone: (next: string) => boolean): number {
  for (let month = 1; month < 100; month++) {
    const next = `/calendar/${month + 1}`
    if (isDone(`/calendar/${month}`)) return month - 1
    visit(watch, `/calendar/${month}`, `Month ${month}\nNo events`, [next])
  }
  return 100
}

describe('a pattern that brings nothing', () => {
  it('is slowed first', () => {
    const watch = goodSite()
    const months = enterCalendar(watch, (next) => isSuspect(watch, next))
    assert.ok(months >= 3 && months <= 6, `${months} months`)
    assert.equal(judge(watch, '/calendar/77'), null)
    assert.equal(isSuspect(watch, '/news/77'), false)
  })

  it('is capped then, and nothing else is', () => {
    const watch = goodSite()
    const months = enterCalendar(watch, (next) => judge(watch, next) !== null)
    assert.ok(months >= 6 && months <= 12, `${months} months`)
    assert.equal(judge(watch, '/calendar/1234'), 'a.example/calendar/N')
    assert.equal(judge(watch, '/calendar/new'), null)
    assert.equal(judge(watch, '/news/77'), null)
    assert.equal(watch.judge('https://b.example/calendar/1', 'b.example'), null)
  })

  it('recovers when it brings something while it is slowed', () => {
    const watch = goodSite()
    enterCalendar(watch, (next) => isSuspect(watch, next))
    visit(watch, '/calendar/50', write.paragraph(), ['/calendar/51'])
    visit(watch, '/calendar/51', write.paragraph(), ['/calendar/52'])
    assert.equal(isSuspect(watch, '/calendar/52'), false)
  })

  it('is not capped while it leads elsewhere', () => {
    const watch = goodSite()
    for (let i = 0; i < 400; i++) {
      visit(watch, `/list/${i}`, `List ${i}`, [`/list/${i + 1}`, `/item?id=${i}`])
      visit(watch, `/item?id=${i}`, write.paragraph())
    }
    assert.equal(judge(watch, '/list/400'), null)
  })

  it('is only slowed where it is the whole site', () => {
    const watch = new TrapWatch()
    for (let i = 0; i < 500; i++) visit(watch, `/page/${i}`, `Page ${i}`, [`/page/${i + 1}`])
    assert.equal(isSuspect(watch, '/page/500'), true)
    assert.equal(judge(watch, '/page/500'), null)
  })
})

describe('a coarse pattern', () => {
  it('is capped when every page has a fine one of its own, but not for what is proven', () => {
    const watch = goodSite()
    for (let i = 0; i < 20; i++) visit(watch, `/shop?id=${i}`, write.paragraph(), [`/shop?id=${i + 1}`])
    for (let i = 0; i < 60; i++) {
      const name = String.fromCharCode(97 + (i % 26), 97 + i / 26)
      visit(watch, `/shop?${name}=1`, 'Our products', [`/shop?${name}=1&more=1`])
    }
    assert.equal(judge(watch, '/shop?unheard=1'), 'a.example/shop?*')
    assert.equal(judge(watch, '/shop?id=77'), null)
  })
})

describe('a host', () => {
  it('is capped when page after page brings nothing, each of a pattern of its own', () => {
    const watch = goodSite()
    for (let i = 0; i < 200; i++) {
      const name = String.fromCharCode(97 + (i % 26), 97 + i / 26, 97 + (i % 7))
      visit(watch, `/${name}/x`, 'Hello again', [`/${name}y/x`])
    }
    assert.equal(judge(watch, '/unheard/x'), 'a.example/*')
    assert.equal(judge(watch, '/news/77'), null)
  })
})

describe('the text of a page', () => {
  it('is wanted from the second page of a pattern on, and rarely once it is proven', () => {
    const watch = new TrapWatch()
    const wanted: boolean[] = []
    for (let i = 0; i < 200; i++) {
      const url = `https://${HOST}/news/${i}`
      wanted.push(watch.wantsText(url, HOST))
      watch.record({ url, host: HOST, text: wanted.at(-1) ? write.paragraph() : null, found: [] })
    }
    assert.deepEqual(wanted.slice(0, 3), [false, true, true])
    assert.equal(wanted.slice(-80).filter(Boolean).length, 5)
  })
})

describe('what a thread learns', () => {
  const report = (state: PatternState): PatternReport => ({
    pattern: 'a.example/calendar/N',
    state,
    visits: 20,
    fruitless: 18,
  })

  it('is told in counts since the last time', () => {
    const watch = goodSite()
    enterCalendar(watch, (next) => isSuspect(watch, next))
    const first = watch.takeReports().find(({ pattern }) => pattern === 'a.example/calendar/N')
    assert.equal(first?.state, 'slowed')
    enterCalendar(watch, (next) => judge(watch, next) !== null)
    const second = watch.takeReports().find(({ pattern }) => pattern === 'a.example/calendar/N')
    assert.equal(second?.state, 'capped')
    assert.equal((first?.visits ?? 0) + (second?.visits ?? 0), (first?.fruitless ?? 0) + (second?.fruitless ?? 0) + 1)
    assert.deepEqual(watch.takeReports(), [])
  })

  it('is told again after a report that did not count', () => {
    const watch = goodSite()
    enterCalendar(watch, (next) => judge(watch, next) !== null)
    watch.takeReports()
    watch.startOver()
    const again = watch.takeReports()
    assert.deepEqual(again, [{ pattern: 'a.example/calendar/N', state: 'capped', visits: 0, fruitless: 0 }])
  })

  it('is told once to who wants to hear of it, by whoever found it', () => {
    const heard: string[] = []
    const watch = goodSite(({ host, shape }) => heard.push(host + shape))
    watch.learn([{ ...report('capped'), pattern: 'b.example/*' }])
    enterCalendar(watch, () => false)
    assert.deepEqual(heard, ['a.example/calendar/N'])
  })

  it('is what the others know too', () => {
    const watch = new TrapWatch()
    watch.learn([report('capped'), { ...report('capped'), pattern: 'b.example/*' }])
    assert.equal(judge(watch, '/calendar/3'), 'a.example/calendar/N')
    assert.equal(watch.judge('https://b.example/x', 'b.example'), 'b.example/*')
    watch.learn([report('open')])
    assert.equal(judge(watch, '/calendar/3'), 'a.example/calendar/N')
    assert.deepEqual(watch.takeReports(), [])
  })

  it('does not count against a pattern that was released', () => {
    const watch = goodSite()
    enterCalendar(watch, (next) => judge(watch, next) !== null)
    watch.learn([report('released')])
    assert.equal(judge(watch, '/calendar/3'), null)
    assert.equal(
      enterCalendar(watch, (next) => judge(watch, next) !== null || isSuspect(watch, next)),
      100,
    )
  })
})

it('hosts and patterns without end do not make it forget a trap in use', () => {
  const watch = goodSite()
  enterCalendar(watch, (next) => judge(watch, next) !== null)
  for (let i = 0; i < 5000; i++) {
    const host = `${i}.example`
    watch.record({ url: `https://${host}/x/${i}`, host, text: null, found: [] })
    visit(watch, `/${i.toString(36)}x/y`, write.paragraph())
  }
  assert.equal(judge(watch, '/calendar/3'), 'a.example/calendar/N')
})

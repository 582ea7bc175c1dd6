import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sampleSnapshot } from '../testing/sample-snapshot.ts'
import { openLiveView } from './live-view.ts'

class FakeTerminal extends EventEmitter {
  columns = 80
  rows = 24
  writableNeedDrain = false
  writes: string[] = []

  write(text: string | Uint8Array): boolean {
    this.writes.push(String(text))
    return true
  }
}

function openFake() {
  const terminal = new FakeTerminal()
  const clock = { ms: 1000 }
  const view = openLiveView(terminal, { color: false, unicode: true, now: () => clock.ms, minFrameMs: 100 })
  return { terminal, clock, view }
}

test('a frame is a single write that ends where it started', () => {
  const { terminal, view } = openFake()
  view.draw(sampleSnapshot())
  view.close([])
  const frame = terminal.writes[0] ?? ''
  assert.ok(frame.startsWith('\u001b[?2026h\u001b[?25l\u001b[?7l\r'))
  assert.ok(frame.endsWith('\r\u001b[?7h\u001b[?2026l'))
  const breaks = frame.split('\r\n').length - 1
  assert.ok(frame.includes(`\u001b[${breaks}A`))
})

test('frames are drawn at most every 100 ms, and unchanged frames are skipped', () => {
  const { terminal, clock, view } = openFake()
  view.draw(sampleSnapshot())
  clock.ms += 50
  view.draw(sampleSnapshot({ bytes: 1 }))
  assert.equal(terminal.writes.length, 1)
  clock.ms += 50
  view.draw(sampleSnapshot({ bytes: 1 }))
  assert.equal(terminal.writes.length, 2)
  clock.ms += 500
  view.draw(sampleSnapshot({ bytes: 1 }))
  assert.equal(terminal.writes.length, 2)
  view.close([])
})

test('a slow terminal gets no frame until it has caught up', () => {
  const { terminal, view } = openFake()
  terminal.writableNeedDrain = true
  view.draw(sampleSnapshot())
  assert.equal(terminal.writes.length, 0)
  terminal.writableNeedDrain = false
  view.draw(sampleSnapshot())
  assert.equal(terminal.writes.length, 1)
  view.close([])
})

test('a resized window is redrawn immediately at its new width', () => {
  const { terminal, view } = openFake()
  view.draw(sampleSnapshot())
  terminal.columns = 50
  terminal.emit('resize')
  assert.equal(terminal.writes.length, 2)
  assert.match(terminal.writes[1] ?? '', /crawl 7f3c2b9a/)
  assert.ok(terminal.writes[1]?.includes('\u001b[H'), 'wrapped lines are overwritten')
  terminal.columns = 60
  terminal.emit('resize')
  assert.ok(!terminal.writes[2]?.includes('\u001b[H'), 'nothing wraps in a wider window')
  view.close([])
})

test('closing replaces the frame with the last lines, restores the cursor and removes all listeners', () => {
  const exitListeners = process.listenerCount('exit')
  const { terminal, view } = openFake()
  view.draw(sampleSnapshot())
  view.close(['Finished.', 'Bye'])
  view.close(['twice'])
  view.draw(sampleSnapshot({ bytes: 7 }))
  assert.equal(terminal.writes.length, 2)
  assert.equal(terminal.writes[1], '\u001b[?2026h\r\u001b[JFinished.\r\nBye\r\n\u001b[?7h\u001b[?25h\u001b[?2026l')
  assert.equal(terminal.listenerCount('resize'), 0)
  assert.equal(process.listenerCount('exit'), exitListeners)
})

test('the cursor is restored if the program exits in between', () => {
  const at = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))
  const script = `
    const { openLiveView } = await import(${at('./live-view.ts')})
    const { sampleSnapshot } = await import(${at('../testing/sample-snapshot.ts')})
    const options = { color: false, unicode: true, now: Date.now, minFrameMs: 0 }
    openLiveView(process.stdout, options).draw(sampleSnapshot())
    process.exit(3)
  `
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.equal(run.status, 3, run.stderr)
  assert.ok(run.stdout.endsWith('\n\r\u001b[?7h\u001b[?25h'))
})

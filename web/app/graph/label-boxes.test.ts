import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Box, boxesOf, LabelBoxes, overlap } from './label-boxes.ts'

const SIZE = { width: 40, height: 12 }

test('a label takes the first place that is free, and none if there is no room', () => {
  const boxes = new LabelBoxes()
  boxes.reset({ width: 200, height: 100 }, [{ x: 0, y: 0, width: 60, height: 60 }])
  assert.equal(boxes.place(SIZE, [{ x: 10, y: 10 }]), null)
  assert.deepEqual(
    boxes.place(SIZE, [
      { x: 10, y: 10 },
      { x: 70, y: 10 },
    ]),
    { x: 70, y: 10, ...SIZE },
  )
  assert.equal(boxes.place(SIZE, [{ x: 75, y: 12 }]), null)
  assert.equal(
    boxes.place(SIZE, [
      { x: 170, y: 50 },
      { x: -1, y: 80 },
    ]),
    null,
  )
  boxes.reset({ width: 200, height: 100 }, [])
  assert.notEqual(boxes.place(SIZE, [{ x: 10, y: 10 }]), null)
})

test('no two of many labels overlap', () => {
  const boxes = new LabelBoxes()
  boxes.reset({ width: 600, height: 400 }, [])
  const placed: Box[] = []
  for (let i = 0; i < 500; i++) {
    const box = boxes.place({ width: 20 + (i % 7) * 15, height: 12 }, [{ x: (i * 71) % 560, y: (i * 37) % 390 }])
    if (box !== null) placed.push(box)
  }
  assert.ok(placed.length > 40)
  for (const [i, box] of placed.entries()) {
    for (const other of placed.slice(i + 1)) assert.ok(!overlap(box, other))
  }
})

test('the boxes of a circle cover its border and leave its corners free', () => {
  const boxes = boxesOf({ x: 100, y: 100, r: 80 })
  const isCovered = (x: number, y: number) => boxes.some((box) => overlap(box, { x, y, width: 1, height: 1 }))
  for (let angle = 0; angle < 6.3; angle += 0.1) {
    assert.ok(isCovered(100 + 74 * Math.cos(angle), 100 + 74 * Math.sin(angle)), String(angle))
    assert.ok(!isCovered(100 + 100 * Math.cos(angle), 100 + 100 * Math.sin(angle)), String(angle))
  }
  assert.equal(boxesOf({ x: 0, y: 0, r: 5 }).length, 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateHistory, sparkline } from './sparkline.ts'

test('the history has one rate per second for a minute and fills gaps', () => {
  const history = new RateHistory()
  history.add(100, 1)
  history.add(900, 2)
  history.add(3100, 5)
  assert.deepEqual(history.rates, [2, 2, 2, 5])
  for (let second = 4; second < 200; second += 1) history.add(second * 1000, second)
  assert.equal(history.rates.length, 60)
  assert.equal(history.rates.at(-1), 199)
})

test('the peak is the highest rate of a whole second and never falls', () => {
  const history = new RateHistory()
  history.add(100, 50)
  history.add(900, 3)
  assert.equal(history.peak, 0)
  history.add(1000, 1)
  assert.equal(history.peak, 3)
  for (let second = 2; second < 200; second += 1) history.add(second * 1000, 1)
  assert.equal(history.peak, 3)
})

test('a clock that goes back or jumps starts a new history', () => {
  const history = new RateHistory()
  history.add(50_000, 1)
  history.add(2000, 7)
  assert.deepEqual(history.rates, [7])
  history.add(9_000_000, 8)
  assert.deepEqual(history.rates, [8])
})

test('the row fits its space and covers the same minute at every width', () => {
  const rates = Array.from({ length: 60 }, (_, second) => second)
  for (const room of [10, 12, 20, 33, 60, 100]) {
    const spark = sparkline(rates, 59, { room, unicode: true })
    assert.ok(spark.cells <= room)
    assert.equal(spark.text.length, spark.cells)
    assert.ok(spark.text.startsWith('▁') && spark.text.endsWith('█'))
  }
  assert.equal(sparkline(rates, 59, { room: 5, unicode: true }).text, '')
})

test('a bar keeps its height as it moves left', () => {
  const rates = [8, 4, 0, 4, 8, 8]
  const before = sparkline(rates, 5, { room: 30, unicode: true }).text
  const after = sparkline([...rates, 8, 8], 7, { room: 30, unicode: true }).text
  assert.ok(after.startsWith(before))
})

test('an idle crawl has a flat line', () => {
  assert.equal(sparkline([0, 0], 1, { room: 60, unicode: false }).text, '__')
})

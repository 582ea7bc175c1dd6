import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBreaks, toChartColumns } from './chart-data.ts'

test('a line is broken where the server was down', () => {
  const data = { times: [0, 5, 10, 600, 605], columns: [[1, 2, 3, 4, 5]], isStacked: false }
  assert.deepEqual(toChartColumns(data), [
    [0, 5, 10, 305, 600, 605],
    [1, 2, 3, null, 4, 5],
  ])
})

test('samples that were thinned out with age are one line', () => {
  assert.deepEqual(findBreaks([0, 40, 80, 100, 120, 130, 140, 145, 150]), [])
})

test('a delay of a few seconds is no break', () => {
  assert.deepEqual(findBreaks([0, 1, 2, 18, 19]), [])
})

test('stacked columns add up from the last to the first', () => {
  const data = {
    times: [1, 2],
    columns: [
      [1, 1],
      [2, null],
      [4, 4],
    ],
    isStacked: true,
  }
  assert.deepEqual(toChartColumns(data), [
    [1, 2],
    [7, 5],
    [6, 4],
    [4, 4],
  ])
})

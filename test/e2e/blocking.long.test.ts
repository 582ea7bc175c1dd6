// Pages that are a lot of work must not keep a crawl thread from its sockets for long.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { MONSTERS, type Monster } from '../sites/hostile/monsters.ts'
import { largePage, manyLinksPage, nestedPage } from '../sites/hostile/pages.ts'
import { longestBlockMs, onePassMs } from './longest-block.ts'
import { answerWith, openReading, read } from './open-reading.ts'

/** A tag is read and an encoding undone at once, however long they are; each takes no more than a few passes. */
const MAX_PASSES = 8
const MIN_LIMIT_MS = 50

describe('a thread that reads', () => {
  const pages = {
    'a page cut at 10 MiB': { body: largePage },
    'a million nested tags': { body: nestedPage },
    'a hundred thousand links': { body: manyLinksPage },
    ...MONSTERS,
  }
  for (const [name, { body, contentType, contentEncoding }] of Object.entries<Monster>(pages)) {
    it(`${name} turns to other work many times`, async (t) => {
      const bytes = contentEncoding === undefined ? body() : gunzipSync(body())
      const answer = answerWith(bytes, contentType)
      const blocks: number[] = []
      const limitMs = Math.max(MIN_LIMIT_MS, MAX_PASSES * onePassMs(bytes.length))
      // The first time code runs it is slow, and collecting garbage may fall on any turn.
      while (blocks.length < 4 && !blocks.some((ms) => ms < limitMs)) {
        const blockMs = await longestBlockMs(async () => {
          assert.equal((await read(openReading(), answer)).verdict.state, 'visited')
        })
        blocks.push(Math.round(blockMs))
      }
      t.diagnostic(`longest blocks ${blocks.join(', ')} ms of ${Math.round(limitMs)}`)
      assert.ok(Math.min(...blocks) < limitMs, `${blocks}, and may be ${limitMs}`)
    })
  }
})

// A small judged collection: short articles about beekeeping and mountain huts, and questions with the pages that
// answer them. A change of the ranking that loses what people look for fails here, on every index.

import assert from 'node:assert/strict'
import { indexTexts, type TypedQueryCases } from './searched-site.ts'

const TEXTS = {
  swarming:
    'Swarming of honey bees\nIn late spring a strong colony raises a new queen, and the old queen leaves the hive with half of the bees. Beekeepers prevent swarms by giving the colony more room or by splitting it.',
  queen:
    'The queen bee\nA queen lays up to two thousand eggs a day. She is longer than the workers and lives for three to five years.',
  wintering:
    'Wintering bees\nIn winter the colony forms a cluster around its stores of honey. A hive needs about fifteen kilograms of food, a dry place and protection from mice.',
  varroa:
    'Varroa mites\nThe mite lives on bees and their brood. Treatment with formic or oxalic acid after the harvest keeps the number of mites low.',
  harvest:
    'Harvesting honey\nFrames are ripe when most cells are sealed with wax. The honey is spun out in an extractor, strained and left to settle before it is filled into jars.',
  smoker:
    'Using a smoker\nSmoke calms bees, because they expect a fire and fill themselves with honey. A few puffs at the entrance of the hive are enough.',
  stings:
    'Bee stings\nRemove the sting at once by scraping it off. Cool the skin. People with an allergy carry an adrenaline pen and call a doctor.',
  plants:
    'Plants for bees\nLime trees, clover, heather and fruit blossom give nectar. A garden with flowers from March to October feeds wild bees as well.',
  hut: 'Staying in a mountain hut\nReserve a bed in advance in summer. Bring a light sleeping bag liner, cash and ear plugs. Boots stay in the entrance room.',
  weather:
    'Thunderstorms in the mountains\nStorms build up in the afternoon. Leave ridges and summits early, keep away from single trees and metal ropes, and crouch with your feet together.',
  packing:
    'What to pack for a hike\nWater, food, a map, a headlamp, a first aid kit, a warm layer and rain clothes belong into the backpack of every hiker.',
  map: 'Reading a hiking map\nContour lines that are close together mean a steep slope. Compare the map with the terrain at every junction of the path.',
  rescue:
    'Calling mountain rescue\nDial 112, or give six signals a minute with a whistle or lamp. Say where you are, what happened, how many people are hurt.',
  blisters:
    'Blisters while hiking\nTape rubbing spots early. A blister is drained at its edge with a clean needle and covered with a plaster. New boots need some short walks.',
  altitude:
    'Altitude sickness\nHeadache, nausea and poor sleep above 2,500 metres are warnings. Climb slowly, drink enough, and descend if it gets worse.',
  contents:
    'Swarming of honey bees. The queen bee. Wintering bees. Varroa mites. Harvesting honey. Using a smoker. Bee stings. Plants for bees. Staying in a mountain hut. Thunderstorms in the mountains. Calling mountain rescue.',
}

/** Relevant pages by question, the best first. */
const JUDGED: Readonly<Record<string, readonly string[]>> = {
  varroa: ['varroa'],
  'queen bee': ['queen', 'swarming'],
  'why does the old queen leave the hive?': ['swarming'],
  'how much food does a colony need in winter': ['wintering'],
  'getting the honey out of the frames': ['harvest'],
  'what to do when you are stung by a bee (allergy)': ['stings'],
  'which flowers should I plant for wild bees': ['plants'],
  'does smoke harm bees or calm them': ['smoker'],
  'treatment of mites with acid': ['varroa'],
  'lightning on a ridge, thunderstorm in the afternoon': ['weather'],
  'phone number of the mountain rescue': ['rescue'],
  'blister plaster needle boots': ['blisters'],
  'packing list for a hike': ['packing'],
  'headache above 2,500 metres, altitude sickness': ['altitude'],
  'steep slope contour lines': ['map'],
  'do I need a sleeping bag in a hut?': ['hut'],
}

const MIN_RECIPROCAL_RANK = 0.95

export const RELEVANCE_CASES: TypedQueryCases = {
  async 'questions find the pages that answer them first'(testIndex) {
    const { search } = await indexTexts(testIndex, TEXTS, 'en')
    const misses: string[] = []
    let sum = 0
    for (const [question, answers] of Object.entries(JUDGED)) {
      const found = (await search(question)).hits.map(({ title }) => title)
      const rank = found.findIndex((name) => answers.includes(name)) + 1
      sum += rank === 0 ? 0 : 1 / rank
      if (rank !== 1) misses.push(`${question}: rank ${rank}, first ${found[0]}`)
    }
    const mrr = sum / Object.keys(JUDGED).length
    assert.ok(mrr >= MIN_RECIPROCAL_RANK, `MRR ${mrr.toFixed(3)}\n${misses.join('\n')}`)
  },
}

// Generates paragraphs about the subject of an article of the demo site, so that search finds something.

import type { SeededRandom } from '../lib/seeded-random.ts'

const OPENINGS = [
  'Nobody on our street knew much about {s} until the spring we tried it ourselves.',
  'A neighbour once said that {s} ask for patience first and skill second, and we have come to agree.',
  'Most books about {s} begin with a list of things to buy. You need almost none of them.',
  'We have written about {s} before, but never after a season as odd as this one.',
  'There is a shelf in the office with nothing but notes about {s}, and this is what they come to.',
]

const SENTENCES: Record<string, string[]> = {
  Garden: [
    'Dig in a barrow of rotted leaves before the ground gets cold, and leave the rest to the worms.',
    'Water early, at the root, and never by the calendar: a finger in the soil tells more.',
    'Slugs come with the rain, so we go out with a lamp and a jar at dusk.',
    'Prune a little every week instead of everything in one brave afternoon.',
    'Seeds from the year before last still came up, though only four in ten.',
  ],
  Kitchen: [
    'Salt it the night before and let the pot do nothing until morning.',
    'A slow oven forgives; a hot one keeps a record of every mistake.',
    'Keep the water it was boiled in, for it is half of the next soup.',
    'Taste at the start, in the middle and once more after it has cooled.',
    'The crust sings when it leaves the oven, and that is the sign to stop looking at the clock.',
  ],
  Crafts: [
    'Sharpen before you start, not after the first bad cut.',
    'Mark with a knife rather than a pencil, and the saw will find the line by itself.',
    'Oil, a rag and an hour on Sunday keep rust away for a winter.',
    'Measure from one end only, or two small errors will meet in the middle.',
    'A clamp too many is still one too few when the glue begins to slide.',
  ],
  Outdoors: [
    'Leave word where you are going, and turn back while turning back is still easy.',
    'The last train is not a plan; the one before it is.',
    'Wool when it is wet, wind cloth when it blows, and dry socks in a bag of their own.',
    'At the second bridge the path leaves the river, which no map we own will admit.',
    'We counted seven owls and no other person between the station and the ridge.',
  ],
  Reading: [
    'Read the first chapter twice and the last one slowly.',
    'A pencil in the margin is a conversation with whoever owns the book next.',
    'The library lends for three weeks, which is exactly one week too short.',
    'We keep a list of what we gave up on, and it is more honest than the other one.',
    'Some sentences are doors; you only notice the draught afterwards.',
  ],
  Weather: [
    'The pressure fell six points between lunch and tea, and nobody hung the washing out.',
    'Look at the height of the cloud before you look at its shape.',
    'Fog comes in with the tide and stays for its own reasons.',
    'Our record of first frosts goes back to a school notebook of 1931.',
    'Wind from the north for three days is a change of season, whatever the almanac says.',
  ],
}

const CLOSINGS = [
  'If you know a better way with {s}, write to us; the best letters are printed in the archive.',
  'That is all we know about {s} so far. Next year we shall know one thing more.',
  'Try {s} once, badly, before you read another word on it.',
]

export function articleText(section: string, subject: string, seededRandom: SeededRandom): string[] {
  const about = (sentence: string) => sentence.replaceAll('{s}', subject)
  const sentences = shuffled(SENTENCES[section] ?? [], seededRandom)
  const middle = [sentences.slice(0, 2), sentences.slice(2, 3 + seededRandom.below(3))].map((part) => part.join(' '))
  return [about(seededRandom.pick(OPENINGS)), ...middle, about(seededRandom.pick(CLOSINGS))]
}

function shuffled<T>(items: readonly T[], seededRandom: SeededRandom): T[] {
  return items
    .map((item) => ({ item, at: seededRandom.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

// Watches all pages of the store for a word, those archived before included, and prints every hit once:
// node watch-words.mjs apple

import { openStore } from 'orbweaver'

const word = process.argv[2] ?? 'apple'
const store = await openStore()
const { monitors } = store
if (!(await monitors.list()).some(({ name }) => name === word)) {
  await monitors.add({ name: word, rule: { kind: 'words', words: [word] } })
  await monitors.scan(word)
}
for await (const { hitId, url, summary } of monitors.hits({ monitorId: word, isOpen: true })) {
  console.log(`${url}: ${summary}`)
  await monitors.acknowledge([hitId])
}
await store.close()

// `npm run texts`: prints every text that users may read, by file, for proof-reading.

import { readWords } from './source.ts'

let shown = ''
for (const { file, line, text } of readWords().texts) {
  if (file !== shown) console.log(`\n${file}`)
  shown = file
  console.log(`${String(line).padStart(5)}  ${text}`)
}

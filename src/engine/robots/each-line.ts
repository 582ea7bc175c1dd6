/** Visits the non-empty lines, numbered from 1; CR, LF and CRLF each end one line. */
export function eachLine(text: string, visit: (line: string, number: number) => void): void {
  let number = 1
  let start = 0
  for (let i = 0; i <= text.length; i++) {
    const code = i === text.length ? 0x0a : text.charCodeAt(i)
    if (code !== 0x0a && code !== 0x0d) continue
    if (i > start) visit(text.slice(start, i), number)
    if (code === 0x0d && text.charCodeAt(i + 1) === 0x0a) i++
    start = i + 1
    number++
  }
}

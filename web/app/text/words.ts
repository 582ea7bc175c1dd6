// Turns codes and labels into words.

/** A code as words: pdf_encrypted becomes "PDF encrypted". */
export function spellOut(code: string): string {
  const words = code.replaceAll('_', ' ').replace(/^(pdf|epub|http|ip|url)\b/, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The text for use inside a sentence. Acronyms keep their capitals. */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

/** Spaces and line feeds become one space, as browsers show them. A no-break space is one too. */
export function collapseText(text: string, isTrimmed = true): string {
  const collapsed = text.replace(/[\s\u00a0]+/g, ' ')
  return isTrimmed ? collapsed.trim() : collapsed
}

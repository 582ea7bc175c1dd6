// Reads the flat XML documents of S3 and STS: lists of elements with text.

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text of the first element with this name. */
export function textOf(xml: string, name: string): string | null {
  const match = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)
  return match === null ? null : decode(match[1] ?? '')
}

/** The contents of all elements with this name, which must not nest. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner)
}

function decode(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, marker: string | undefined, value: string) => {
    if (marker === undefined) return ENTITIES[value] ?? whole
    return String.fromCodePoint(Number.parseInt(value, marker === '#x' ? 16 : 10))
  })
}

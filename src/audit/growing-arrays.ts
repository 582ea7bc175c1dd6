// Typed arrays that double their length when they are full.

type AnyArray = Uint8Array | Uint16Array | Uint32Array | Float64Array

export function grow<T extends AnyArray>(array: T): T {
  const NumberArray = array.constructor as new (length: number) => T
  const longer = new NumberArray(array.length * 2)
  longer.set(array)
  return longer
}

/** Attributes of a drawn node. */
export interface NodeAttributes {
  x: number
  y: number
  size: number
  label: string
  color: string
  /** Kept so that a theme change does not need the model. */
  colourClass: string
}

export interface EdgeAttributes {
  isLineage: boolean
  links: number
}

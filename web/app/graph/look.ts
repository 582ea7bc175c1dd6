/** What the drawing knows of a node. */
export interface NodeLook {
  x: number
  y: number
  size: number
  label: string
  color: string
  /** The colour class, so that a change of theme needs no model. */
  look: string
}

export interface EdgeLook {
  isLineage: boolean
  links: number
}

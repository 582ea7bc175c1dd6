/** What the drawing knows of a node. */
export interface NodeAttributes {
  x: number
  y: number
  size: number
  label: string
  color: string
  /** The colour class, so that a change of theme needs no model. */
  look: string
}

export interface EdgeAttributes {
  isLineage: boolean
  links: number
}

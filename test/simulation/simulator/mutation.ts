/** A deliberate bug: a change of the code in one place. */
export interface Mutation {
  name: string
  file: string
  /** Must occur in the file exactly once. */
  from: string
  to: string
  /** A test file that must fail instead of the simulation, for rules whose effect the simulation cannot detect. */
  contract?: string
}

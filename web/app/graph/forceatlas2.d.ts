// Types for the iteration function of ForceAtlas2, which works on matrices; the package has none for it.
declare module 'graphology-layout-forceatlas2/iterate.js' {
  interface Options {
    linLogMode: boolean
    outboundAttractionDistribution: boolean
    adjustSizes: boolean
    edgeWeightInfluence: number
    scalingRatio: number
    strongGravityMode: boolean
    gravity: number
    slowDown: number
    barnesHutOptimize: boolean
    barnesHutTheta: number
  }
  /** Moves the nodes by one step, in place. */
  export default function iterate(options: Options, nodes: Float32Array, edges: Float32Array): object
}

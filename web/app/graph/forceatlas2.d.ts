// The step of the layout alone, without the graph around it; the package has no types for it.
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
  /** Moves the nodes in their matrix by one step. */
  export default function iterate(options: Options, nodes: Float32Array, edges: Float32Array): object
}

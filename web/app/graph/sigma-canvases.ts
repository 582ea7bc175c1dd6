// What keeps a moving view smooth. A frame costs by the canvases that change in it, each as large as the stage, and most
// of all where there is no graphics card.

import type Sigma from 'sigma'
import type { EdgeAttributes, NodeAttributes } from './node-attributes.ts'

type GraphSigma = Sigma<NodeAttributes, EdgeAttributes>

/**
 * To ask which node is under the pointer waits until the frame before is drawn, so nobody asks while the view is
 * dragged.
 */
export function skipHoverWhileDragging(sigma: GraphSigma): void {
  const mouse = sigma.getMouseCaptor()
  const listeners = mouse.listeners('mousemove')
  mouse.removeAllListeners('mousemove')
  mouse.on('mousemove', (at) => {
    if (!mouse.isMouseDown) for (const listen of listeners) listen(at)
  })
}

/** There are no labels of edges. */
export function hideUnusedCanvases(sigma: GraphSigma): void {
  showCanvases(sigma, ['edgeLabels'], false)
}

/** Those on which the node under the pointer and the chosen one are drawn anew. */
export function showHoverCanvases(sigma: GraphSigma, isShown: boolean): void {
  showCanvases(sigma, ['hovers', 'hoverNodes'], isShown)
}

function showCanvases(sigma: GraphSigma, names: readonly string[], isShown: boolean): void {
  const canvases = sigma.getCanvases()
  for (const name of names) {
    const canvas = canvases[name]
    if (canvas !== undefined) canvas.style.display = isShown ? '' : 'none'
  }
}

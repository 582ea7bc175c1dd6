// Keeps panning and zooming smooth. The cost of a frame grows with the number of canvases that change, each as large as
// the stage, especially without a graphics card.

import type Sigma from 'sigma'
import type { EdgeAttributes, NodeAttributes } from './node-attributes.ts'

type GraphSigma = Sigma<NodeAttributes, EdgeAttributes>

/** Finding the node under the pointer waits for the previous frame to finish, so it is skipped while dragging. */
export function skipHoverWhileDragging(sigma: GraphSigma): void {
  const mouse = sigma.getMouseCaptor()
  const listeners = mouse.listeners('mousemove')
  mouse.removeAllListeners('mousemove')
  mouse.on('mousemove', (at) => {
    if (!mouse.isMouseDown) for (const listen of listeners) listen(at)
  })
}

/** Edges have no labels. */
export function hideUnusedCanvases(sigma: GraphSigma): void {
  showCanvases(sigma, ['edgeLabels'], false)
}

/** The canvases that redraw the hovered and the selected node. */
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

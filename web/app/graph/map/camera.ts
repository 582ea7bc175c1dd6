// The part of a plane that a canvas shows, moved by pointers, wheel and keys.

export interface Camera {
  /** The point in the middle. */
  x: number
  y: number
  /** Pixels per unit. */
  scale: number
}

/** A part of the plane around a point. */
export interface PlaneBox {
  x: number
  y: number
  width: number
  height: number
}

const ANIMATION_MS = 250
/** Pointer movement that is a drag and not a click. */
const DRAG_PX = 4
const WHEEL_STEP = 0.0016

export interface CameraEvents {
  onChange(): void
  onHover(x: number, y: number): void
  onClick(x: number, y: number): void
  onDoubleClick(x: number, y: number): void
  /** Called after the user zoomed in. */
  onZoomedIn(): void
}

export class CanvasCamera {
  readonly #canvas: HTMLElement
  readonly #events: CameraEvents
  readonly #listeners = new AbortController()
  readonly #pointers = new Map<number, { x: number; y: number }>()
  #camera: Camera = { x: 0, y: 0, scale: 1 }
  #whole: Camera = { x: 0, y: 0, scale: 1 }
  #dragged = 0
  #frame = 0
  #zoomTimer = 0

  constructor(canvas: HTMLElement, events: CameraEvents) {
    this.#canvas = canvas
    this.#events = events
    const { signal } = this.#listeners
    canvas.addEventListener('pointerdown', (event) => this.#onDown(event), { signal })
    canvas.addEventListener('pointermove', (event) => this.#onMove(event), { signal })
    for (const name of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(name, (event) => this.#onUp(event, name === 'pointerup'), { signal })
    }
    canvas.addEventListener('pointerleave', () => events.onHover(-1, -1), { signal })
    canvas.addEventListener('dblclick', ({ offsetX, offsetY }) => events.onDoubleClick(offsetX, offsetY), { signal })
    canvas.addEventListener('wheel', (event) => this.#onWheel(event), { signal, passive: false })
  }

  get state(): Camera {
    return this.#camera
  }

  get isDragging(): boolean {
    return this.#dragged > DRAG_PX
  }

  /** The view that `fit` returns to. */
  setWhole(box: PlaneBox): void {
    const isFitted = this.#camera.scale === this.#whole.scale && this.#camera.x === this.#whole.x
    this.#whole = this.#cameraFor(box, 0.95)
    if (isFitted) this.#set(this.#whole)
  }

  fit(): void {
    this.#animate(this.#whole)
  }

  /** Shows the box, or the whole plane if that is not larger. */
  showBox(box: PlaneBox): void {
    const camera = this.#cameraFor(box, 0.8)
    this.#animate(camera.scale <= this.#whole.scale ? this.#whole : camera)
  }

  zoom(factor: number): void {
    this.#animate({ ...this.#camera, scale: this.#bounded(this.#camera.scale / factor) })
    if (factor < 1) this.#reportZoom()
  }

  pan(x: number, y: number): void {
    const width = this.#canvas.clientWidth / this.#camera.scale
    this.#animate({ ...this.#camera, x: this.#camera.x + x * width, y: this.#camera.y - y * width })
  }

  toScreen({ x, y }: { x: number; y: number }): { x: number; y: number } {
    const { clientWidth, clientHeight } = this.#canvas
    const { x: cx, y: cy, scale } = this.#camera
    return { x: (x - cx) * scale + clientWidth / 2, y: (y - cy) * scale + clientHeight / 2 }
  }

  toPlane(x: number, y: number): { x: number; y: number } {
    const { clientWidth, clientHeight } = this.#canvas
    const { x: cx, y: cy, scale } = this.#camera
    return { x: (x - clientWidth / 2) / scale + cx, y: (y - clientHeight / 2) / scale + cy }
  }

  close(): void {
    this.#listeners.abort()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#zoomTimer)
  }

  #cameraFor({ x, y, width, height }: PlaneBox, share: number): Camera {
    const { clientWidth, clientHeight } = this.#canvas
    return { x, y, scale: share * Math.min(clientWidth / Math.max(width, 1e-9), clientHeight / Math.max(height, 1e-9)) }
  }

  #bounded(scale: number): number {
    return Math.min(this.#whole.scale * 4000, Math.max(this.#whole.scale / 3, scale))
  }

  #set(camera: Camera): void {
    this.#camera = camera
    this.#events.onChange()
  }

  #animate(to: Camera): void {
    cancelAnimationFrame(this.#frame)
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return this.#set(to)
    const from = this.#camera
    const startedAt = performance.now()
    const step = (now: number): void => {
      const part = Math.min(1, Math.max(0, (now - startedAt) / ANIMATION_MS))
      const eased = 1 - (1 - part) ** 3
      const scale = from.scale * (to.scale / from.scale) ** eased
      this.#set({ x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased, scale })
      if (part < 1) this.#frame = requestAnimationFrame(step)
    }
    this.#frame = requestAnimationFrame(step)
  }

  #zoomAt(x: number, y: number, factor: number): void {
    const before = this.toPlane(x, y)
    const scale = this.#bounded(this.#camera.scale * factor)
    const share = this.#camera.scale / scale
    const camera = {
      x: before.x + (this.#camera.x - before.x) * share,
      y: before.y + (this.#camera.y - before.y) * share,
    }
    this.#set({ ...camera, scale })
    if (factor > 1) this.#reportZoom()
  }

  #reportZoom(): void {
    clearTimeout(this.#zoomTimer)
    this.#zoomTimer = window.setTimeout(() => this.#events.onZoomedIn(), 2 * ANIMATION_MS)
  }

  #onDown(event: PointerEvent): void {
    this.#canvas.setPointerCapture(event.pointerId)
    cancelAnimationFrame(this.#frame)
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY })
    this.#dragged = 0
  }

  #onMove(event: PointerEvent): void {
    const known = this.#pointers.get(event.pointerId)
    if (known === undefined) return this.#events.onHover(event.offsetX, event.offsetY)
    const moved = { x: event.offsetX - known.x, y: event.offsetY - known.y }
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1]
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY })
    this.#dragged += Math.abs(moved.x) + Math.abs(moved.y)
    if (other !== undefined) {
      const distance = (at: { x: number; y: number }) => Math.hypot(at.x - other.x, at.y - other.y)
      const factor = distance({ x: event.offsetX, y: event.offsetY }) / Math.max(1, distance(known))
      return this.#zoomAt((event.offsetX + other.x) / 2, (event.offsetY + other.y) / 2, factor)
    }
    if (!this.isDragging) return
    const { scale } = this.#camera
    this.#set({ x: this.#camera.x - moved.x / scale, y: this.#camera.y - moved.y / scale, scale })
  }

  #onUp(event: PointerEvent, isUp: boolean): void {
    const isClick = isUp && this.#pointers.size === 1 && !this.isDragging
    this.#pointers.delete(event.pointerId)
    this.#dragged = 0
    if (isClick) this.#events.onClick(event.offsetX, event.offsetY)
  }

  #onWheel(event: WheelEvent): void {
    event.preventDefault()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    this.#zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * lines * WHEEL_STEP))
  }
}

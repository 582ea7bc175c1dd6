// Short notifications that disappear after a few seconds.

import { createStore } from './store.ts'

export interface Toast {
  id: number
  text: string
  tone: 'neutral' | 'bad'
}

const TOAST_MS = { neutral: 4000, bad: 9000 } as const

export const toastStore = createStore<readonly Toast[]>([])

export function showToast(text: string, tone: Toast['tone'] = 'neutral'): void {
  const id = (toastStore.get().at(-1)?.id ?? 0) + 1
  toastStore.set([...toastStore.get().slice(-3), { id, text, tone }])
  setTimeout(() => dropToast(id), TOAST_MS[tone])
}

export function dropToast(id: number): void {
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id))
}

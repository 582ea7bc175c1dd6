import { useState } from 'react'
import { showToast } from '../../page/toasts.ts'
import type { TooltipSide } from '../display/Tooltip.tsx'
import { IconButton } from './Button.tsx'

export function CopyButton({ text, label, tip = 'bottom' }: { text: string; label: string; tip?: TooltipSide }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      showToast('The browser blocked copying. Select the text and copy it yourself.', 'bad')
      return
    }
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 1500)
  }
  return (
    <IconButton
      label={isCopied ? 'Copied' : label}
      icon={isCopied ? 'check' : 'copy'}
      className="h-6! w-6!"
      tip={tip}
      onClick={() => void copy()}
    />
  )
}

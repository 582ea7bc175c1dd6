import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from '../display/Icon.tsx'
import { Tooltip, type TooltipSide } from '../display/Tooltip.tsx'

const VARIANT_CLASSES = {
  plain: 'border-line bg-surface text-ink hover:bg-hover',
  primary: 'border-accent bg-accent text-on-accent hover:opacity-90',
  quiet: 'border-line text-muted hover:bg-hover hover:text-ink',
  /** No border, for icons and breadcrumbs. */
  bare: 'border-transparent text-muted hover:bg-hover hover:text-ink',
  danger: 'border-line bg-surface text-bad hover:bg-bad-soft',
} as const

export type ButtonVariant = keyof typeof VARIANT_CLASSES

const SHAPE =
  'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border px-2.5 text-body font-medium transition-colors disabled:cursor-default disabled:opacity-55'

interface ButtonStyleProps {
  variant?: ButtonVariant
  icon?: IconName
}

export function Button({
  variant = 'plain',
  icon,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & ButtonStyleProps) {
  return (
    <button type="button" className={`${SHAPE} ${VARIANT_CLASSES[variant]} ${className}`} {...rest}>
      {icon === undefined ? null : <Icon name={icon} size={15} />}
      {children}
    </button>
  )
}

/** A button with only an icon; the label is its accessible name and tooltip. */
export function IconButton({
  label,
  icon,
  variant = 'bare',
  className = '',
  tip = 'bottom',
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  icon: IconName
  variant?: ButtonVariant
  tip?: TooltipSide
}) {
  return (
    <Tooltip text={label} side={tip}>
      <button
        type="button"
        aria-label={label}
        className={`${SHAPE} w-8 px-0 ${VARIANT_CLASSES[variant]} ${className}`}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  )
}

export function LinkButton({
  href,
  variant = 'plain',
  icon,
  children,
  className = '',
  label,
}: ButtonStyleProps & {
  href: string
  children: React.ReactNode
  className?: string
  /** The accessible name, if it says more than the text. */
  label?: string
}) {
  return (
    <Link href={href} aria-label={label} className={`${SHAPE} ${VARIANT_CLASSES[variant]} ${className}`}>
      {icon === undefined ? null : <Icon name={icon} size={15} />}
      {children}
    </Link>
  )
}

// What is known of a setting besides its name, and short ways to write it down.

import { type Kind, onOff } from './kinds.ts'

export interface Setting<T> {
  kind: Kind<T>
  default: T | null
  help: string
  /** Of a switch that is on by default: what its flag does, which turns it off. */
  offHelp?: string
  /** For the documentation, where the default depends on the machine. */
  defaultText?: string
}

export function setting<T>(
  kind: Kind<T>,
  fallback: T,
  help: string,
  defaultText?: string,
): Setting<T> & { default: T } {
  return { kind, default: fallback, help, ...(defaultText === undefined ? {} : { defaultText }) }
}

export function optional<T>(kind: Kind<T>, help: string): Setting<T> & { default: null } {
  return { kind, default: null, help }
}

export function onByDefault(help: string, offHelp: string): Setting<boolean> & { default: true; offHelp: string } {
  return { kind: onOff(), default: true, help, offHelp }
}

// The style sheet and the script of the page. Their addresses change with their content, so browsers may keep them.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readableOn, textOn } from './colors.ts'

export interface Asset {
  /** URL with a hash of the content. */
  href: string
  type: string
  body: string
}

export interface Assets {
  style: Asset
  script: Asset
}

const BACKGROUNDS = { light: '#ffffff', dark: '#14171c' } as const

export function loadAssets(accent: string): Assets {
  const style = `${colorVariables(accent)}\n${readAsset('search-page.css')}`
  return {
    style: asset('style.css', 'text/css; charset=utf-8', style),
    script: asset('suggest.js', 'text/javascript; charset=utf-8', readAsset('suggest.js')),
  }
}

function readAsset(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
}

function asset(name: string, type: string, body: string): Asset {
  return { href: `/search/${name}?v=${hash('sha256', body, 'hex').slice(0, 12)}`, type, body }
}

function colorVariables(accent: string): string {
  const theme = (background: string) => {
    const color = readableOn(accent, background)
    return `:root { --background: ${background}; --accent: ${color}; --on-accent: ${textOn(color)} }`
  }
  return `${theme(BACKGROUNDS.light)}\n@media (prefers-color-scheme: dark) { ${theme(BACKGROUNDS.dark)} }`
}

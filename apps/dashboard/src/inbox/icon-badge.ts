import icon from '../icon.svg?raw'
import { colorOf } from '../design/color-of.ts'

/** The icon of the tab with a number on it, as the text of an SVG; two digits are all that can be read there. */
export function badged(
  count: number,
  { fill, ink }: { readonly fill: string; readonly ink: string },
): string {
  const words = count > 99 ? '99+' : String(count)
  const size = words.length > 2 ? 10 : words.length > 1 ? 13 : 16
  const badge = `<circle cx="21" cy="21" r="11" fill="${fill}"/><text x="21" y="21" dy=".36em" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="${size}" fill="${ink}">${words}</text>`
  return icon.replace('</svg>', `${badge}</svg>`)
}

/** An address for the icon with this number, in the colours of the theme; its maker takes it back. */
export function badgedIcon(count: number, element: HTMLElement): string {
  const colors = { fill: colorOf(element, '--color-bad-text'), ink: colorOf(element, '--color-bad-bg') }
  return URL.createObjectURL(new Blob([badged(count, colors)], { type: 'image/svg+xml' }))
}

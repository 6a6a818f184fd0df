/** A colour of the theme that is on, as a canvas takes it: the pair of a token is resolved by an element alone. */
export function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

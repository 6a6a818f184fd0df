import { UpstreamRefusal } from '../../shapes.ts'
import { upstreamLimits } from '../../wire/limits.ts'

/** A title and a description of a service's, each within its limit. */
export function described(title: unknown, ...descriptions: readonly unknown[]) {
  const { title_characters, description_characters } = upstreamLimits
  const text = descriptions.find((each): each is string => typeof each === 'string' && each.trim() !== '')
  return {
    title:
      typeof title === 'string' && title.trim() !== '' ? shortened(title.trim(), title_characters) : null,
    description: shortened((text ?? '').trim(), description_characters),
  }
}

export function shortened(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : `${text.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Throws `UpstreamRefusal` where a document has more actions than a connector may have. */
export function requireFewer(count: number, things: string): void {
  if (count > upstreamLimits.actions)
    throw unreadable(
      `There are more than ${upstreamLimits.actions} ${things}, and a connector has at most so many actions: name a smaller document.`,
    )
}

export function unreadable(message: string): UpstreamRefusal {
  return new UpstreamRefusal('connector_unusable', message)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

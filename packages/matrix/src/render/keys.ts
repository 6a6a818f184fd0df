import type { Button } from '@svc/channel'

export interface KeyedButton {
  readonly id: string
  readonly label: string
  /** The reaction that presses it. */
  readonly key: string
}

export const textKey = '✏️'
const ofStyle = { primary: '✅', danger: '🛑' } as const
const numbers = ['1️⃣', '2️⃣', '3️⃣', '4️⃣', '5️⃣', '6️⃣', '7️⃣', '8️⃣', '9️⃣', '🔟']

/** The buttons that act, each with a reaction of its own. Those that open a page are links in the text. */
export function keyed(buttons: readonly Button[]): readonly KeyedButton[] {
  const taken = new Set<string>()
  let next = 0
  return buttons
    .filter(({ url }) => url === undefined)
    .map(({ id, label, style, needs_text }) => {
      const wished = needs_text === true ? textKey : style && ofStyle[style]
      const key = wished === undefined || taken.has(wished) ? (numbers[next++] ?? String(next)) : wished
      taken.add(key)
      return { id, label, key }
    })
}

/** Clients write the sign that asks for a picture, or leave it out. */
export const isSameKey = (one: string, other: string): boolean => bare(one) === bare(other)

const bare = (key: string) => key.replaceAll('\uFE0F', '')

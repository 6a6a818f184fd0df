import { InvalidArgumentError } from 'commander'

/** `previews=off` and its like, each word one of those that are known. */
export function switches<T>(words: readonly string[], known: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    words.map((text) => {
      const [name = '', word = ''] = text.split('=', 2)
      const value = Object.hasOwn(known, word) ? known[word] : undefined
      if (name === '' || value === undefined)
        throw new InvalidArgumentError(
          `${JSON.stringify(text)}: say <feature>=<word> with one of ${Object.keys(known).join(', ')}.`,
        )
      return [name, value]
    }),
  )
}

export function flagOf(enabled: boolean | null): string {
  if (enabled === null) return 'default'
  return enabled ? 'on' : 'off'
}

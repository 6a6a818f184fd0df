export interface Usage {
  readonly path: readonly string[]
  readonly args: readonly { readonly required: boolean; readonly variadic: boolean }[]
  readonly flags: readonly { readonly name: string; readonly required: boolean; readonly value: boolean }[]
}

/** Reads a line such as `cr open --title <text> [--base <ref>]`. */
export function readUsage(line: string): Usage {
  const path = /^[a-z-]+(?: [a-z-]+)*/.exec(line.replaceAll(/ -.*/g, ''))?.[0].split(' ') ?? []
  const rest = line.slice(path.join(' ').length)
  const words = [...rest.matchAll(/\[(-[^\]]+)\]|(--?\S+(?: <[^>]+>)?)|\[<[^>]+>\]|<[^>]+>(?:\.\.\.)?/g)]
  const flags = words.flatMap(([, optional, required]) => {
    const flag = optional ?? required
    if (flag === undefined) return []
    return [{ name: flag.split(' ')[0] ?? '', required: optional === undefined, value: flag.includes('<') }]
  })
  const args = words.flatMap(([word, optional, required]) =>
    optional === undefined && required === undefined
      ? [{ required: !word.startsWith('['), variadic: word.endsWith('...') }]
      : [],
  )
  return { path, args, flags }
}

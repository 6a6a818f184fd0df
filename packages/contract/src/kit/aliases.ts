/**
 * Lets a body's keys be spelt another way too; a key's own spelling wins. A value that is no object passes unchanged.
 */
export function withAliases(aliases: Readonly<Record<string, string>>): (body: unknown) => unknown {
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    const named = new Map<string, unknown>()
    for (const [key, value] of Object.entries(body)) {
      const name = Object.hasOwn(aliases, key) ? aliases[key] : undefined
      if (name === undefined) named.set(key, value)
      else if (!Object.hasOwn(body, name)) named.set(name, value)
    }
    return Object.fromEntries(named)
  }
}

/** Connections by the slugs of their connectors, as a create of a session takes them. */
export type Bindings = Readonly<Record<string, { readonly connection_id: string }>>

export const chosenBy = (bindings: Bindings): Map<string, string> =>
  new Map(Object.entries(bindings).map(([slug, { connection_id }]) => [slug, connection_id]))

export const bindingsOf = (chosen: ReadonlyMap<string, string>): Record<string, { connection_id: string }> =>
  Object.fromEntries([...chosen].map(([slug, connection_id]) => [slug, { connection_id }]))

/** Issues of choices for connectors that are not among those which may be used. */
export function notUsable(
  chosen: ReadonlyMap<string, string>,
  slugs: readonly string[],
  whose: string,
): { slug: string; message: string }[] {
  const message = `is no connector that ${whose} may use; it may use ${slugs.join(', ') || 'none'}`
  return [...chosen.keys()].filter((slug) => !slugs.includes(slug)).map((slug) => ({ slug, message }))
}

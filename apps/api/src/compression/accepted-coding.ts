export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** The best coding that the client takes, brotli first; null where it takes neither. */
export function acceptedCoding(header: string | undefined): Coding | null {
  if (header === undefined) return null
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, q === undefined ? 1 : Number(q.slice(2))] as const
    }),
  )
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0
  return codings.find((coding) => weightOf(coding) > 0) ?? null
}

import Negotiator from 'negotiator'

export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** The best coding that the client takes, brotli first; null where it takes neither. */
export function acceptedCoding(header: string | undefined): Coding | null {
  if (header === undefined) return null
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...codings])
  return codings.find((coding) => accepted.includes(coding)) ?? null
}

/** A file of a release: its bytes as they are, and packed where that was worth it, each by its digest. */
export interface ReleaseFile {
  readonly sha256: string
  readonly bytes: number
  readonly content_type: string
  readonly br_sha256: string | null
  readonly gzip_sha256: string | null
  /** Its name changes with its bytes. */
  readonly hashed: boolean
}

export interface Variant {
  readonly sha256: string
  readonly encoding: 'br' | 'gzip' | null
}

/** The bytes of a file that a visitor takes; parts are of the file as it is. */
export function chooseVariant(file: ReleaseFile, accepted: string | undefined, in_parts: boolean): Variant {
  const takes = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((entry) => entry.split(';').map((part) => part.trim()))
      .filter(([, q = 'q=1']) => !/^q=0(\.0*)?$/.test(q))
      .map(([name]) => name),
  )
  if (!in_parts && file.br_sha256 !== null && takes.has('br'))
    return { sha256: file.br_sha256, encoding: 'br' }
  if (!in_parts && file.gzip_sha256 !== null && takes.has('gzip'))
    return { sha256: file.gzip_sha256, encoding: 'gzip' }
  return { sha256: file.sha256, encoding: null }
}

/** The first and last byte that a Range header asks for; null for all of it, also for several parts. */
export function rangeOf(header: string | undefined, bytes: number): ByteSpan | 'outside' | null {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (asked === null) return null
  const [, from = '', to = ''] = asked
  if (from === '' && to === '') return null
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from)
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  return first > last ? 'outside' : { first, last }
}

export interface ByteSpan {
  readonly first: number
  readonly last: number
}

import { createHash } from 'node:crypto'

/** A tag of the answer's content, whatever it was read from. */
export function etagOf(answer: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 22)}"`
}

/** True when an If-None-Match header names this tag. Tags are compared weakly, as GET asks for. */
export function matchesEtag(if_none_match: string | undefined, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return (if_none_match ?? '').split(',').some((tag) => tag.trim() === '*' || plain(tag) === plain(etag))
}

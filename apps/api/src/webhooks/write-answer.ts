import type { ServerResponse } from 'node:http'
import type { RenderedAnswer } from '../door/render.ts'
import { requestIdHeader } from '../door/request-id.ts'
import { crossOriginHeaders } from '../middleware/cross-origin.ts'

const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/** Writes the answer with the headers of every answer; `cross_origin` when a page of another origin may read it. */
export function writeAnswer(
  res: ServerResponse,
  request_id: string,
  { status, text, headers }: RenderedAnswer,
  cross_origin: boolean,
): void {
  const own = cross_origin ? { ...crossOriginHeaders, ...headers } : headers
  const named = inOrder({ ...always, ...own, [requestIdHeader]: request_id })
  res.writeHead(status, { ...named, 'Content-Length': Buffer.byteLength(text) }).end(text)
}

/** The headers sorted by name, as the framework writes them. */
function inOrder(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)))
}

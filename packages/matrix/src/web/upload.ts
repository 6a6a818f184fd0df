import type { OutgoingFile } from '@svc/channel'
import { z } from 'zod'
import type { Call } from './client.ts'

const timeoutMs = 90_000

const Uploaded = z.object({ content_uri: z.string().regex(/^mxc:\/\//) })

/** Hands a file to the bot's own homeserver, where it stands in no room yet; its address. */
export async function uploadFile(
  call: Call,
  { name, type, content }: OutgoingFile,
  signal: AbortSignal,
): Promise<string> {
  const asked = {
    ...({ method: 'POST', base: 'media', path: 'v3/upload', query: { filename: name } } as const),
    ...{ bytes: { type, content }, timeout_ms: timeoutMs },
  }
  return (await call(signal, asked, Uploaded)).content_uri
}

/** The content of the event that shows a file. */
export function fileContent({ name, type, content }: OutgoingFile, url: string) {
  const info = { mimetype: type, size: content.byteLength }
  return { msgtype: 'm.file', body: name, filename: name, info, url, 'm.mentions': {} }
}

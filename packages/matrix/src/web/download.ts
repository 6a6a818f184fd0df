import { type FileRef, MessageRefused } from '@svc/channel'
import { type MatrixApi, path, requestBytes } from './client.ts'
import { channelError } from './errors.ts'

const timeoutMs = 120_000

/** A file that came with a message, from the bot's own homeserver, which fetches it from another where it must. */
export async function downloadFile(
  api: MatrixApi,
  { name, url }: FileRef,
  max_bytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const [, server, media] = /^mxc:\/\/([^/]+)\/([^/?#]+)$/.exec(url) ?? []
  if (server === undefined || media === undefined) throw new MessageRefused(`${name} is no file of Matrix`)
  const asked = { path: path`v1/media/download/${server}/${media}`, timeout_ms: timeoutMs }
  const tooLarge = () => new MessageRefused(`${name} is larger than ${max_bytes} bytes`)
  try {
    return await requestBytes(api, signal, asked, max_bytes, tooLarge)
  } catch (error) {
    signal.throwIfAborted()
    throw channelError(error)
  }
}

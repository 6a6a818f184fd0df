import { type FileRef, MessageRefused, readAtMost } from '@svc/channel'
import { request } from 'undici'
import type { Call, SlackApi } from './client.ts'
import { channelError, rateLimited } from './errors.ts'

const timeoutMs = 120_000

/** A file that came with a message. The token goes to hosts of Slack alone, and a redirect is not followed. */
export async function downloadFile(
  { token, api_url, wire }: SlackApi,
  call: Call,
  file: FileRef,
  max_bytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const url = await addressOf(call, file, signal)
  if (!isOwn(url, new URL(api_url))) throw new MessageRefused(`${url.host} is no host of Slack`)
  const tooLarge = () => new MessageRefused(`${file.name} is larger than ${max_bytes} bytes`)
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: wire,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const isPage =
      String(headers['content-type']).startsWith('text/html') && !file.type.startsWith('text/html')
    if (statusCode === 200 && !isPage) {
      if (Number(headers['content-length'] ?? 0) > max_bytes) body.destroy()
      return await readAtMost(body, max_bytes, tooLarge)
    }
    body.on('error', () => {}).destroy()
    if (statusCode === 429) throw rateLimited(String(headers['retry-after'] ?? ''))
    if (statusCode >= 500) throw new Error(`Slack answered a download with status ${statusCode}`)
    // A bot without the right is sent to the page of the sign-in, or given it.
    throw new MessageRefused(`Slack does not give ${file.name} to the bot; does its token have files:read?`)
  } catch (error) {
    signal.throwIfAborted()
    throw channelError(error)
  }
}

async function addressOf(call: Call, { url, name }: FileRef, signal: AbortSignal): Promise<URL> {
  if (!url.startsWith('slack:')) return parsed(url, name)
  const { file } = await call(signal, (client) => client.files.info({ file: url.slice('slack:'.length) }))
  const found = file?.url_private_download ?? file?.url_private
  if (found === undefined) throw new MessageRefused(`Slack gives no address of ${name}`)
  return parsed(found, name)
}

function parsed(url: string, name: string): URL {
  if (!URL.canParse(url)) throw new MessageRefused(`Slack gives no address of ${name}`)
  return new URL(url)
}

/** A host of Slack, or the one that stands in for it. */
export function isOwn(url: URL, api: URL): boolean {
  if (isSlack(url)) return true
  return !isSlack(api) && url.origin === api.origin
}

function isSlack({ protocol, hostname, port }: URL): boolean {
  return protocol === 'https:' && port === '' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'))
}

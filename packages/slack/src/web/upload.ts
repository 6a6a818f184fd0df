import { type FilePlace, MessageRefused, type OutgoingFile } from '@svc/channel'
import { request } from 'undici'
import { z } from 'zod'
import type { Call, SlackApi } from './client.ts'
import { isOwn } from './download.ts'
import { channelError, rateLimited } from './errors.ts'

const timeoutMs = 90_000

/** Hands a file to Slack, which shows it nowhere yet; its id. The address that Slack gives for it knows the bot by itself. */
export async function uploadFile(
  { api_url, wire }: SlackApi,
  call: Call,
  { name, content }: OutgoingFile,
  signal: AbortSignal,
): Promise<string> {
  const asked = { filename: name, length: content.byteLength }
  const { file_id, upload_url } = await call(signal, (client) => client.files.getUploadURLExternal(asked))
  if (file_id === undefined || upload_url === undefined || !URL.canParse(upload_url))
    throw new Error('Slack gives no address for a file')
  const url = new URL(upload_url)
  if (!isOwn(url, new URL(api_url))) throw new MessageRefused(`${url.host} is no host of Slack`)
  try {
    const { statusCode, headers, body } = await request(url, {
      method: 'POST',
      dispatcher: wire,
      headers: { 'content-type': 'application/octet-stream' },
      body: content,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await body.dump()
    if (statusCode === 200) return file_id
    if (statusCode === 429) throw rateLimited(String(headers['retry-after'] ?? ''))
    throw new Error(`Slack answered an upload with status ${statusCode}`)
  } catch (error) {
    signal.throwIfAborted()
    throw channelError(error)
  }
}

/** Shows an uploaded file in its place. */
export async function shareFile(
  call: Call,
  { conversation, root }: FilePlace,
  { id, name }: { readonly id: string; readonly name: string },
  signal: AbortSignal,
): Promise<string> {
  const files: [{ id: string; title: string }] = [{ id, title: name }]
  // The type of the client takes a thread only beside a conversation.
  const place = root === null ? { channel_id: conversation } : { channel_id: conversation, thread_ts: root }
  await call(signal, (client) => client.files.completeUploadExternal({ files, ...place }))
  return id
}

const Shares = z.record(z.string(), z.array(z.unknown()))
const Shown = z.object({
  shares: z.object({ public: Shares.optional(), private: Shares.optional() }).optional(),
  channels: z.array(z.string()).optional(),
  groups: z.array(z.string()).optional(),
  ims: z.array(z.string()).optional(),
})

/** The id of a file that stands in a conversation already; null where it does not. A file is shown once. */
export async function findShared(
  call: Call,
  conversation: string,
  id: string,
  signal: AbortSignal,
): Promise<string | null> {
  const file = await factsOf(call, id, signal)
  const { shares, channels = [], groups = [], ims = [] } = Shown.safeParse(file).data ?? {}
  const places = [
    ...Object.keys(shares?.public ?? {}),
    ...Object.keys(shares?.private ?? {}),
    ...channels,
    ...groups,
    ...ims,
  ]
  return places.includes(conversation) ? id : null
}

/** Undefined for a file that Slack does not know yet, as it was shown nowhere. */
async function factsOf(call: Call, id: string, signal: AbortSignal): Promise<unknown> {
  try {
    return (await call(signal, (client) => client.files.info({ file: id }))).file
  } catch (error) {
    if (error instanceof MessageRefused) return undefined
    throw error
  }
}

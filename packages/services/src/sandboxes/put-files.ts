import { createHash } from 'node:crypto'
import { limits } from '@svc/contract'
import type { Db, SessionPromptRow } from '@svc/db'
import { channelFiles, type FileOfPrompt } from '@svc/db/channels'
import type { SandboxEndpoint } from '@svc/sandbox'
import { z } from 'zod'
import { askDaemon } from './daemon-client.ts'

const Refusal = z.object({ message: z.string() })

const fileMs = 60_000

/**
 * Puts the files that came with a prompt into its sandbox, each whole, before the daemon gets the prompt: one that is there
 * already stays. The text of the prompt, with those that the sandbox does not take, so that its agent looks for none of them.
 */
export async function withFiles(
  db: Db,
  { endpoint, key }: { readonly endpoint: SandboxEndpoint; readonly key: string },
  { session_id, dedupe_key, text }: Pick<SessionPromptRow, 'session_id' | 'dedupe_key' | 'text'>,
): Promise<string> {
  if (dedupe_key === null) return text
  const missing: string[] = []
  for (const file of await channelFiles.ofPrompt(db, { session_id, prompt_key: dedupe_key })) {
    const refusal = await put(db, endpoint, key, file)
    if (refusal !== null) missing.push(`- ${file.name}: ${refusal}`)
  }
  if (missing.length === 0) return text
  const whole = [text, ['These files are not in the workspace after all:', ...missing].join('\n')].join(
    '\n\n',
  )
  return Buffer.byteLength(whole) <= limits.promptBytes ? whole : text
}

/** Null when it is in its place; why not, when it would be refused again. */
async function put(
  db: Db,
  endpoint: SandboxEndpoint,
  service_key: string,
  { file_id, delivery_id, name, sha256 }: FileOfPrompt,
): Promise<string | null> {
  const content = await channelFiles.contentOf(db, file_id)
  if (content === null) return 'it is no longer kept'
  if (!createHash('sha256').update(content).digest().equals(sha256)) return 'it was damaged where it is kept'
  const query = new URLSearchParams({ message: delivery_id ?? '', name, sha256: sha256.toString('hex') })
  const answer = await askDaemon(endpoint, {
    ...{ method: 'POST', path: `/svc/inbox?${query}`, service_key, content, timeout_ms: fileMs },
  })
  if (answer.status === 200) return null
  // A daemon of an earlier release knows no inbox.
  if (answer.status === 404) return 'this sandbox takes none; restart the session for one that does'
  const refusal = Refusal.safeParse(answer.body)
  if (answer.status === 409 || answer.status === 413)
    return refusal.success ? refusal.data.message : `the sandbox answered ${answer.status}`
  throw new Error(`The daemon answered ${answer.status} to a file`)
}

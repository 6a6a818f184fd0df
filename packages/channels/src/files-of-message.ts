import { createHash } from 'node:crypto'
import { channelLimits, fileNames, type FileRef, type InboundMessage } from '@svc/channel'
import type { NewChannelFile } from '@svc/db/channels'
import { sizeWords } from '@svc/facts'

/** Files of a message that are kept or named as left out; the others are counted alone. */
const namedFiles = 50

/** A file that a message has: on its platform, or the whole of a text that is too long for a prompt. */
export type FileWish = {
  readonly position: number
  readonly name: string
  readonly type: string
  readonly bytes: number
} & ({ readonly ref: FileRef; readonly number: number } | { readonly text: string })

export type FileOutcome = { readonly content: Uint8Array } | { readonly left_out: string }

/** The name of a text that is a file, as it is too long. */
const textName = 'message.txt'

/** The files of a message in their order, under names that are fit for a folder. */
export function filesOfMessage({ files, text }: Pick<InboundMessage, 'files' | 'text'>): FileWish[] {
  const isLong = text.length > channelLimits.textChars
  const before = isLong ? 1 : 0
  const refs = files.slice(0, namedFiles)
  const names = fileNames([...(isLong ? [textName] : []), ...refs.map(({ name }) => name)])
  const wishes = refs.map((ref, index): FileWish => {
    const [position, bytes] = [index + before, Math.max(0, Math.trunc(ref.bytes))]
    return { position, name: names[position] ?? '', type: typeOf(ref), bytes, ref, number: index + 1 }
  })
  if (!isLong) return wishes
  const whole = { name: textName, type: 'text/plain', bytes: Buffer.byteLength(text), text }
  return [{ position: 0, ...whole }, ...wishes]
}

/** As its sender says, and nothing else: it is shown to the agent. */
const typeOf = ({ type }: FileRef): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'application/octet-stream'

/** The reason that a file is not taken, by what is said of it; `room` is what the message may still have. */
export function tooMuch(
  { bytes, number }: { readonly bytes: number; readonly number: number },
  room: number,
): string | null {
  const { files, fileBytes, filesBytes } = channelLimits
  if (number > files) return `a message has at most ${files} files`
  if (bytes > fileBytes) return `it is larger than ${sizeWords(fileBytes)}`
  return bytes > room ? `the files of a message have at most ${sizeWords(filesBytes)} together` : null
}

type FilePlace = Pick<
  NewChannelFile,
  'file_id' | 'channel_id' | 'account_id' | 'project_id' | 'delivery_id' | 'created_at'
>

/** The row of a file that came in, or was left out. */
export function fileRow(
  place: FilePlace,
  { position, name, type, bytes }: FileWish,
  outcome: FileOutcome,
): NewChannelFile {
  const content = 'content' in outcome ? Buffer.from(outcome.content) : null
  return {
    ...{ ...place, message_id: null, position, name, type, bytes: content?.length ?? bytes, content },
    sha256: content === null ? null : createHash('sha256').update(content).digest(),
    left_out: 'left_out' in outcome ? outcome.left_out : null,
    ...{ session_id: null, prompt_key: null, upload: null },
  }
}

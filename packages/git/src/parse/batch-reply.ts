export interface BatchReply {
  /** Null when there is no such object. */
  readonly object: StoredObject | null
  /** The bytes after the reply. */
  readonly rest: Buffer
}

export interface StoredObject {
  readonly sha: string
  readonly type: string
  readonly size: number
  /** Empty when only the header was asked for. */
  readonly content: Buffer
}

const header = /^([0-9a-f]{40}) (\w+) (\d+)$/

/**
 * The first reply of `git cat-file --batch-command`: `<sha> <type> <size>`, and after `contents` the bytes and a line
 * feed; anything else says that the name means nothing. Null while the reply is not whole.
 */
export function takeReply(output: Buffer, with_content: boolean): BatchReply | null {
  const end = output.indexOf('\n')
  if (end === -1) return null
  const [, sha, type = '', bytes] = header.exec(output.toString('utf8', 0, end)) ?? []
  const rest = output.subarray(end + 1)
  if (sha === undefined) return { object: null, rest }
  const size = Number(bytes)
  if (!with_content) return { object: { sha, type, size, content: rest.subarray(0, 0) }, rest }
  if (rest.length < size + 1) return null
  return { object: { sha, type, size, content: rest.subarray(0, size) }, rest: rest.subarray(size + 1) }
}

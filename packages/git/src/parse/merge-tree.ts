export interface MergeTreeMessage {
  readonly paths: readonly string[]
  readonly type: string
  readonly text: string
}

export interface MergeTreeOutput {
  readonly tree_sha: string
  readonly conflicts: readonly string[]
  readonly messages: readonly MergeTreeMessage[]
}

/**
 * `git merge-tree --write-tree --name-only --messages -z`: the tree, the conflicted paths, an empty field, then for
 * each message a count of paths, the paths, a type and a text.
 */
export function parseMergeTree(output: Buffer): MergeTreeOutput {
  const fields = output.toString('utf8').split('\0')
  fields.pop()
  const tree_sha = fields[0]?.trim() ?? ''
  const gap = fields.indexOf('', 1)
  const named = fields.slice(1, gap === -1 ? fields.length : gap)
  const messages = gap === -1 ? [] : parseMessages(fields.slice(gap + 1))
  return { tree_sha, conflicts: [...new Set(named)], messages }
}

function parseMessages(fields: readonly string[]): MergeTreeMessage[] {
  const messages: MergeTreeMessage[] = []
  let at = 0
  while (at < fields.length) {
    const count = Number(fields[at])
    if (!Number.isSafeInteger(count)) break
    const paths = fields.slice(at + 1, at + 1 + count)
    const [type = '', text = ''] = fields.slice(at + 1 + count, at + 3 + count)
    messages.push({ paths, type, text: text.trim() })
    at += 3 + count
  }
  return messages
}

/** The message that a person reads when a merge stops: git's own words, without its progress notes. */
export function conflictMessage(messages: readonly MergeTreeMessage[]): string {
  const lines = messages
    .filter((message) => message.type.startsWith('CONFLICT'))
    .map((message) => message.text)
  return lines.length > 0 ? lines.join('\n') : 'The branches change the same places.'
}

/** Every path a conflict touches: those with unmerged entries, else those the messages name. */
export function conflictPaths(output: MergeTreeOutput): readonly string[] {
  if (output.conflicts.length > 0) return output.conflicts
  const named = output.messages.filter((message) => message.type.startsWith('CONFLICT'))
  return [...new Set(named.flatMap((message) => message.paths))]
}

export interface Sides {
  readonly base: string
  readonly head: string
}

/** For a file on one side and a folder on the other, git makes up `path~<side>`; the conflict is about `path`. */
export function ownPaths(paths: readonly string[], { base, head }: Sides): readonly string[] {
  const madeUp = new RegExp(`~(${base}|${head})(_\\d+)?$`)
  return [...new Set(paths.map((path) => path.replace(madeUp, '')))]
}

/** git names a side by its argument, which is a SHA. */
export function nameSides(text: string, { base, head }: Sides): string {
  return text.replaceAll(base, 'base').replaceAll(head, 'head')
}

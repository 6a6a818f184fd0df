/** A tool call as a permission is asked for it, in the words of the protocol. */
export interface AskedCall {
  readonly kind: string
  /** The command of an `execute`, the paths of a change, else nothing. */
  readonly command: string | null
  readonly paths: readonly string[]
}

/** The permission of an agent's file that a kind of call is under; the protocol has no names of tools, only titles. */
const permissionOfKind: Readonly<Record<string, string>> = {
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  execute: 'bash',
  fetch: 'webfetch',
  search: 'read',
  read: 'read',
}

/** The rest, and a kind that is none of ours, is under `*`. */
export function permissionOf(kind: string): string {
  return permissionOfKind[kind] ?? '*'
}

/** An answer that the agent offers for a permission. */
export interface OfferedAnswer {
  readonly option_id: string
  readonly name: string
  readonly kind: string
}

const kindsOf = {
  once: ['allow_once', 'allow_always'],
  always: ['allow_always', 'allow_once'],
  reject: ['reject_once', 'reject_always'],
} as const

/** The offered answer that a reply picks, the exact one first; undefined where the agent offers none of its sense. */
export function offeredFor(
  reply: keyof typeof kindsOf,
  offered: readonly OfferedAnswer[],
): OfferedAnswer | undefined {
  for (const kind of kindsOf[reply]) {
    const found = offered.find((one) => one.kind === kind)
    if (found !== undefined) return found
  }
  return undefined
}

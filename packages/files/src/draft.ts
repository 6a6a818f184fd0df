/** The making of a file. By default only its owner reads it, and it is on the disk when the call returns. */
export interface FileOptions {
  readonly mode?: number
  /** False where a power cut may take the content along. */
  readonly flush?: boolean
}

/** A name beside the file, of this call alone. */
export const draftOf = (path: string): string => `${path}.${crypto.randomUUID()}.draft`

/** Whether a file is the draft of another, that is being written or that a crash left. */
export const isDraft = (name: string): boolean => /\.[0-9a-f-]{36}\.draft$/.test(name)

/** `wx`: a draft is never another's. */
export const draftOptions = ({ mode = 0o600, flush = true }: FileOptions) =>
  ({ flag: 'wx', mode, flush }) as const

import { createHash } from 'node:crypto'

/** The words with which a connection to a sandbox of a program asks for its control instead of the program. */
export const controlWord = 'svc-control '

/** The first line of a control connection. A proxy sends HTTP, so no visitor can write it. */
export function controlPreface(token: string): string {
  return `${controlWord}${token}\n`
}

/**
 * The digest by which a sandbox knows the token of its control: neither its record nor its environment holds the token, so
 * the program cannot read it there.
 */
export function controlKey(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** On an answer that says that the program does not listen: nothing of the request reached it. */
export const awayHeader = 'x-svc-program'
export const awayValue = 'away'

/** The variables of `svc-appd`, which its program is not given. */
export const appdVariables = {
  /** See `controlKey`. */
  key: 'SVC_PROGRAM_KEY',
  /** `shared`: ports belong to all programs of the machine. */
  network: 'SVC_PROGRAM_NETWORK',
  /** `ImageProgram` as JSON, in a sandbox of an image. */
  image: 'SVC_PROGRAM_IMAGE',
} as const

/** The parts of an image that say how its program begins. */
export interface ImageProgram {
  /** Its entrypoint and command. */
  readonly command: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

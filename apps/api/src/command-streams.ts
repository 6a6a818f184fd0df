/** The lines that a command of the operator prints. */
export interface Streams {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

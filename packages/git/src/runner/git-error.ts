/** git failed where it never should. A defect: its text is for the log, not for a caller. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly exit_code: number | null
  readonly stderr: string

  constructor(command: string, exit_code: number | null, stderr: string) {
    super(`git ${command} exited with ${exit_code}: ${stderr.trim().slice(0, 2_000)}`)
    this.exit_code = exit_code
    this.stderr = stderr
  }
}

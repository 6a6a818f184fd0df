import { execFile } from 'node:child_process'
import { isAbsolute } from 'node:path'
import { promisify } from 'node:util'

/** The folders in which the operating system and its packages put programs; the caller's own PATH comes first. */
const path = `${process.env['PATH'] ?? ''}:/usr/local/bin:/usr/bin:/bin`

/** Arguments with which git signs with an SSH key. Nothing is asked of an agent or of a person. */
export function signingConfig(key_file: string | null): readonly (readonly [string, string])[] {
  if (key_file === null) return []
  return [
    ['gpg.format', 'ssh'],
    ['user.signingKey', key_file],
  ]
}

/** Signs something once, so that a key that cannot sign is known at the start and not at the first merge. */
export async function checkSigningKey(key_file: string): Promise<void> {
  if (!isAbsolute(key_file))
    throw new Error(`The signing key ${key_file} must be given by its absolute path.`)
  const args = ['-Y', 'sign', '-n', 'git', '-f', key_file]
  const signing = promisify(execFile)('ssh-keygen', args, {
    env: { PATH: path, SSH_ASKPASS_REQUIRE: 'never' },
    timeout: 10_000,
  })
  // A key that is refused outright leaves no process to read stdin.
  signing.child.stdin?.on('error', () => {}).end('svc')
  try {
    await signing
  } catch (cause) {
    throw new Error(explain(key_file, cause), { cause })
  }
}

function explain(key_file: string, cause: unknown): string {
  const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
  if (missing) return 'Signed commits need ssh-keygen; install OpenSSH (openssh-client on Debian).'
  const stderr = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : ''
  const reason = stderr.split('\n').at(-1) ?? ''
  return `The signing key ${key_file} cannot sign; it must be a private SSH key without a passphrase. ${reason}`.trim()
}

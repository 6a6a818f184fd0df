import { errorCode } from '@svc/files'
import type { Lock } from './lock.ts'

/**
 * integrity: a package is not the one that is locked; disk_full: no room for the files; registry: it did not answer, or
 * refused; other: everything else, with npm's own words.
 */
export type InstallErrorKind = 'integrity' | 'disk_full' | 'registry' | 'other'

export class InstallError extends Error {
  override readonly name = 'InstallError'
  readonly kind: InstallErrorKind
  /** The package whose content is not the locked one. */
  readonly package_name: string | null
  /** The end of npm's output. */
  readonly output_tail: string

  constructor(
    kind: InstallErrorKind,
    message: string,
    options: { package_name?: string | null; output_tail?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.package_name = options.package_name ?? null
    this.output_tail = options.output_tail ?? ''
  }
}

export const maxOutputTail = 2000

const isFull = (code: string): boolean => ['ENOSPC', 'EDQUOT'].includes(code)

const registryCodes =
  /^(E[45]\d\d|ENOTFOUND|EAI_AGAIN|ECONN\w+|E?TIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|EPROTO|ENEEDAUTH|ETARGET|ENOVERSIONS|ERR_SOCKET\w*|ERR_SSL\w*|ERR_TLS\w*|FETCH_ERROR|\w*CERT\w*|UNABLE_TO_\w+|ERR_INVALID_PROTOCOL)$/

/** Names the failure of an npm that ended with output. */
export function npmFailure(output: string, lock: Lock): InstallError {
  const output_tail = outputTailOf(output)
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1] ?? ''
  if (code === 'EINTEGRITY') {
    const package_name = lockedWith(output, lock)
    const whose = package_name === null ? 'A package' : `The package ${package_name}`
    return new InstallError(
      'integrity',
      `${whose} is not the one that is locked: its content has another integrity.`,
      {
        package_name,
        output_tail,
      },
    )
  }
  if (isFull(code) || /\bENOSPC\b/.test(output)) return diskFull({ output_tail })
  if (registryCodes.test(code))
    return new InstallError('registry', `The registry of packages gave no answer that serves: ${code}.`, {
      output_tail,
    })
  const reason = lacksFiles(output) ? 'npm could not write all files' : `npm ended with ${code || 'no code'}`
  return new InstallError('other', `The install failed: ${reason}.`, { output_tail })
}

/** Names the operating system's refusals; an error that is already typed passes unchanged. */
export function toInstallError(error: unknown): InstallError {
  if (error instanceof InstallError) return error
  const text = error instanceof Error ? error.message : String(error)
  if (isFull(String(errorCode(error)))) return diskFull({ cause: error })
  return new InstallError('other', `The install failed: ${text}`, { cause: error })
}

function diskFull(more: ConstructorParameters<typeof InstallError>[2]): InstallError {
  return new InstallError(
    'disk_full',
    'There is no room left on the disk for this install; remove harnesses that are not used, or give it more.',
    more,
  )
}

/** Without the line that names npm's log, which goes with the scratch folder. */
function outputTailOf(output: string): string {
  const lines = output.split('\n').filter((line) => !line.includes('A complete log of this run'))
  return lines.join('\n').trim().slice(-maxOutputTail)
}

/** Whether npm could not write a file of a package. It says so in a warning, and may go on and end well. */
export const lacksFiles = (output: string): boolean => output.includes('TAR_ENTRY_ERROR')

/** npm says which integrity it wanted, and not always of which package. */
function lockedWith(output: string, lock: Lock): string | null {
  const wanted = /wanted (sha\d+-[A-Za-z0-9+/=]+)/.exec(output)?.[1]
  if (wanted === undefined) return null
  const found = lock.packages.find((entry) => entry.integrity?.includes(wanted))
  return found === undefined ? null : `${found.name}@${found.version}`
}

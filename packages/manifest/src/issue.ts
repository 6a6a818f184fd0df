import { manifestLimits } from './limits.ts'

export type Severity = 'error' | 'warning'

/** One thing that is wrong, or looks wrong, with the place to look at when the text has one. */
export interface Issue {
  readonly path: string
  readonly message: string
  readonly severity: Severity
  readonly line?: number
  readonly column?: number
}

export type Path = readonly (string | number)[]

export interface Place {
  readonly line: number
  readonly column: number
}

/** A message that costs something to word is a function: only issues that are listed are worded. */
export type Message = string | (() => string)

/** An issue before it is placed: the path is still a list, and syntax errors know their place already. */
export interface Finding {
  readonly path: Path
  readonly message: Message
  readonly severity: Severity
  readonly place?: Place
}

export function error(path: Path, message: Message): Finding {
  return { path, message, severity: 'error' }
}

export function warning(path: Path, message: Message): Finding {
  return { path, message, severity: 'warning' }
}

const worded = new WeakMap<() => string, string>()

export function messageText({ message }: Finding): string {
  if (typeof message === 'string') return message
  const text = worded.get(message) ?? message()
  worded.set(message, text)
  return text
}

/** `triggers[0].prompt`; map keys stand as they are written. */
export function pathText(path: Path): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

/** Findings of one file as issues in file order, errors first on the same spot; those without a place come first. */
export function placeFindings(
  findings: readonly Finding[],
  locate: (path: Path) => Place | undefined,
  nameOf: (path: Path) => string = pathText,
): readonly Issue[] {
  const issues = keepWithinLimit(findings).map((finding): Issue => {
    const { path, severity, place } = finding
    return { path: nameOf(path), message: messageText(finding), severity, ...(place ?? locate(path)) }
  })
  return distinct(issues).sort(
    (a, b) =>
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      Number(a.severity === 'warning') - Number(b.severity === 'warning'),
  )
}

export function hasErrors(issues: readonly { readonly severity: Severity }[]): boolean {
  return issues.some((issue) => issue.severity === 'error')
}

/** Two rules may find the same; it is said once. */
function distinct(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>()
  return issues.filter(({ path, message }) => {
    const key = `${path}\n${message}`
    return !seen.has(key) && seen.add(key)
  })
}

/** Errors are never dropped in favour of warnings, so that a cut list gives the same verdict as the whole one. */
function keepWithinLimit(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= manifestLimits.issues) return findings
  const errors = findings.filter((finding) => finding.severity === 'error')
  const warnings = findings.filter((finding) => finding.severity === 'warning')
  const kept = [...errors, ...warnings].slice(0, manifestLimits.issues)
  const dropped = findings.length - kept.length
  const rest = `${dropped} more issue${dropped === 1 ? '' : 's'} not listed`
  return [...kept, errors.length > 0 ? error([], rest) : warning([], rest)]
}

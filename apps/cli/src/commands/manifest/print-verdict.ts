import { counted } from '@svc/facts'
import type { Issue, ManifestFiles, Verdict } from '@svc/manifest'
import type { Output } from '../../output/output.ts'
import { oneLine } from '../../output/plain.ts'
import type { FoundManifest } from './manifest-files.ts'
import { sourceLine } from './source-line.ts'

/** Every issue with the line it is about, then the verdict. */
export function printVerdict(out: Output, found: FoundManifest, { valid, issues }: Verdict): void {
  for (const issue of issues) printIssue(out, found, issue)
  const name = oneLine(found.labelOf(manifestOf(found.files)))
  const counts = [count(issues, 'error'), count(issues, 'warning')].filter((one) => one !== '').join(', ')
  if (valid) out.line(out.colors.green(`${name} is valid${counts === '' ? '' : ` (${counts})`}.`))
  else out.line(out.colors.red(`${name} is not valid (${counts}).`))
}

function printIssue(out: Output, { files, labelOf }: FoundManifest, issue: Issue): void {
  const { severity, message, line, column = 1 } = issue
  const { colors } = out
  const file = fileOf(files, issue)
  const word = severity === 'error' ? colors.red(severity) : colors.yellow(severity)
  const place = line === undefined ? '' : `${oneLine(labelOf(file))}:${line}:${column} `
  const path = oneLine(issue.path)
  out.line(`${colors.bold(place)}${word} ${path === '' ? '' : `${path}: `}${oneLine(message)}`)
  const text = textOf(files, file)
  if (line === undefined || text === undefined) return
  const source = sourceLine(text, line, column)
  if (source === undefined) return
  const number = `${line}`
  out.line(`  ${colors.dim(`${number} |`)} ${source.text}`)
  out.line(`  ${colors.dim(`${' '.repeat(number.length)} |`)} ${source.margin}${colors.red('^')}`)
}

/** An issue in an agent's file names it before `#`; every other one is about the manifest. */
function fileOf(files: ManifestFiles, { path }: Issue): string {
  const [file = ''] = path.split('#')
  return Object.hasOwn(files.agents ?? {}, file) ? file : manifestOf(files)
}

function textOf(files: ManifestFiles, file: string): string | undefined {
  if (file === 'svc.yaml' || file === 'svc.toml') return files[file]
  return files.agents?.[file]
}

function manifestOf(files: ManifestFiles): 'svc.yaml' | 'svc.toml' {
  return files['svc.yaml'] === undefined && files['svc.toml'] !== undefined ? 'svc.toml' : 'svc.yaml'
}

function count(issues: readonly Issue[], severity: Issue['severity']): string {
  const number = issues.filter((issue) => issue.severity === severity).length
  return number === 0 ? '' : counted(number, severity)
}

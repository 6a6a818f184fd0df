import { createFile } from '@svc/files'
import { basename, dirname, join, resolve } from 'node:path'
import { type Issue, type ManifestFiles, migrate as migrated } from '@svc/manifest'
import { OperationError, ReportedFailure } from '../../failures.ts'
import type { Configure } from '../groups.ts'
import { manifestFiles } from './manifest-files.ts'

interface Flags {
  readonly write?: true
  readonly json?: true
}

export const migrate: Configure = (command, cli) => {
  command
    .argument('[path]', 'a folder with svc.toml, or the file itself', '.')
    .option('--write', 'write svc.yaml beside svc.toml')
    .option('--json', 'print { "text", "issues" } as JSON')
    .action(async (path: string, flags: Flags) => {
      const { files } = await manifestFiles(cli.io.cwd, path)
      const { text, issues } = migrated(legacyText(files, path))
      if (flags.json) cli.out.json({ text, issues })
      if (text !== null && flags.write) {
        const file = yamlBeside(cli.io.cwd, path)
        const made = await createFile(file, text, { mode: 0o666 }).catch((cause: unknown) => {
          throw new OperationError(`cannot write ${file}`, undefined, { cause })
        })
        if (!made)
          throw new OperationError(`cannot write ${file}`, 'an svc.yaml that exists is never replaced')
        cli.out.note(`wrote ${file}; svc.toml is not read beside it: remove it`)
      } else if (text !== null && !flags.json) {
        cli.out.line(text.trimEnd())
      }
      if (!flags.json) for (const issue of issues) cli.out.note(noteOf(issue, text === null))
      if (issues.some((issue) => issue.severity === 'error')) throw new ReportedFailure()
    })
}

function legacyText(files: ManifestFiles, path: string): string {
  const text = files['svc.toml']
  if (text === undefined)
    throw new OperationError(`there is no svc.toml in ${path}`, 'give its folder, or the file')
  return text
}

function yamlBeside(cwd: string, path: string): string {
  const target = resolve(cwd, path)
  return join(basename(target).endsWith('.toml') ? dirname(target) : target, 'svc.yaml')
}

/** Issues are of the new file, unless the old one could not be read. */
function noteOf({ severity, path, message, line, column }: Issue, ofToml: boolean): string {
  const place = line === undefined ? '' : `:${line}:${column ?? 1}`
  return `${ofToml ? 'svc.toml' : 'svc.yaml'}${place} ${severity} ${path === '' ? '' : `${path}: `}${message}`
}

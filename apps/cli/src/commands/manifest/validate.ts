import { judge } from '@svc/manifest'
import { ReportedFailure } from '../../failures.ts'
import type { Configure } from '../groups.ts'
import { manifestFiles } from './manifest-files.ts'
import { printVerdict } from './print-verdict.ts'

export const validate: Configure = (command, cli) => {
  command
    .argument('[path]', 'a folder with svc.yaml (or svc.toml), or the file itself', '.')
    .option('--json', 'print { "valid", "issues" } as JSON')
    .action(async (path: string, flags: { json?: true }) => {
      const found = await manifestFiles(cli.io.cwd, path)
      const verdict = judge({ files: found.files })
      if (flags.json) cli.out.json(verdict)
      else printVerdict(cli.out, found, verdict)
      if (!verdict.valid) throw new ReportedFailure()
    })
}

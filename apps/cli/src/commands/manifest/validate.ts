import { judge, manifestNotes } from '@svc/manifest'
import { oneLine } from '../../output/plain.ts'
import { ReportedFailure } from '../../failures.ts'
import type { Configure } from '../groups.ts'
import { checkApps } from './check-apps.ts'
import { manifestFiles } from './manifest-files.ts'
import { printVerdict } from './print-verdict.ts'

export const validate: Configure = (command, cli) => {
  command
    .argument('[path]', 'a folder with svc.yaml (or svc.toml), or the file itself', '.')
    .option('--json', 'print { "valid", "issues", "notes" } as JSON')
    .action(async (path: string, flags: { json?: true }) => {
      const found = await manifestFiles(cli.io.cwd, path)
      const verdict = judge({ files: found.files })
      const notes = manifestNotes(found.files)
      const apps = await checkApps(cli, found.files['svc.yaml'])
      if (flags.json) cli.out.json({ ...verdict, notes, ...(apps && { apps }) })
      else {
        printVerdict(cli.out, found, verdict)
        for (const { path, message } of notes) cli.out.line(`note: ${oneLine(path)}: ${message}`)
        for (const { path, message } of (apps ?? []).flatMap(({ issues }) => issues))
          cli.out.line(`this platform: ${oneLine(`${path}: ${message}`)}`)
      }
      if (!verdict.valid || apps?.some(({ deployable }) => !deployable)) throw new ReportedFailure()
    })
}

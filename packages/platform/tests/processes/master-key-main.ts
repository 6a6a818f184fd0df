import { servicePlaces } from '@svc/services'
import { runMasterKeyCommand } from '../../src/master-key/command.ts'

/** The operator's command as a process of its own. */
process.exit(
  await runMasterKeyCommand(process.argv.slice(2), process.env, servicePlaces, {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
  }),
)

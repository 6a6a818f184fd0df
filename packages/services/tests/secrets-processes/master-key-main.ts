import { runMasterKeyCommand } from '../../src/platform/master-key-command.ts'

/** The operator's command as a process of its own. */
process.exit(
  await runMasterKeyCommand(process.argv.slice(2), process.env, {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
  }),
)

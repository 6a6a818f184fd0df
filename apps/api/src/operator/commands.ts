import { runMasterKeyCommand, runMigrateCommand } from '@svc/platform'
import { sealedPlaces } from '../sealed-places.ts'
import { runBackupCommand } from './backup-command.ts'
import { runDoctorCommand } from './doctor-command.ts'
import { runRestoreCommand } from './restore-command.ts'

const line = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`)
const streams = { out: line(process.stdout), err: line(process.stderr) }

type Run = (words: readonly string[], source: NodeJS.ProcessEnv) => Promise<number>

const commands = new Map<string, Run>([
  ['migrate', (words, source) => runMigrateCommand(words, source, streams)],
  ['doctor', (words, source) => runDoctorCommand(words, source, streams)],
  ['backup', (words, source) => runBackupCommand(words, source, streams)],
  ['restore', (words, source) => runRestoreCommand(words, source, streams)],
  ['master-key', (words, source) => runMasterKeyCommand(words, source, sealedPlaces, streams)],
])

/** Runs what an operator asks of this service beside its requests. Resolves with the exit code: 2 where there is no such command. */
export async function runCommand(
  name: string,
  words: readonly string[],
  source: NodeJS.ProcessEnv,
): Promise<number> {
  const run = commands.get(name)
  if (run !== undefined) return await run(words, source)
  const names = [...commands.keys()].join(', ')
  streams.err(`api: ${name} is no command here. It has ${names}; without one it serves requests`)
  return 2
}

import { runMasterKeyCommand, runMigrateCommand } from '@svc/platform'
import { sealedPlaces } from '../sealed-places.ts'
import { runBackupCommand } from './backup-command.ts'
import { runDoctorCommand } from './doctor-command.ts'
import { runRestoreCommand } from './restore-command.ts'

const line = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`)
const streams = { out: line(process.stdout), err: line(process.stderr) }

type Run = (words: readonly string[]) => Promise<number>

const commands = new Map<string, Run>([
  ['migrate', (words) => runMigrateCommand(words, process.env, streams)],
  ['doctor', (words) => runDoctorCommand(words, process.env, streams)],
  ['backup', (words) => runBackupCommand(words, process.env, streams)],
  ['restore', (words) => runRestoreCommand(words, process.env, streams)],
  ['master-key', (words) => runMasterKeyCommand(words, process.env, sealedPlaces, streams)],
])

/** Runs what an operator asks of this service beside its requests. Resolves with the exit code: 2 where there is no such command. */
export async function runCommand(name: string, words: readonly string[]): Promise<number> {
  const run = commands.get(name)
  if (run !== undefined) return await run(words)
  const names = [...commands.keys()].join(', ')
  streams.err(`api: ${name} is no command here. It has ${names}; without one it serves requests`)
  return 2
}

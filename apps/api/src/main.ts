import { giveWay } from './operator/give-way.ts'

const [command, ...words] = process.argv.slice(2)

// A command of the operator loads nothing of what answers requests: it is there sooner, and takes less from the platform beside it.
if (command === undefined) await import('./serve.ts')
else {
  if (command === 'backup' || command === 'doctor') await giveWay()
  const { runCommand } = await import('./operator/commands.ts')
  process.exit(await runCommand(command, words, process.env))
}

import { describeHarness } from '../support/harness/describe-harness.ts'

const run = (command: string) => ({ name: 'Bash', args: { command, description: 'runs it' } })

await describeHarness(
  {
    name: 'claude',
    write: (file_path, content) => ({ name: 'Write', args: { file_path, content } }),
    run,
    ask: run,
    other_model: 'refused',
    changes: true,
  },
  '127.41.0.81',
)

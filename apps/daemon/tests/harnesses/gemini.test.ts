import { describeHarness } from '../support/harness/describe-harness.ts'

const run = (command: string) => ({ name: 'run_shell_command', args: { command, description: 'runs it' } })

await describeHarness(
  {
    name: 'gemini',
    write: (file_path, content) => ({ name: 'write_file', args: { file_path, content } }),
    run,
    ask: run,
    other_model: 'refused',
    changes: true,
  },
  '127.41.0.83',
)

import { describeHarness } from '../support/harness/describe-harness.ts'

const run = (cmd: string) => ({ name: 'exec_command', args: { cmd } })

await describeHarness(
  {
    name: 'codex',
    write: (path, content) => run(`printf '%s' '${content}' > '${path}'`),
    run,
    ask: run,
    other_model: 'refused',
    changes: false,
  },
  '127.41.0.82',
)

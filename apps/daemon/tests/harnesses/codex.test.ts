import { describeHarness } from '../support/harness/describe-harness.ts'

/** Its own fence lets a command write nothing in the mode in which it asks. */
const unfenced = { sandbox_permissions: 'require_escalated', justification: 'May I?' }

const run = (cmd: string) => ({ name: 'exec_command', args: { cmd, ...unfenced } })

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

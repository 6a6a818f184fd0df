import { describeHarness } from '../support/harness/describe-harness.ts'

await describeHarness(
  {
    name: 'pi-acp',
    write: (path, content) => ({ name: 'write', args: { path, content } }),
    run: (command) => ({ name: 'bash', args: { command } }),
    ask: null,
    other_model: 'asked',
    changes: true,
  },
  '127.41.0.84',
)

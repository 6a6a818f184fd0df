import { test } from 'vitest'
import type { Ability, Dialect } from '../dialects.ts'
import type { Sandbox } from '../sandbox.ts'

/** A call of the shell, as the scripted model asks for it. */
export const bash = (command: string) => ({
  tool: { name: 'bash', args: { command, description: 'runs it' } },
})

/** The tests of one runtime, which all run in one sandbox. */
export type RuntimeTests = ReturnType<typeof runtimeTests>

export function runtimeTests(dialect: Dialect, sandbox: () => Sandbox) {
  const lacks = (ability: Ability) => dialect.lacks.includes(ability)
  return {
    dialect,
    sandbox,
    lacks,
    // A thing that a runtime cannot do is no test of it; a skipped one would look like one that could not run.
    testOf: (ability: Ability) => (lacks(ability) ? () => undefined : test),
    /** The conversation that the model was asked with last. */
    asked: () => JSON.stringify(sandbox().model.requests.at(-1)?.messages),
    /** The messages of the agent with this text. */
    words: (text: string) =>
      sandbox()
        .platform.events('message')
        .filter(({ payload }) => payload['role'] === 'assistant' && payload['text'] === text),
  }
}

import type { HarnessEntry } from '@svc/harness'
import type { HarnessInput } from '../schema/harness.ts'

export function toHarness(name: string, input: HarnessInput): HarnessEntry {
  return {
    name,
    command: input.command ?? null,
    dialect: input.dialect ?? null,
    env: input.env ?? {},
    model_env: input.model_env ?? [],
    mode: input.mode ?? null,
    options: input.options ?? {},
    auth: input.auth ?? 'gateway',
    version: input.version ?? null,
  }
}

import { z } from 'zod'
import { harnessAuths, harnessDialects } from './words.ts'

/** The settings of a session's harness, read from the default branch when the session was made. */
export const HarnessSettings = z.object({
  /** The program of a harness that the manifest declares; null for a known one. */
  command: z.array(z.string()).nullable(),
  dialect: z.enum(harnessDialects),
  env: z.record(z.string(), z.string()),
  /** Variables that are given the session's model. */
  model_env: z.array(z.string()),
  mode: z.string().nullable(),
  options: z.record(z.string(), z.union([z.string(), z.boolean()])),
  /** The agent file's `variant`: a value of the option of category `thought_level`. */
  variant: z.string().nullable(),
})

/** A session's harness as it stays for the session's life. */
export const FrozenHarness = z.object({
  harness: z.string(),
  version: z.string().nullable(),
  auth: z.enum(harnessAuths),
  settings: HarnessSettings,
})
export type FrozenHarness = z.infer<typeof FrozenHarness>

/** A harness of the manifest: the settings of a known one, or a program of the project's own. */
export interface HarnessEntry {
  readonly name: string
  readonly command: readonly string[] | null
  readonly dialect: (typeof harnessDialects)[number] | null
  readonly env: Readonly<Record<string, string>>
  readonly model_env: readonly string[]
  readonly mode: string | null
  readonly options: Readonly<Record<string, string | boolean>>
  readonly auth: (typeof harnessAuths)[number]
  readonly version: string | null
}
